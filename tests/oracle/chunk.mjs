// SPDX-License-Identifier: MIT
//
// chunk.mjs - compares definitions with those that tree-sitter finds.
//
// usage: node chunk.mjs FOLDER_WITH_NODE_MODULES DUMPER LANGUAGE SUFFIXES FOLDER... [--max-bytes N] [--show N] [--require]
//
// DUMPER is bench_chunk_scan; it is asked for the definitions of each file
// (--defs --language LANGUAGE). Files that tree-sitter itself cannot parse
// without an error are counted apart: what it makes of the rest of such a
// file is a guess of its own. Prints one row of a Markdown table; with --require
// fails where agreement is less than bale promises.
import { createRequire } from 'module';
import { execFileSync } from 'child_process';
import fs from 'fs';
import path from 'path';

const [modules, dumper, language, suffixes, ...rest] = process.argv.slice(2);
const require = createRequire(path.resolve(modules) + '/');
const { Parser, Language } = require('web-tree-sitter');

// What is compared: node types, and the field or way in which they are named.
// `skip`: children that stand before the definition proper.
const attributes = new Set(['annotation', 'marker_annotation', 'attribute_list', 'decorator',
	'attribute_item', 'modifiers_annotation', 'attribute']);
const functionValues = new Set(['arrow_function', 'function_expression', 'generator_function', 'function']);

