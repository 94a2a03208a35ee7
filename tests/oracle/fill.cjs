// SPDX-License-Identifier: MIT
//
// Random repositories, budgets and formats: each output counted by the
// reference tokenizer. Never over by one token; the report's count is that of
// the reference; where there was more to take, at least 99.5 % is used.
//
// Usage: fill.cjs MODULES BALE ROUNDS SEED
'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const [modules, bale, rounds, seed0] = process.argv.slice(2);
const { get_encoding: getEncoding } = require(
	path.join(path.resolve(modules), 'node_modules', 'tiktoken'));
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'bale-fill-'));
let seed = Number(seed0) >>> 0;

function random(below) {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return Math.floor(seed / 4294967296 * below);
}

const pieces = ['int ', 'x', ' = ', '0;', '\n', '\n', '\t', 'return', '{',
	'}', '// word ', '"text"', 'é', '中文', '😀', '```', '  ', 'camelCase',
	'SNAKE_CASE', '123456', '<a href="b">', '&amp;', '|', '\r\n', '-- ',
	'\n## File: x (lines 1-2)\n', '<|endoftext|>'];

function text(bytes) {
	let out = '';

	while (out.length < bytes)
		out += pieces[random(pieces.length)];
	return out;
}

// Functions of C, lines of prose, and anything at all.
function content() {
	const kind = random(10);
	let out = '';

	if (kind === 0)
		return text(random(20000));
	for (let n = random(kind < 3 ? 400 : 60); n >= 0; n--)
		out += kind < 8
			? `int f${random(1e6)}(int a)\n{\n\treturn a * ${
				random(1e5)};\n}\n\n`
			: `Some ${random(99)} words of line ${n}.\n`;
	return out;
}

function makeTree(root) {
	const files = 1 + random(60);

	fs.rmSync(root, { recursive: true, force: true });
	for (let i = 0; i < files; i++) {
		const name = path.join(root, `d${random(5)}`,
			`f${i}${['.c', '.py', '.md', '.txt', ''][random(5)]}`);

		fs.mkdirSync(path.dirname(name), { recursive: true });
		fs.writeFileSync(name, random(20) === 0 && i > 0
			? 'same\n' : content());
		fs.utimesSync(name, 1e9 + random(1e6), 1e9 + random(1e6));
	}
}

// The output of a tool: lines of its own, few of them long.
function log() {
	let out = '';

	for (let n = random(3000); n >= 0; n--)
		out += `${n} ${random(40) === 0 ? text(random(300))
			.replace(/[\r\n]/g, ' ') : 'step'} ${random(1e6)}\n`;
	return out;
}

const encodings = ['o200k_base', 'cl100k_base'].map(name =>
	[name, getEncoding(name)]);
const least = Number(process.env.FILL_LEAST || 4000);
const most = Number(process.env.FILL_MOST || 0);
const alone = process.env.FILL_ALONE === '1';
const formats = process.env.FILL_FORMATS
	? process.env.FILL_FORMATS.split(' ') : [''];
let over = 0, wrong = 0, counted = 0, full = 0, poor = 0, worst = 1;
let small = 0, smallPoor = 0; // of 500 tokens to FILL_LEAST

for (let i = 0; i < Number(rounds); i++) {
	if (i % 4 === 0)
		makeTree(path.join(dir, 'tree'));
	const [name, encoding] = encodings[random(2)];
	const budget = 200 + random(
		most > 0 ? most : random(3) === 0 ? 60000 : 12000);
	const format = formats[random(formats.length)];
	const args = ['pack', ...(alone ? [] : ['tree']), '-q', '--no-config', '--budget', budget,
		'--reserve-response', 0, '--reserve-system', 0,
		'--encoding', name, '--workers', 1 + random(2),
		'--report', 'report.json', '-o', 'out'];

	if (format)
		args.push('--format', format);
	if (alone) {
		fs.writeFileSync(path.join(dir, 'log'), log());
		args.push('--tool', 'log');
	}
	if (!alone && random(3) === 0)
		args.push('--open', 'tree/d0');
	if (!alone && random(4) === 0) {
		fs.writeFileSync(path.join(dir, 'log'), text(random(9000)) +
			'\ntree/d1/f1.c:3: x\n');
		args.push('--tool', 'log');
	}
	try {
		execFileSync(bale, args.map(String),
			{ cwd: dir, stdio: ['ignore', 'ignore', 'ignore'] });
	} catch (error) {
		// nothing fits, or a source that is not there
		if (error.status !== 3 && error.status !== 8)
			throw error;
		if (error.status === 8)
			continue;
	}
	const output = fs.readFileSync(path.join(dir, 'out'), 'utf8');
	const tokens = encoding.encode(output, [], []).length;
	const report = JSON.parse(
		fs.readFileSync(path.join(dir, 'report.json'), 'utf8'));

	counted++;
	if (tokens > budget) {
		over++;
		console.log(`over: ${tokens} of ${budget}`, args.join(' '));
	}
	if (tokens !== report.budget.used) {
		wrong++;
		console.log(`count: ${report.budget.used}, want ${tokens}`,
			args.join(' '));
	}
	// enough material: left out was more than twice what there was room for
	const left = report.excluded.filter(x => x.reason === 'budget')
		.reduce((sum, x) => sum + x.tokens, 0);
	if (left > 2 * budget && budget > 500 && budget <= least) {
		small++;
		smallPoor += tokens < 0.995 * budget;
	}
	if (left > 2 * budget && budget > least) {
		full++;
		worst = Math.min(worst, tokens / budget);
		if (tokens < 0.995 * budget) {
			poor++;
			if (process.env.FILL_SHOW)
				console.log(`unused: ${budget - tokens} of ${
					budget}`, args.join(' '));
		}
	}
}
fs.rmSync(dir, { recursive: true });
console.log(`${counted} outputs counted: ${over} over, ${wrong} counted ` +
	`otherwise; of ${full} with enough to fill them ${poor} below 99.5 % ` +
	`(least ${(100 * worst).toFixed(2)} %)`);
if (small > 0)
	console.log(`of ${small} of fewer tokens ${smallPoor} below`);
// one in 200 may end before a line that is more than 0.5 %, of fewer tokens one
// in 25
process.exit(over + wrong > 0 || poor * 200 > full || smallPoor * 25 > small
	? 1 : 0);
