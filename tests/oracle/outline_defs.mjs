// SPDX-License-Identifier: MIT
//
// outline_defs.mjs - what a file offers to others, as tree-sitter finds it:
// definitions, members that are not private, constants, constants of enums.
//
// offered(language, root, isHeader) returns a list of nodes, each the name of
// one thing that is offered; a node of a list of exported names has `listed`.

const kids = (n) => n.namedChildren.filter(Boolean);
const field = (n, name) => n?.childForFieldName(name) ?? null;
const has = (n, type) => n.children.some((c) => c.type === type);
const child = (n, ...types) => n.namedChildren.find((c) => types.includes(c.type)) ?? null;
const first = (n, types) => {
	if (!n) return null;
	if (types.includes(n.type)) return n;
	for (const c of kids(n)) {
		const found = first(c, types);
		if (found) return found;
	}
	return null;
};

// ---- JavaScript, TypeScript ------------------------------------------------

const functionValues = new Set(['arrow_function', 'function_expression', 'generator_function', 'class']);

function scriptMembers(body, add) {
	for (const m of kids(body)) {
		if (m.children.some((c) => c.type === 'accessibility_modifier' && c.text === 'private')) continue;
		if (['method_definition', 'public_field_definition', 'field_definition', 'abstract_method_signature',
			'method_signature', 'property_signature'].includes(m.type)) {
			const name = field(m, 'name') ?? field(m, 'property');
			if (name && ['property_identifier', 'string'].includes(name.type)) add(name);
		} else if (m.type === 'enum_assignment') add(field(m, 'name'));
		else if (m.type === 'property_identifier') add(m);
	}
}

function scriptDeclaration(d, add) {
	switch (d?.type) {
	case 'function_declaration': case 'generator_function_declaration': case 'function_signature':
		add(field(d, 'name'));
		break;
	case 'class_declaration': case 'abstract_class_declaration': case 'class':
		if (field(d, 'name')) add(field(d, 'name'));
		scriptMembers(field(d, 'body'), add);
		break;
	case 'interface_declaration': case 'enum_declaration':
		add(field(d, 'name'));
		scriptMembers(field(d, 'body'), add);
		break;
	case 'type_alias_declaration':
		add(field(d, 'name'));
		if (field(d, 'value')?.type === 'object_type') scriptMembers(field(d, 'value'), add);
		break;
	case 'lexical_declaration': case 'variable_declaration':
		for (const v of kids(d)) if (field(v, 'name')?.type === 'identifier') {
			add(field(v, 'name'));
			if (field(v, 'value')?.type === 'class') scriptMembers(field(field(v, 'value'), 'body'), add);
		}
		break;
	case 'internal_module': case 'module':
		add(field(d, 'name'));
		if (field(d, 'body')) scriptTop(field(d, 'body'), add);
		break;
	case 'ambient_declaration':
		for (const c of kids(d)) scriptDeclaration(c, add);
		break;
	}
}

function scriptAssignment(e, add) {
	const lefts = [];
	let right = e;
	while (right?.type === 'assignment_expression') {
		lefts.push(field(right, 'left'));
		right = field(right, 'right');
	}
	if (right?.type === 'unary_expression') return; // exports.a = void 0
	const isFunction = functionValues.has(right?.type);
	for (const l of lefts) {
		if (l.type !== 'member_expression') continue;
		const root = l.text.replace(/^module\./, '');
		if (isFunction || /^exports\.[\w$]+$/.test(root)) {
			const name = field(l, 'property');
			if (l.text !== 'module.exports' && name.type === 'property_identifier') add(name, !isFunction);
		}
		if (l.text === 'module.exports' && right?.type === 'object') {
			for (const p of kids(right)) {
				if (p.type === 'shorthand_property_identifier') add(p, true);
				else if (['pair', 'method_definition'].includes(p.type)) {
					const key = field(p, 'key') ?? field(p, 'name');
					if (key?.type === 'property_identifier') add(key, true);
				}
			}
		}
		if (l.text === 'module.exports' && right?.type === 'class') scriptMembers(field(right, 'body'), add);
	}
}

function scriptTop(root, add) {
	for (const n of kids(root)) {
		if (n.type === 'export_statement') {
			const d = field(n, 'declaration') ?? field(n, 'value');
			if (d) scriptDeclaration(d, add);
			const clause = child(n, 'export_clause');
			for (const s of clause ? kids(clause) : []) add(field(s, 'alias') ?? field(s, 'name'), true);
		} else if (n.type === 'expression_statement' && n.namedChildren[0]?.type === 'assignment_expression') {
			scriptAssignment(n.namedChildren[0], add);
		} else if (n.type === 'ambient_declaration') scriptDeclaration(n, add);
	}
}

// ---- Python ----------------------------------------------------------------