const named = (n) => n.childForFieldName('name') !== null;
const withBody = (n) => n.childForFieldName('body') !== null;
const js = {
	function_declaration: named, generator_function_declaration: named,
	method_definition: withBody, class_declaration: named, abstract_class_declaration: named,
	interface_declaration: named, enum_declaration: named, internal_module: named, module: named,
	function_signature: named,
	variable_declarator: (n) => functionValues.has(n.childForFieldName('value')?.type),
	assignment_expression: (n) => functionValues.has(n.childForFieldName('right')?.type) &&
		n.parent.type === 'expression_statement',
	pair: (n) => functionValues.has(n.childForFieldName('value')?.type),
	public_field_definition: (n) => functionValues.has(n.childForFieldName('value')?.type),
	field_definition: (n) => functionValues.has(n.childForFieldName('value')?.type),
};
const c = {
	function_definition: () => true,
	struct_specifier: (n) => named(n) && withBody(n),
	union_specifier: (n) => named(n) && withBody(n),
	enum_specifier: (n) => named(n) && withBody(n),
};
const tables = {
	c: { wasm: 'tree-sitter-c/tree-sitter-c.wasm', nodes: c },
	cpp: { wasm: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
		nodes: { ...c, class_specifier: (n) => named(n) && withBody(n),
			function_definition: withBody, namespace_definition: named } },
	python: { wasm: 'tree-sitter-python/tree-sitter-python.wasm',
		nodes: { function_definition: named, class_definition: named } },
	go: { wasm: 'tree-sitter-go/tree-sitter-go.wasm',
		nodes: { function_declaration: named, method_declaration: named, type_spec: named,
			type_alias: named } },
	rust: { wasm: 'tree-sitter-rust/tree-sitter-rust.wasm',
		nodes: { function_item: named, function_signature_item: named, struct_item: named,
			enum_item: named, union_item: named, trait_item: named, impl_item: () => true,
			mod_item: named, macro_definition: named, type_item: named } },
	javascript: { wasm: 'tree-sitter-javascript/tree-sitter-javascript.wasm', nodes: js },
	typescript: { wasm: 'tree-sitter-typescript/tree-sitter-typescript.wasm', nodes: js },
	tsx: { wasm: 'tree-sitter-typescript/tree-sitter-tsx.wasm', nodes: js },
	java: { wasm: 'tree-sitter-java/tree-sitter-java.wasm',
		nodes: { class_declaration: named, interface_declaration: named, enum_declaration: named,
			record_declaration: named, annotation_type_declaration: named,
			method_declaration: named, constructor_declaration: named,
			annotation_type_element_declaration: named,
			compact_constructor_declaration: named } },
	ruby: { wasm: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
		nodes: { method: named, singleton_method: named, class: named, module: named } },
	php: { wasm: 'tree-sitter-php/tree-sitter-php.wasm',
		nodes: { function_definition: named, method_declaration: named, class_declaration: named,
			interface_declaration: named, trait_declaration: named, enum_declaration: named } },
	csharp: { wasm: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
		nodes: { class_declaration: named, struct_declaration: named, interface_declaration: named,
			enum_declaration: named, record_declaration: named, method_declaration: named,
			constructor_declaration: named, namespace_declaration: named,
			delegate_declaration: named, operator_declaration: () => true,
			conversion_operator_declaration: () => true, destructor_declaration: () => true } },
	bash: { wasm: 'tree-sitter-bash/tree-sitter-bash.wasm', nodes: { function_definition: named } },
	scala: { wasm: 'tree-sitter-scala/tree-sitter-scala.wasm',
		nodes: { class_definition: named, object_definition: named, trait_definition: named,
			function_definition: named, function_declaration: named, enum_definition: named } },
	elixir: { wasm: 'tree-sitter-elixir/tree-sitter-elixir.wasm',
		nodes: { call: (n) => n.parent.type !== 'arguments' && /^(defmodule|def|defp|defmacro|defmacrop|defprotocol|defimpl|defguard|defguardp|defdelegate)$/.test(
			n.childForFieldName('target')?.text ?? '') && n.namedChildCount > 1 } },
	kotlin: { wasm: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
		nodes: { class_declaration: named, object_declaration: named, function_declaration: named,
			companion_object: () => true, secondary_constructor: () => true } },
	lua: { wasm: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
		nodes: { function_declaration: named,
			function_definition: (n) => n.parent.type === 'field' && named(n.parent) ||
				n.parent.type === 'expression_list' && n.parent.parent.type === 'assignment_statement' } },
	swift: { wasm: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
		nodes: { class_declaration: () => true, protocol_declaration: () => true,
			function_declaration: () => true, init_declaration: () => true,
			deinit_declaration: () => true, subscript_declaration: () => true,
			protocol_function_declaration: () => true } },
	zig: { wasm: '@tree-sitter-grammars/tree-sitter-zig/tree-sitter-zig.wasm',
		nodes: { function_declaration: named, test_declaration: () => true } },
	objectivec: { wasm: 'tree-sitter-objc/tree-sitter-objc.wasm',
		nodes: { ...c, class_interface: () => true, class_implementation: () => true,
			method_definition: () => true, protocol_declaration: () => true } },
	r: { wasm: '@eagleoutice/tree-sitter-r/tree-sitter-r.wasm',
		nodes: { binary_operator: (n) => n.childForFieldName('rhs')?.type === 'function_definition' &&
			/^(<-|<<-|=)$/.test(n.childForFieldName('operator')?.text ?? '') } },
	powershell: { wasm: 'tree-sitter-powershell/tree-sitter-powershell.wasm',
		nodes: { function_statement: () => true, class_statement: () => true,
			enum_statement: () => true, class_method_definition: () => true } },
	ocaml: { wasm: 'tree-sitter-ocaml/tree-sitter-ocaml.wasm',
		nodes: { value_definition: (n) => /compilation_unit|structure|signature/.test(n.parent.type),
			type_definition: (n) => /compilation_unit|structure|signature/.test(n.parent.type),
			module_definition: (n) => /compilation_unit|structure|signature/.test(n.parent.type),
			value_specification: () => true, module_type_definition: () => true,
			exception_definition: () => true, external: () => true } },
	haskell: { wasm: 'tree-sitter-haskell/tree-sitter-haskell.wasm',
		nodes: { data_type: () => true, newtype: () => true, class: () => true,
			instance: () => true, type_synomym: () => true, type_family: () => true } },
	dart: { wasm: '@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm',
		nodes: { class_definition: named, enum_declaration: named, mixin_declaration: () => true,
			extension_declaration: () => true } },
	julia: { wasm: 'tree-sitter-julia/tree-sitter-julia.wasm',
		nodes: { function_definition: (n) => n.parent.type !== 'return_statement', macro_definition: () => true,
			struct_definition: () => true, module_definition: () => true,
			// f(x) = value, f(x)::T where {T} = value
			assignment: (n) => {
				let left = n.namedChildren[0];
				while (/^(where|typed)_expression$/.test(left.type)) left = left.namedChildren[0];
				return left.type === 'call_expression';
			} } },
};

