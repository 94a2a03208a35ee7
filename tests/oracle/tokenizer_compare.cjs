// SPDX-License-Identifier: MIT
//
// tokenizer_compare.cjs - compares ids with those of npm tiktoken, or of npm
// tokenizers for a tokenizer.json.
//
// usage: node tokenizer_compare.cjs MODULES PROGRAM ENCODING|FILE.json TEXTS...
//
// PROGRAM is tokenizer_ids. TEXTS is one or more of
//   random:N      N strings over a hostile alphabet, some not valid UTF-8
//   codepoints    each code point alone, and between letters, digits, blanks
//   files:FOLDER[:MEGABYTES]   all files below a folder, up to so much
// Prints a line for each of TEXTS. Shows the first differences in hex and ends
// with code 1 if there are any.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');
const [modules, program, encoding, ...wanted] = process.argv.slice(2);
const from_modules = (name) => require(require.resolve(name, { paths: [path.resolve(modules)] }));

// A function from strings to their ids, or to a promise of them.
function reference() {
	if (!encoding.endsWith('.json')) {
		// o200k_harmony differs in special tokens only, and npm does not have it.
		const enc = from_modules('tiktoken').get_encoding(
			encoding.replace('o200k_harmony', 'o200k_base'));
		return (texts) => texts.map((text) => enc.encode_ordinary(text));
	}
	// Added tokens are text to bale.
	const file = JSON.parse(fs.readFileSync(encoding, 'utf8'));
	file.added_tokens = [];
	file.post_processor = null;
	const tok = from_modules('tokenizers').Tokenizer.fromString(JSON.stringify(file));
	return async (texts) => (await tok.encodeBatch(texts, { addSpecialTokens: false }))
		.map((encoded) => encoded.getIds());
}
const ids_of = reference();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

let seed = Number(process.env.ORACLE_SEED || 1) >>> 0;
const draw = (n) => {
	// xorshift32, so that a run can be repeated
	seed ^= seed << 13; seed >>>= 0;
	seed ^= seed >>> 17;
	seed ^= seed << 5; seed >>>= 0;
	return seed % n;
};
seed = seed || 1;

const alphabet = ["'s", "'S", "'t", "'T", "'re", "'RE", "'rE", "'ve", "'VE", "'m", "'M", "'ll", "'LL",
	"'lL", "'d", "'D", "'\u017f", '\u017f', '\u212a', "'", '\u2019s', '\u2019', '`s', '"', '\r', '\n', '\r\n',
	'\n\n', '\n\r', ' ', '  ', '   ', '\t', '\v', '\f', '\u0085', '\u00a0', '\u1680', '\u2000', '\u2003',
	'\u2009', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\u200b', '\u200d', '\u2060',
	'\ufeff', '\u00ad', '\u0000', '\u0001', '\u007f', '/', '//', '/*', '*/', '\n/', 'a', 'b', 'z', 'A', 'Z',
	'foo', 'Foo', 'FOO', 'fooBar', '\u00e9', '\u00c9', '\u00df', '\u01c5', '\u02b0', '\u00aa', '\u4e2d',
	'\u6587', '\u65e5\u672c', '\u3042', '\u30ab', '\u30fc', '\ud55c', '\u0e01', '\u0e33', '\u0928', '\u093f',
	'\u094d', '\u0301', '\u0308', '\u20dd', '\ufe0f', '\u0391', '\u03b1', '\u0416', '\u0436', '\u05d0', '\u0627',
	'1', '12', '123', '1234', '\u00b2', '\u2167', '\u0663', '\u0e51', '\u{1d7d9}', '.', ',', '!', '?', ';', ':',
	'(', ')', '[', ']', '{', '}', '<', '>', '=', '==', '->', '+', '-', '_', '__', '#', '$', '%', '&', '@',
	'\\', '|', '~', '^', '\u20ac', '\u3002', '\uff0c', '\uff08', '\u2026', '\u{1f600}', '\u{1f469}\u200d\u{1f4bb}',
	'\u{1f1e9}\u{1f1ea}', '\u{10400}', '\u{10428}', '\u{1d49c}', '\u{20000}', '\u{e0041}', '\u{10ffff}', '\ue000',
	'<|endoftext|>', '<|im_start|>', '<|fim_prefix|>', ' the', ' The', 'ing', '        ', '\t\t\t', '====',
	'xxxxxxxx', '\u00e9\u00e9', '\uac00\u11a8'].map((s) => Buffer.from(s));
