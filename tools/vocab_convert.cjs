// SPDX-License-Identifier: MIT
//
// vocab_convert.cjs - takes a vocabulary out of npm tiktoken for data/.
//
// usage: node tools/vocab_convert.cjs FOLDER_WITH_NODE_MODULES NAME PATTERN OUT
//
// Writes what tools/vocab_image.c reads, all numbers little endian:
//   "balevoc1"; u32 pattern; u32 ids; u32 special tokens; char name[32]
//   ids times: u8 length, bytes (length 0: no token has this id)
//   special tokens times: u32 id, u8 length, bytes
// The result is compressed with `zstd -19 --ultra` and kept under data/.
'use strict';
const fs = require('fs');
const path = require('path');
const [folder, name, pattern, out] = process.argv.slice(2);
const special_extra = process.argv[6] ? JSON.parse(process.argv[6]) : {};
const file = require.resolve(`tiktoken/encoders/${name.replace('o200k_harmony', 'o200k_base')}.json`,
	{ paths: [path.resolve(folder)] });
const from = JSON.parse(fs.readFileSync(file, 'utf8'));

const tokens = [];
for (const line of from.bpe_ranks.split('\n')) {
	if (!line)
		continue;
	const words = line.split(' ');
	words.slice(2).forEach((word, i) => {
		tokens[Number(words[1]) + i] = Buffer.from(word, 'base64');
	});
}
const patterns = { gpt2: 1, cl100k: 2, o200k: 3 };
if (!patterns[pattern])
	throw new Error(`no pattern ${pattern}`);
const specials = Object.entries({ ...from.special_tokens, ...special_extra });

const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const parts = [Buffer.from('balevoc1'), u32(patterns[pattern]),
	u32(tokens.length), u32(specials.length)];
const label = Buffer.alloc(32);
label.write(name);
parts.push(label);
for (let id = 0; id < tokens.length; id++) {
	const token = tokens[id] || Buffer.alloc(0);
	parts.push(Buffer.from([token.length]), token);
}
for (const [text, id] of specials)
	parts.push(u32(id), Buffer.from([text.length]), Buffer.from(text));
fs.writeFileSync(out, Buffer.concat(parts));