// Kinds of ours that the table of the language has no node for.
const ignored = {
	c: ['macro', 'type'], cpp: ['macro', 'type'], csharp: ['property'], php: ['module'],
	haskell: ['function'], kotlin: ['type'], swift: ['type'], zig: ['struct', 'enum'], objectivec: ['macro', 'type'],
	javascript: [], typescript: ['type'], tsx: ['type'], scala: ['type'], elixir: ['test', 'section'],
};

let maxBytes = 3e6, show = 0, strict = false;
const folders = [];
for (let i = 0; i < rest.length; i++) {
	if (rest[i] === '--max-bytes') maxBytes = Number(rest[++i]);
	else if (rest[i] === '--show') show = Number(rest[++i]);
	else if (rest[i] === '--require') strict = true;
	else folders.push(rest[i]);
}

const files = [];
const walk = (p) => {
	const st = fs.lstatSync(p);
	if (st.isFile()) {
		if (suffixes.split(',').some((s) => p.endsWith('.' + s)) && st.size < 300000 && !/[.-]min\./.test(p)) files.push([p, st.size]);
	} else if (st.isDirectory() && !/node_modules|\.git$/.test(p)) {
		for (const name of fs.readdirSync(p).sort()) walk(path.join(p, name));
	}
};
folders.forEach(walk);

// A sample spread evenly over the tree, the same each time.
const total = files.reduce((a, f) => a + f[1], 0);
const step = Math.max(1, total / maxBytes);
let acc = 0;
const sample = files.filter(() => (acc += 1) >= step ? (acc -= step, true) : false).map((f) => f[0]);

if (!sample.length) process.exit(0);
const output = execFileSync(dumper, ['--defs', '--language', language],
	{ input: sample.join('\n') + '\n', maxBuffer: 1 << 30 }).toString();
const ours = new Map(sample.map((f) => [f, []]));
for (const line of output.split('\n')) {
	if (!line) continue;
	const def = JSON.parse(line);
	if (!(ignored[language] ?? []).includes(def.kind)) ours.get(def.file).push(def);
}

await Parser.init();
const table = tables[language];
const parser = new Parser();
parser.setLanguage(await Language.load(path.join(path.resolve(modules), 'node_modules', table.wasm)));

// The first row that is neither comment nor attribute.
const firstRow = (node) => {
	if (attributes.has(node.type) || /comment/.test(node.type)) return Infinity;
	if (node.childCount === 0 || !['modifiers'].includes(node.type) && node.id !== top) return node.startPosition.row;
	let row = Infinity;
	for (const child of node.children) row = Math.min(row, firstRow(child));
	return row;
};
let top = 0;
const startRow = (node) => {
	if (node.type === 'variable_declarator') {
		const list = node.parent;
		if (list.namedChildren[0].id === node.id) {
			return list.parent.type === 'export_statement' ? list.parent.startPosition.row : list.startPosition.row;
		}
		return node.startPosition.row;
	}
	if (node.parent?.type === 'template_declaration') node = node.parent;
	else if (node.parent?.type === 'export_statement') {
		const e = node.parent;
		top = e.id;
		return firstRow(e);
	}
	top = node.id;
	const row = firstRow(node);
	return row === Infinity ? node.startPosition.row : row;
};
// Its last row with text: blank lines and comments behind it are not of it.
const endRow = (node, text) => {
	const own = text.slice(node.startIndex, node.endIndex);
	let left = own.trimEnd();
	if (/^\s*$/.test(text.slice(text.lastIndexOf('\n', node.endIndex - 1) + 1, node.endIndex))) {
		for (let was = ''; was !== left;) {
			was = left;
			left = left.replace(/\n[ \t]*(\/\/[^\n]*|\/\*([^*]|\*(?!\/))*\*\/)$/, '').trimEnd();
		}
	}
	const row = node.endPosition.row - own.slice(left.length).split('\n').length + 1;
	// OCaml: what ends it stands behind it
	return language === 'ocaml' && text.split('\n', row + 2)[row + 1]?.trim() === ';;' ? row + 1 : row;
};

