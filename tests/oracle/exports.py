#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many names files export, compared with the parsers of Python and Go.

usage: exports.py DUMPER [FILES]

DUMPER is bench_chunk_scan. Looked at are so many FILES (400) of each of what
Python and Go have of their own, spread evenly. Prints a row of a table for
each; fails where less than 95 % of the files have the same count.

Of Python what `if`, `try` and `with` hold counts if it defines something, as
it does for the program; a variable only at the first column.
"""
import ast
import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile

GO = """package main

import ("bufio"; "fmt"; "go/ast"; "go/parser"; "go/token"; "os")

func main() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		f, err := parser.ParseFile(token.NewFileSet(), in.Text(), nil, 0)
		if err != nil {
			continue
		}
		var names []*ast.Ident
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names = append(names, s.Name)
					case *ast.ValueSpec:
						names = append(names, s.Names...)
					}
				}
			}
		}
		nr := 0
		for _, name := range names {
			if name.IsExported() {
				nr++
			}
		}
		fmt.Printf("%d\\t%s\\n", nr, in.Text())
	}
}
"""


def targets(node):
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, (ast.Tuple, ast.List)):
        return [name for part in node.elts for name in targets(part)]
    return []


def strings(node):
    return sum(isinstance(x, ast.Constant) and isinstance(x.value, str)
               for x in ast.walk(node))


def of_module(body, names, listed):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            left = node.targets if isinstance(node, ast.Assign) else [node.target]
            left = [name for part in left[:1] for name in targets(part)]
            if '__all__' in left:
                listed.append(strings(node.value))
            elif not isinstance(node, ast.AugAssign) and node.col_offset == 0:
                names.extend(left)
        else:
            for field in ('body', 'orelse', 'finalbody', 'handlers'):
                of_module(getattr(node, field, []), names, listed)


def python_count(path):
    with open(path, encoding='utf-8') as file:
        module = ast.parse(file.read())
    names, listed = [], []
    of_module(module.body, names, listed)
    return sum(listed) or sum(not name.startswith('_') for name in names)


def python_counts(paths):
    for path in paths:
        try:
            yield path, python_count(path)
        except (SyntaxError, ValueError, RecursionError):
            pass


def go_counts(paths):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'main.go')
        with open(program, 'w', encoding='utf-8') as file:
            file.write(GO)
        out = subprocess.run(['go', 'run', program], input='\n'.join(paths) + '\n',
                             env={**os.environ, 'GO111MODULE': 'off'}, text=True,
                             check=True, stdout=subprocess.PIPE).stdout
    for line in out.splitlines():
        nr, path = line.split('\t')
        yield path, int(nr)


def compare(dumper, language, folder, suffix, counts, file_nr):
    paths = sorted(glob.glob(glob.escape(folder) + '/**/*' + suffix, recursive=True))
    wanted = list(counts(paths[::max(1, len(paths) // file_nr)]))
    out = subprocess.run([dumper, '--language', language, '--exports'], text=True,
                         input='\n'.join(path for path, _ in wanted) + '\n',
                         check=True, stdout=subprocess.PIPE).stdout
    got = [int(line.split('\t')[0]) for line in out.splitlines()]
    pairs = [(nr, want) for nr, (_, want) in zip(got, wanted)]
    same = sum(nr == want for nr, want in pairs)
    points = sum(min(nr, 10) == min(want, 10) for nr, want in pairs)
    print(f'| {language} | {len(pairs)} | {sum(want for _, want in pairs)} | '
          f'{100 * same / len(pairs):.1f} | {100 * points / len(pairs):.1f} |')
    if os.environ.get('ORACLE_SHOW'):
        for (nr, want), (path, _) in zip(pairs, wanted):
            if nr != want:
                print(f'{path}: got {nr}, want {want}')
    return same >= 0.95 * len(pairs)


def main():
    dumper = sys.argv[1]
    file_nr = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    print('| language | files | exports | same % | same points % |')
    print('|---|---|---|---|---|')
    good = compare(dumper, 'python', sysconfig.get_path('stdlib'), '.py',
                   python_counts, file_nr)
    if shutil.which('go'):
        root = subprocess.run(['go', 'env', 'GOROOT'], text=True, check=True,
                              stdout=subprocess.PIPE).stdout.strip()
        good &= compare(dumper, 'go', root + '/src', '.go', go_counts, file_nr)
    sys.exit(not good)


main()
