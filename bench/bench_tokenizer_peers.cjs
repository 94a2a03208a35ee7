// SPDX-License-Identifier: MIT
/*
 * bench_tokenizer_peers.cjs - times an npm tokenizer on one text.
 *
 * usage: node bench_tokenizer_peers.cjs tiktoken ENCODING FILE RUNS
 *        node bench_tokenizer_peers.cjs tokenizers TOKENIZER_JSON FILE RUNS
 *
 * Prints the number of tokens and the seconds of processor time of each run,
 * the first one with an empty cache. Packages are looked for from NODE_PATH.
 */
'use strict';
const fs = require('fs');

const [kind, what, file, runs] = process.argv.slice(2);
const text = fs.readFileSync(file, 'utf8');

async function counter() {
	if (kind === 'tiktoken') {
		const encoding = require('tiktoken').get_encoding(what);

		return async () => encoding.encode_ordinary(text).length;
	}
	const { Tokenizer } = require('tokenizers');
	const json = JSON.parse(fs.readFileSync(what, 'utf8'));

	json.added_tokens = [];
	json.post_processor = null;
	const tokenizer = Tokenizer.fromString(JSON.stringify(json));

	return async () => (await tokenizer.encode(text, null,
		{ addSpecialTokens: false })).getIds().length;
}

async function main() {
	const count = await counter();
	const times = [];
	let tokens = 0;

	for (let run = 0; run < Number(runs); run++) {
		const from = process.cpuUsage();

		tokens = await count();
		const used = process.cpuUsage(from);

		times.push((used.user + used.system) / 1e6);
	}
	console.log(tokens, ...times);
}

main().catch((error) => {
	console.error(String(error));
	process.exit(1);
});
