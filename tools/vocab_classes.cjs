// SPDX-License-Identifier: MIT
//
// vocab_classes.cjs - asks the reference which class each code point has.
//
// usage: node tools/vocab_classes.cjs FOLDER_WITH_NODE_MODULES >data/unicode_class.txt
//
// The pre-tokenising patterns know letters, marks, numbers and white space by
// the Unicode tables that the reference was built with. So that not one code
// point differs, the classes are taken from npm `tiktoken` itself: a
// vocabulary of single bytes and a pattern of one property, tried on each
// code point. The output has a line per range: first, last, class.
'use strict';
const fs = require('fs');
const path = require('path');
const folder = path.resolve(process.argv[2] || '.');
const { Tiktoken } = require(require.resolve('tiktoken', { paths: [folder] }));

const classes = [
	['upper', '[\\p{Lu}\\p{Lt}]'],
	['lower', '\\p{Ll}'],
	['letter', '[\\p{Lm}\\p{Lo}]'],
	['mark', '\\p{M}'],
	['number', '\\p{N}'],
	['newline', '[\\r\\n]'],
	['space', '[\\s--[\\r\\n]]'],
	['punct', '[\\p{P}\\p{S}]'],
];
const bytes = [];
for (let i = 0; i < 256; i++)
	bytes.push(Buffer.from([i]).toString('base64'));
const ranks = '! 0 ' + bytes.join(' ');

const of = new Array(0x110000).fill('other');
for (const [name, pattern] of classes) {
	const enc = new Tiktoken(ranks, {}, pattern);
	for (let c = 0; c < 0x110000; c++) {
		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (!enc.encode_ordinary(String.fromCodePoint(c)).length)
			continue;
		if (of[c] !== 'other')
			throw new Error(`U+${c.toString(16)} is ${of[c]} and ${name}`);
		of[c] = name;
	}
	enc.free();
}
console.log('# Classes of code points as npm tiktoken ' +
	JSON.parse(fs.readFileSync(path.join(folder,
		'node_modules/tiktoken/package.json'), 'utf8')).version +
	' sees them (tools/vocab_classes.cjs); the rest is other.');
const hex = (c) => c.toString(16).toUpperCase().padStart(4, '0');
for (let c = 0; c < 0x110000;) {
	let last = c;
	while (last + 1 < 0x110000 && of[last + 1] === of[c])
		last++;
	if (of[c] !== 'other')
		console.log(`${hex(c)} ${hex(last)} ${of[c]}`);
	c = last + 1;
}