const sum = { files: 0, bad: 0, theirs: 0, start: 0, end: 0, extra: 0, ours: 0, bytes: 0, ms: 0 };
const all = { theirs: 0, start: 0, end: 0, extra: 0, ours: 0 };
let shown = 0;
for (const file of sample) {
	const text = fs.readFileSync(file, 'utf8');
	const began = performance.now();
	const tree = parser.parse(text);
	sum.ms += performance.now() - began;
	sum.bytes += text.length;
	const theirs = [];
	const visit = (node) => {
		const want = Object.hasOwn(table.nodes, node.type) && table.nodes[node.type];
		if (want && want(node) && !node.isMissing) theirs.push({ line: startRow(node) + 1, end: endRow(node, text) + 1, type: node.type });
		for (const child of node.namedChildren) visit(child);
	};
	visit(tree.rootNode);
	const bad = tree.rootNode.hasError;
	sum.files++;
	sum.bad += bad;
	const left = ours.get(file).slice();
	const missing = [], wrongEnd = [];
	for (const t of theirs) {
		let i = left.findIndex((d) => d.line === t.line && d.end === t.end);
		if (i < 0) i = left.findIndex((d) => d.line === t.line);
		const into = bad ? [all] : [all, sum];
		for (const s of into) {
			s.theirs++;
			if (i >= 0) s.start++;
			if (i >= 0 && left[i].end === t.end) s.end++;
		}
		if (i < 0) missing.push(t);
		else {
			if (left[i].end !== t.end) wrongEnd.push([t, left[i].end]);
			left.splice(i, 1);
		}
	}
	for (const s of bad ? [all] : [all, sum]) { s.extra += left.length; s.ours += ours.get(file).length; }
	if (!bad && shown < show && (missing.length || left.length || wrongEnd.length)) {
		shown++;
		console.error(file);
		for (const m of missing.slice(0, 4)) console.error(`  missing ${m.type} ${m.line}-${m.end}: ${text.split('\n')[m.line - 1].trim().slice(0, 100)}`);
		for (const [t, e] of wrongEnd.slice(0, 4)) console.error(`  end ${t.type} ${t.line}-${t.end}, ours ${e}: ${text.split('\n')[t.line - 1].trim().slice(0, 100)}`);
		for (const d of left.slice(0, 4)) console.error(`  extra ${d.kind} ${d.name} ${d.line}-${d.end}: ${text.split('\n')[d.line - 1].trim().slice(0, 100)}`);
	}
	tree.delete();
}
const pc = (a, b) => (b ? (100 * a / b).toFixed(2) : '-');
console.log(`| ${language} | ${sum.files} | ${sum.files - sum.bad} | ${sum.theirs} | ${pc(sum.start, sum.theirs)} | ` +
	`${pc(sum.end, sum.theirs)} | ${pc(sum.extra, sum.ours)} | ${pc(all.start, all.theirs)} | ${pc(all.end, all.theirs)} | ${pc(all.extra, all.ours)} |`);

// A few definitions say nothing in percent.
const few = 3;
if (strict && (sum.theirs - sum.start > Math.max(few, sum.theirs / 100) ||
	sum.theirs - sum.end > Math.max(few, sum.theirs / 50) ||
	sum.extra > Math.max(few, sum.ours / 100))) process.exit(1);