const pythonOpen = (name) => !name.startsWith('_') || /^__.+__$/.test(name);

function pythonBody(body, add, top, inner = false) {
	for (let n of kids(body)) {
		if (n.type === 'decorated_definition') n = field(n, 'definition');
		if (n.type === 'function_definition' || n.type === 'class_definition') {
			if (!pythonOpen(field(n, 'name').text)) continue;
			add(field(n, 'name'));
			if (n.type === 'class_definition') pythonBody(field(n, 'body'), add, false);
		} else if (n.type === 'expression_statement' && n.namedChildren[0]?.type === 'assignment') {
			const left = field(n.namedChildren[0], 'left');
			// within `if` or `try` constants alone
			if (left?.type === 'identifier' && !left.text.startsWith('_') && (!inner || left.text === left.text.toUpperCase())) add(left);
		} else if (top && ['if_statement', 'try_statement'].includes(n.type)) {
			for (const part of [n, ...kids(n)]) {
				for (const c of kids(part)) if (c.type === 'block') pythonBody(c, add, true, true);
			}
		}
	}
}

// ---- Go --------------------------------------------------------------------

const capital = (n) => /^[A-Z]/.test(n.text);

function goType(t, add) {
	if (!t) return;
	if (t.type === 'struct_type') {
		for (const f of kids(t.namedChildren[0])) {
			if (f.type !== 'field_declaration') continue;
			const names = f.childrenForFieldName('name');
			for (const name of names) if (capital(name)) add(name);
			if (!names.length) {
				const name = first(field(f, 'type'), ['type_identifier']);
				if (name && capital(name)) add(name);
			}
		}
	} else if (t.type === 'interface_type') {
		for (const m of kids(t)) if (m.type === 'method_elem' && capital(field(m, 'name'))) add(field(m, 'name'));
	}
}

function goTop(root, add) {
	for (const n of kids(root)) {
		switch (n.type) {
		case 'function_declaration': case 'method_declaration':
			if (capital(field(n, 'name'))) add(field(n, 'name'));
			break;
		case 'type_declaration':
			for (const s of kids(n)) if (field(s, 'name') && capital(field(s, 'name'))) {
				add(field(s, 'name'));
				goType(field(s, 'type'), add);
			}
			break;
		case 'const_declaration': case 'var_declaration':
			for (const s of kids(n)) for (const v of s.type === 'var_spec_list' ? kids(s) : [s]) {
				for (const name of v.childrenForFieldName('name')) if (name.type === 'identifier' && capital(name)) add(name);
			}
			break;
		}
	}
}

// ---- Rust ------------------------------------------------------------------

const rustPub = (n) => kids(n).some((c) => c.type === 'visibility_modifier' && c.text === 'pub');

function rustItems(items, add, all) {
	for (const n of kids(items)) {
		const open = all || rustPub(n);
		switch (n.type) {
		case 'function_item': case 'function_signature_item': case 'const_item': case 'static_item':
		case 'type_item': case 'associated_type':
			if (open) add(field(n, 'name'));
			break;
		case 'struct_item': case 'union_item':
			if (!open) break;
			add(field(n, 'name'));
			for (const f of kids(field(n, 'body') ?? n)) if (f.type === 'field_declaration' && rustPub(f)) add(field(f, 'name'));
			break;
		case 'enum_item':
			if (!open) break;
			add(field(n, 'name'));
			for (const v of kids(field(n, 'body'))) if (v.type === 'enum_variant') add(field(v, 'name'));
			break;
		case 'trait_item':
			if (!open) break;
			add(field(n, 'name'));
			rustItems(field(n, 'body'), add, true);
			break;
		case 'mod_item':
			if (!open) break;
			add(field(n, 'name'));
			if (field(n, 'body')) rustItems(field(n, 'body'), add, false);
			break;
		case 'impl_item':
			if (field(n, 'body')) rustItems(field(n, 'body'), add, field(n, 'trait') !== null);
			break;
		}
	}
}

// ---- C, C++ ----------------------------------------------------------------

const cNames = ['identifier', 'field_identifier', 'type_identifier', 'operator_name', 'destructor_name', 'operator_cast'];

// The name that a declarator declares, and whether it is a function's.
function cDeclarator(d) {
	while (d && !cNames.includes(d.type)) {
		if (d.type === 'qualified_identifier') d = field(d, 'name');
		else d = field(d, 'declarator') ?? d.namedChildren.find((c) => /declarator|identifier/.test(c.type)) ?? null;
	}
	return d?.type === 'operator_cast' ? null : d;
}

function cType(t, add) {
	if (!t || !/^(struct|union|class|enum)_specifier$/.test(t.type)) return;
	const body = field(t, 'body');
	if (!body) return;
	if (field(t, 'name')) add(first(field(t, 'name'), ['type_identifier']) ?? field(t, 'name'));
	if (t.type === 'enum_specifier') {
		for (const e of kids(body)) if (e.type === 'enumerator') add(field(e, 'name'));
	} else cMembers(body, add, t.type !== 'class_specifier');
}

