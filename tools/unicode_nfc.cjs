// SPDX-License-Identifier: MIT
//
// unicode_nfc.cjs - what normalising to NFC has to know, out of Unicode's files.
//
// usage: node tools/unicode_nfc.cjs FOLDER [AGE] >data/unicode_nfc.txt
//
// FOLDER has UnicodeData.txt, DerivedAge.txt and CompositionExclusions.txt
// (/usr/share/unicode of the Debian package unicode-data). Characters that came
// after version AGE (9.0) are left out: that is the version that the reference,
// Hugging Face tokenizers, normalises by, and to it they are not assigned.
// Decompositions and combining classes of characters never change once they
// are there, so that newer files can be used.
//
// Lines of the output:
//   class FIRST LAST CCC       canonical combining class, not 0
//   pair CODE FIRST SECOND     is made of two, and two make it
//   split CODE FIRST [SECOND]  is taken apart and never made
// Hangul syllables are not listed: they are computed.
'use strict';
const fs = require('fs');
const path = require('path');
const [folder, age = '9.0'] = process.argv.slice(2);
const lines = (name) => fs.readFileSync(path.join(folder, name), 'latin1').split('\n')
	.map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== '');
const version = (text) => text.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);
const hex = (code) => code.toString(16).toUpperCase().padStart(4, '0');

const known = new Set();
for (const line of lines('DerivedAge.txt')) {
	const [range, since] = line.split(';').map((part) => part.trim());
	const [first, last = first] = range.split('..').map((code) => parseInt(code, 16));
	if (version(since) <= version(age))
		for (let code = first; code <= last; code++)
			known.add(code);
}
const excluded = new Set(lines('CompositionExclusions.txt').map((code) => parseInt(code, 16)));
const classes = new Map(), parts = new Map();
for (const line of lines('UnicodeData.txt')) {
	const field = line.split(';');
	const code = parseInt(field[0], 16);
	if (!known.has(code))
		continue;
	if (field[3] !== '0')
		classes.set(code, Number(field[3]));
	if (field[5] !== '' && !field[5].startsWith('<'))
		parts.set(code, field[5].split(' ').map((part) => parseInt(part, 16)));
}

console.log(`# NFC of Unicode ${age}, made by tools/unicode_nfc.cjs.`);
const marked = [...classes.keys()].sort((a, b) => a - b);
for (let i = 0; i < marked.length;) {
	let last = i;
	while (marked[last + 1] === marked[last] + 1 && classes.get(marked[last + 1]) === classes.get(marked[i]))
		last++;
	console.log('class', hex(marked[i]), hex(marked[last]), classes.get(marked[i]));
	i = last + 1;
}
for (const code of [...parts.keys()].sort((a, b) => a - b)) {
	const of = parts.get(code);
	if (of.length > 2 || parts.has(of[1]))
		throw new Error(`${hex(code)} is made in a way that this does not know`);
	const again = of.length === 2 && !excluded.has(code) && !classes.has(code) && !classes.has(of[0]);
	console.log(again ? 'pair' : 'split', hex(code), ...of.map(hex));
}