const bad = ['ff', 'fe', 'c0', 'c080', 'c1bf', 'c3', 'e0', 'e080', 'e08080', 'e09fbf', 'e2', 'e282', 'eda080',
	'edbfbf', 'eda0bdedb880', 'f0', 'f09f', 'f09f98', 'f08fbfbf', 'f0808080', 'f48fbf', 'f4908080', 'f5808080',
	'f8888080', '80', 'bf', '8080', 'efbf', 'efbfbd'].map((s) => Buffer.from(s, 'hex'));

function * random(n) {
	for (; n > 0; n--) {
		const parts = [];
		const some = draw(4) === 0 ? 6 : alphabet.length;
		const from = draw(alphabet.length);
		for (let k = 1 + draw(draw(16) ? 12 : 120); k > 0; k--) {
			let part = draw(24) ? alphabet[(from + draw(some)) % alphabet.length] : bad[draw(bad.length)];
			if (draw(200) === 0)
				part = Buffer.concat(new Array(1 + draw(90)).fill(part));
			parts.push(part);
		}
		yield Buffer.concat(parts);
	}
}

function * codepoints() {
	for (let c = 0; c < 0x110000; c++) {
		if (c >= 0xd800 && c < 0xe000)
			continue;
		const s = String.fromCodePoint(c);
		yield Buffer.from(s);
		yield Buffer.from(`a${s}b\nA${s}B\n1${s}2\n ${s} \n(${s}${s}'s`);
	}
}

function * files(folder, megabytes) {
	let left = (megabytes || 1e9) * 1e6;
	const stack = [folder];
	while (stack.length && left > 0) {
		const at = stack.pop();
		const stat = fs.lstatSync(at);
		if (stat.isDirectory())
			stack.push(...fs.readdirSync(at).sort().reverse().map((f) => path.join(at, f)));
		if (!stat.isFile() || stat.size > 4e6)
			continue;
		const text = fs.readFileSync(at);
		left -= text.length;
		yield text;
	}
}

// tokenizer_ids, which answers a batch when it has seen its end.
const child = spawn(program, [encoding], { stdio: ['pipe', 'pipe', 'inherit'] });
let got = [], got_bytes = 0, waiting = null;
child.stdout.on('data', (data) => {
	got.push(data);
	got_bytes += data.length;
	if (waiting && got_bytes >= 4 && data.length >= 4 &&
		data.readUInt32LE(data.length - 4) === 0xffffffff)
		waiting();
});
child.on('exit', (code) => {
	if (code !== 0) {
		console.error(`${program} ended with ${code}`);
		process.exit(1);
	}
});
function answers(texts) {
	let size = 4;
	for (const text of texts)
		size += 4 + text.length;
	const frames = Buffer.alloc(size);
	let at = 0;
	for (const text of texts) {
		at = frames.writeUInt32LE(text.length, at);
		at += text.copy(frames, at);
	}
	frames.writeUInt32LE(0xffffffff, at);
	return new Promise((resolve) => {
		waiting = () => {
			const all = Buffer.concat(got);
			got = [];
			got_bytes = 0;
			waiting = null;
			resolve(new Uint32Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.length)));
		};
		child.stdin.write(frames);
	});
}

let differences = 0;
async function check(texts, totals) {
	const ours = answers(texts);
	const theirs = await ids_of(texts.map((text) => decoder.decode(text)));
	const ids = await ours;
	let at = 0;
	texts.forEach((text, t) => {
		const want = theirs[t], nr = ids[at];
		let same = nr === want.length;
		for (let i = 0; same && i < nr; i++)
			same = ids[at + 1 + i] === want[i];
		if (!same && differences++ < 5)
			console.error(`${encoding}: different ids for ${text.toString('hex').slice(0, 4000)}`);
		at += 1 + nr;
		totals.texts++;
		totals.bytes += text.length;
		totals.ids += nr;
	});
}

async function main() {
	for (const what of wanted) {
		const [kind, arg, more] = what.split(':');
		const source = kind === 'random' ? random(Number(arg)) :
			kind === 'codepoints' ? codepoints() : files(arg, Number(more));
		const totals = { texts: 0, bytes: 0, ids: 0 };
		const before = differences;
		let batch = [], size = 0;
		for (const text of source) {
			batch.push(text);
			size += text.length + 64;
			if (size > 4e6) {
				await check(batch, totals);
				batch = [];
				size = 0;
			}
		}
		await check(batch, totals);
		const name = encoding.replace(/^.*tokenizer-([^/]*)\/.*$/, '$1');
		console.log(`${differences === before ? 'ok' : 'not ok'} ${name} ${what}: ${totals.texts} texts, ` +
			`${totals.bytes} bytes, ${totals.ids} ids, ${differences - before} differences`);
	}
	child.stdin.end();
	process.exitCode = differences ? 1 : 0;
}
main();