function cMembers(body, add, open) {
	for (let n of kids(body)) {
		if (n.type === 'access_specifier') {
			open = !/private/.test(n.text);
			continue;
		}
		if (/^preproc_(if|ifdef|else|elif)$/.test(n.type)) {
			cMembers(n, add, open);
			continue;
		}
		if (!open) continue;
		if (n.type === 'template_declaration') n = n.namedChildren.at(-1);
		if (['field_declaration', 'function_definition', 'declaration'].includes(n.type)) {
			cType(field(n, 'type'), add);
			for (const d of n.childrenForFieldName('declarator')) {
				const name = cDeclarator(d);
				if (name) add(name);
			}
		} else if (['alias_declaration'].includes(n.type)) add(field(n, 'name'));
		else if (n.type === 'type_definition') add(cDeclarator(field(n, 'declarator')));
		else cType(n, add);
	}
}

function cTop(root, add, header, guard = null) {
	for (let n of kids(root)) {
		if (n.type === 'template_declaration') n = n.namedChildren.at(-1);
		const isStatic = n.children.some((c) => c.type === 'storage_class_specifier' && c.text === 'static');
		switch (n.type) {
		case 'preproc_ifdef': case 'preproc_if': case 'preproc_else': case 'preproc_elif':
			cTop(n, add, header);
			break;
		case 'linkage_specification': case 'declaration_list':
			cTop(field(n, 'body') ?? n, add, header);
			break;
		case 'namespace_definition':
			if (field(n, 'name') && !/^(detail|impl|internal)/.test(field(n, 'name').text)) cTop(field(n, 'body'), add, header);
			break;
		case 'preproc_def':
			if (header && field(n, 'value')) add(field(n, 'name'));
			break;
		case 'preproc_function_def':
			if (header) add(field(n, 'name'));
			break;
		case 'function_definition': case 'declaration':
			cType(field(n, 'type'), add);
			if (isStatic && !header) break;
			for (const d of n.childrenForFieldName('declarator')) {
				if (n.type === 'declaration' && !header && first(d, ['function_declarator'])) continue;
				if (!header && has(n, 'storage_class_specifier') && /\bextern\b/.test(n.text.slice(0, 30))) continue;
				const name = cDeclarator(d);
				if (name) add(name);
			}
			break;
		case 'type_definition':
			cType(field(n, 'type'), add);
			for (const d of n.childrenForFieldName('declarator')) if (cDeclarator(d)) add(cDeclarator(d));
			break;
		case 'alias_declaration':
			add(field(n, 'name'));
			break;
		default:
			cType(n, add);
		}
	}
}

// ---- Java, C#, PHP, Kotlin, Scala, Swift: members with words before them --

const words = (n) => {
	const m = n.children.filter((c) => /modifier/.test(c.type));
	return new Set(m.map((c) => c.text).join(' ').replace(/\w+\(set\)/g, '').split(/[^\w]+/));
};

const shapes = {
	java: {
		bodies: ['class_body', 'interface_body', 'enum_body', 'enum_body_declarations', 'annotation_type_body', 'program'],
		types: ['class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration', 'annotation_type_declaration'],
		members: ['method_declaration', 'constructor_declaration', 'annotation_type_element_declaration', 'enum_constant'],
		fields: { field_declaration: 'variable_declarator', constant_declaration: 'variable_declarator' },
		all: ['interface_declaration', 'annotation_type_declaration'],
		open: (w) => w.has('public') || w.has('protected'),
		always: ['enum_constant'],
	},
	csharp: {
		bodies: ['declaration_list', 'enum_member_declaration_list', 'compilation_unit'],
		through: ['namespace_declaration', 'file_scoped_namespace_declaration', 'preproc_if', 'preproc_else', 'preproc_elif'],
		types: ['class_declaration', 'struct_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration', 'delegate_declaration'],
		members: ['method_declaration', 'constructor_declaration', 'property_declaration', 'event_declaration', 'enum_member_declaration'],
		fields: { field_declaration: 'variable_declarator', event_field_declaration: 'variable_declarator' },
		all: ['interface_declaration'],
		open: (w) => w.has('public') || (w.has('protected') && !w.has('private')),
		always: ['enum_member_declaration'],
	},
	php: {
		bodies: ['declaration_list', 'enum_declaration_list', 'program', 'compound_statement'],
		through: ['namespace_definition'],
		types: ['class_declaration', 'interface_declaration', 'trait_declaration', 'enum_declaration'],
		members: ['method_declaration', 'function_definition', 'enum_case'],
		fields: { property_declaration: 'property_element', const_declaration: 'const_element' },
		open: (w) => !w.has('private'),
		always: [],
	},
	kotlin: {
		bodies: ['class_body', 'enum_class_body', 'source_file'],
		types: ['class_declaration', 'object_declaration', 'companion_object'],
		members: ['function_declaration', 'enum_entry', 'type_alias'],
		fields: { property_declaration: 'variable_declaration' },
		open: (w) => !w.has('private') && !w.has('internal'),
		always: ['enum_entry'],
	},
	scala: {
		bodies: ['template_body', 'enum_body', 'compilation_unit', 'enum_case_definitions'],
		through: ['enum_case_definitions', 'package_clause', 'extension_definition'],
		types: ['class_definition', 'object_definition', 'trait_definition', 'enum_definition'],
		members: ['function_definition', 'function_declaration', 'type_definition', 'simple_enum_case', 'full_enum_case',
			'given_definition', 'val_definition', 'var_definition', 'val_declaration', 'var_declaration'],
		fields: {},
		open: (w) => !w.has('private'),
		always: ['simple_enum_case', 'full_enum_case'],
	},
	swift: {
		bodies: ['class_body', 'enum_class_body', 'protocol_body', 'source_file'],
		types: ['class_declaration', 'protocol_declaration'],
		members: ['function_declaration', 'protocol_function_declaration', 'typealias_declaration', 'property_declaration',
			'protocol_property_declaration', 'enum_entry', 'associatedtype_declaration'],
		fields: {},
		open: (w) => !w.has('private') && !w.has('fileprivate') && !w.has('internal'),
		always: ['enum_entry'],
	},
};

