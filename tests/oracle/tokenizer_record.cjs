// SPDX-License-Identifier: MIT
//
// tokenizer_record.cjs - records what the reference makes of a set of texts.
//
// usage: node tests/oracle/tokenizer_record.cjs FOLDER_WITH_NODE_MODULES >tests/support/data/tokenizer_vectors.txt
//
// Each line: encoding, the text in hex (- if empty), the ids. The texts are
// chosen and drawn here with a fixed seed; the ids come from npm `tiktoken`,
// which is given the text after TextDecoder has repaired it.
'use strict';
const path = require('path');
const folder = path.resolve(process.argv[2] || '.');
const { get_encoding } = require(require.resolve('tiktoken', { paths: [folder] }));

let seed = 20261121;
const draw = (n) => {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return Math.floor(seed / 4294967296 * n);
};

const fixed = ['', 'a', ' ', '\n', 'hello world', 'Hello, World!',
	'int main(void)\n{\n\treturn 0;\n}\n', '  indented\n\n\n  more', 'x = 1234567;',
	"I'll don't WE'VE it'S y'ſ", '<|endoftext|>', '<|im_start|>user<|im_end|>',
	'日本語のテキスト、中文文本。', 'Привет, мир', 'مرحبا بالعالم', 'नमस्ते', '👩‍👩‍👧‍👦 family 🎉',
	'\r\n\r\n \t\r\n', 'a\r\nb\rc\n', ';\n/* comment */', 'ÀÉÎõü ǅ ʰ', 'e\u0301a\u0308',
	'\u3000\u00a0\u2028x', '中A中Bb中CC', 'CamelCaseHTTPServer', '\u0000\u0001\ufeff',
	'a'.repeat(300), ' '.repeat(300), '\n'.repeat(300), '='.repeat(300), '中'.repeat(200),
	'🎉'.repeat(100), 'ab'.repeat(400), 'AB'.repeat(400), '<|endoftext|>'.repeat(60),
	' '.repeat(600) + 'x', '\n' + ' '.repeat(700) + 'x', 'x' + '中' + 'A'.repeat(700) + '.',
	'((' + '-'.repeat(700) + '\n\n/', 'x'.repeat(700) + "'ll", '1'.repeat(50)];
const bad = ['ff', 'c080', 'e28241', 'eda080', 'f09f98', '80', 'f4908080', 'e080', 'c341',
	'f0', '41e4b8', 'e4b8e4b8ad', 'f09f98f09f9880', 'ffffff'];
const pool = ["'s", "'S", "'re", "'LL", "'ſ", '’s', "'", '\r', '\n', '\r\n', ' ', '  ', '\t',
	'\u00a0', '\u3000', '\u0085', '/', '//', 'a', 'B', 'foo', 'Foo', 'FOO', 'é', 'É', 'ǅ', 'ʰ', '中',
	'文', 'ी', 'न', '\u0301', '1', '12', '1234', '²', 'Ⅷ', '.', ',', '(', ')', '->', '==', '_', '😀',
	'\u200d', '\ufeff', '\u0000', '<|endoftext|>', ' the', '        ', 'xxxxxxxxxxxxxxxxxxxx', '€', '𝒜'];

const texts = fixed.map((s) => Buffer.from(s)).concat(bad.map((s) => Buffer.from(s, 'hex')));
for (let i = 0; i < 400; i++) {
	const parts = [];
	for (let n = 1 + draw(24); n > 0; n--)
		parts.push(draw(20) ? Buffer.from(pool[draw(pool.length)]) :
			Buffer.from(bad[draw(bad.length)], 'hex'));
	texts.push(Buffer.concat(parts));
}
console.log('# Recorded from npm tiktoken (MIT) by tests/oracle/tokenizer_record.cjs.');
for (const name of ['o200k_base', 'cl100k_base', 'p50k_base', 'r50k_base']) {
	const enc = get_encoding(name);
	for (const text of texts) {
		const repaired = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
		const ids = Array.from(enc.encode_ordinary(repaired));
		console.log([name, text.toString('hex') || '-', ...ids].join(' '));
	}
}
