// SPDX-License-Identifier: MIT
//
// outline.mjs - compares signatures with what tree-sitter says a file offers.
//
// usage: node outline.mjs FOLDER_WITH_NODE_MODULES DUMPER BALE LANGUAGE SUFFIXES FOLDER... [--show N] [--require]
//
// DUMPER is bench_chunk_scan, asked for the signatures of each file (--outlines
// --language LANGUAGE); BALE counts tokens. Files that tree-sitter cannot parse
// without an error are left out. A name is found if a line of the signatures
// has it behind what stands before it on its line of the text. Prints one row
// of a Markdown table; with --require fails where fewer names are found, or
// signatures are longer, than bale promises.
import { createRequire } from 'module';
import { execFileSync } from 'child_process';
import fs from 'fs';
import os from 'os';
import path from 'path';
import { offered } from './outline_defs.mjs';

const [modules, dumper, bale, language, suffixes, ...rest] = process.argv.slice(2);
const require = createRequire(path.resolve(modules) + '/');
const { Parser, Language } = require('web-tree-sitter');
const wasm = {
	csharp: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
	tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
	kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
	swift: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
}[language] ?? `tree-sitter-${language}/tree-sitter-${language}.wasm`;

let show = 0, strict = false;
const folders = [];
for (let i = 0; i < rest.length; i++) {
	if (rest[i] === '--show') show = Number(rest[++i]);
	else if (rest[i] === '--require') strict = true;
	else folders.push(rest[i]);
}

const files = [];
const walk = (p) => {
	const st = fs.lstatSync(p);
	if (st.isFile()) {
		if (suffixes.split(',').some((s) => p.endsWith('.' + s)) && st.size < 300000 && !/[.-]min\./.test(p)) files.push(p);
	} else if (st.isDirectory() && !/node_modules|\.git$|(^|\/)(tests?|examples?|specs?|docs?)$/.test(p)) {
		for (const name of fs.readdirSync(p).sort()) walk(path.join(p, name));
	}
};
folders.forEach(walk);
const offers = new Set(['javascript', 'typescript', 'tsx', 'python', 'go', 'rust', 'c', 'cpp', 'java', 'csharp', 'ruby',
	'php', 'kotlin', 'swift', 'scala']);
if (!files.length || !offers.has(language)) process.exit(0);

const output = execFileSync(dumper, ['--outlines', '--language', language],
	{ input: files.join('\n') + '\n', maxBuffer: 1 << 30 }).toString();
// one line a file, in their order
const outlines = new Map(output.split('\n').filter(Boolean).map((line, i) => [files[i], JSON.parse(line).outline]));

await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(path.join(path.resolve(modules), 'node_modules', wasm)));

const flat = (s) => s.replace(/\s+/g, ' ').trim();
const sum = { files: 0, names: 0, named: 0, found: 0 };
const texts = [], signatures = [];
for (const file of files) {
	const text = fs.readFileSync(file, 'utf8');
	const tree = parser.parse(text);
	if (tree.rootNode.hasError) {
		tree.delete();
		continue;
	}
	const outline = outlines.get(file);
	texts.push(text);
	signatures.push(outline);
	sum.files++;
	const one = flat(outline);
	const words = new Set(outline.split(/[^\w$\u0080-\uffff]+/));
	const lines = text.split('\n');
	for (const { node, listed } of offered(language, tree.rootNode, /\.(h|hh|hpp|hxx|inl)$/.test(file))) {
		const name = node.text.replace(/^[:$]/, '');
		const row = node.startPosition.row;
		const before = flat(lines[row].slice(0, node.endPosition.column));
		const named = words.has(name) || one.includes(node.text);
		// several on one line: the name behind the last comma
		const found = named && (listed || one.includes(before) || one.includes(flat(before.replace(/^.*[,;{}]/, ''))));
		sum.names++;
		sum.named += named;
		sum.found += found;
		if (!found && show-- > 0) console.error(`${file}:${row + 1}: ${named ? 'line' : 'name'} ${lines[row].trim().slice(0, 110)}`);
	}
	tree.delete();
}

const tokens = (parts) => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'outline-'));
	const name = path.join(folder, 'text');
	fs.writeFileSync(name, parts.join(''));
	const nr = Number(execFileSync(bale, ['count', name]).toString().trim().split(/\s+/)[0].replace(/,/g, ''));
	fs.rmSync(folder, { recursive: true });
	return nr;
};
const [whole, less] = [tokens(texts), tokens(signatures)];
const pc = (a, b) => (b ? (100 * a / b).toFixed(2) : '-');
console.log(`| ${language} | ${sum.files} | ${sum.names} | ${pc(sum.named, sum.names)} | ${pc(sum.found, sum.names)} | ${whole} | ${pc(less, whole)} |`);
if (strict && (sum.names - sum.found > Math.max(3, sum.names / 200) || less > whole / 3)) process.exit(1);