const identifiers = ['identifier', 'simple_identifier', 'type_identifier', 'variable_name', 'name'];

function nameOf(n) {
	const name = field(n, 'name') ?? field(n, 'pattern') ?? n.namedChildren.find((c) => identifiers.includes(c.type));
	return first(name, identifiers);
}

function shapedBody(shape, body, add, all) {
	for (const n of kids(body)) {
		if (shape.through?.includes(n.type) || shape.bodies.includes(n.type)) {
			shapedBody(shape, n, add, all);
			continue;
		}
		if (!(all || shape.always.includes(n.type) || shape.open(words(n)))) continue;
		if (shape.types.includes(n.type)) {
			const name = nameOf(n);
			// an extension has the name of what is extended
			if (name && !(n.type === 'class_declaration' && has(n, 'extension'))) add(name);
			for (const c of kids(n)) if (shape.bodies.includes(c.type)) shapedBody(shape, c, add, shape.all?.includes(n.type));
		} else if (shape.members.includes(n.type)) {
			const name = nameOf(n);
			if (name) add(name);
		} else if (shape.fields[n.type]) {
			const visit = (m) => {
				for (const c of kids(m)) {
					if (c.type === shape.fields[n.type]) {
						const name = nameOf(c);
						if (name) add(name);
					} else if (['variable_declaration'].includes(c.type)) visit(c);
				}
			};
			visit(n);
		}
	}
}

// ---- Ruby ------------------------------------------------------------------

function rubyBody(body, add) {
	let open = true;
	for (const n of kids(body)) {
		if (n.type === 'identifier' && /^(private|protected|public)$/.test(n.text)) open = n.text === 'public';
		else if (['class', 'module'].includes(n.type)) {
			add(first(field(n, 'name'), ['constant']) && (field(field(n, 'name'), 'name') ?? field(n, 'name')));
			if (field(n, 'body')) rubyBody(field(n, 'body'), add);
		} else if (['method', 'singleton_method'].includes(n.type)) {
			if ((open || n.type === 'singleton_method') && !field(n, 'name').text.startsWith('_')) add(field(n, 'name'));
		} else if (n.type === 'assignment' && field(n, 'left').type === 'constant') {
			if (open) add(field(n, 'left'));
		} else if (n.type === 'call' && /^attr_(accessor|reader|writer)$/.test(field(n, 'method')?.text ?? '') && open) {
			for (const a of kids(field(n, 'arguments'))) if (a.type === 'simple_symbol') add(a);
		}
	}
}

export function offered(language, root, isHeader) {
	const names = [];
	const add = (node, listed = false) => {
		if (node && !node.isMissing && node.text) names.push({ node, listed });
	};
	switch (language) {
	case 'javascript': case 'typescript': case 'tsx': scriptTop(root, add); break;
	case 'python': pythonBody(root, add, true); break;
	case 'go': goTop(root, add); break;
	case 'rust': rustItems(root, add, false); break;
	case 'c': case 'cpp': cTop(root, add, isHeader); break;
	case 'ruby': rubyBody(root, add); break;
	default: if (shapes[language]) shapedBody(shapes[language], root, add, false);
	}
	return names;
}
