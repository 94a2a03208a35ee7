#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares which file imports which with what others find.

  imports.py BENCH LANGUAGE DIR [ROOT...]

BENCH is bench_select_imports.

  c           gcc -H, with DIR and each ROOT searched (-I)
  typescript  ts.resolveModuleName of the module "typescript" (NODE_PATH), each
              file by the nearest tsconfig.json
  python      the module ast, resolved below each ROOT
  go          go list -e -json ./...
  java        the package that each file says it is of
  php         the PSR-4 table of composer.json
  csharp      the namespaces of each file
  ruby        files below each ROOT, and require_relative
  rust        the files that rustc reads, from each src/lib.rs and src/main.rs:
              each but those has to be imported by some file of its crate

Prints a row: language, files, edges of the other, of these found, and edges
that the other has not. Edges from a file to itself do not count.
"""
import ast
import collections
import json
import os
import re
import subprocess
import sys

ENDS = {
    'c': ('.c', '.h', '.cc', '.cpp', '.hpp'),
    'typescript': ('.ts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.vue',
                   '.mts', '.cts', '.json'),
    'python': ('.py',), 'go': ('.go', 'go.mod'), 'java': ('.java',),
    'php': ('.php',), 'csharp': ('.cs',), 'ruby': ('.rb',),
    'rust': ('.rs', 'Cargo.toml'),
}
HINTS = {
    '.c': 'c', '.h': 'c', '.cc': 'cpp', '.cpp': 'cpp', '.hpp': 'cpp',
    '.ts': 'typescript', '.mts': 'typescript', '.cts': 'typescript',
    '.tsx': 'tsx', '.js': 'javascript', '.mjs': 'javascript',
    '.cjs': 'javascript', '.jsx': 'jsx', '.vue': 'vue', '.py': 'python',
    '.go': 'go', '.java': 'java', '.php': 'php', '.cs': 'csharp',
    '.rb': 'ruby', '.rs': 'rust', '.json': 'json', '.toml': 'toml',
}


def files_of(language):
    listed = subprocess.run(['git', 'ls-files', '-z'], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode(errors='replace').split('\0')[:-1]
    else:
        names = [os.path.join(d, f)[2:] for d, _, fs in os.walk('.')
                 for f in fs]
    return sorted(n for n in names if n.endswith(ENDS[language]) and
                  os.path.isfile(n) and not os.path.islink(n))


def ours(tool, files):
    text = ''.join('%s\t%s\n' % (f, HINTS.get(os.path.splitext(f)[1], ''))
                   for f in files)
    out = subprocess.run([tool, '--edges'], input=text.encode(), check=True,
                         stdout=subprocess.PIPE).stdout.decode()
    return {tuple(line.split('\t')) for line in out.splitlines()}


def read(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def of_c(files, roots):
    known, edges = set(files), set()
    flags = ['-I' + r for r in ['.'] + roots]
    looked_at = set()
    for path in files:
        if path.endswith(('.h', '.hpp')):
            continue
        done = subprocess.run(['gcc', '-H', '-E', '-w', *flags, path],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        if done.returncode != 0:  # a header that is not on this machine
            continue
        out = done.stderr.decode(errors='replace')
        stack = [path]
        looked_at.add(path)
        for line in out.splitlines():
            m = re.match(r'(\.+) (.+)$', line)
            if not m:
                continue
            name = os.path.normpath(m.group(2))
            del stack[len(m.group(1)):]
            if name in known and stack[-1] in known:
                edges.add((stack[-1], name))
                looked_at.add(stack[-1])
            stack.append(name)
    return edges, looked_at


TS = r'''
const ts = require('typescript'), fs = require('fs'), path = require('path');
const always = { moduleResolution: 100, module: 99, allowJs: true,
                 resolveJsonModule: true };
const known = new Map();
function optionsOf(dir) {  // the nearest configuration, and what it extends
  if (known.has(dir)) return known.get(dir);
  const cfg = ts.findConfigFile(dir, ts.sys.fileExists) ||
    ts.findConfigFile(dir, ts.sys.fileExists, 'jsconfig.json');
  let options = always;
  if (cfg) {
    const got = ts.parseJsonConfigFileContent(
      ts.readConfigFile(cfg, ts.sys.readFile).config,
      { ...ts.sys, readDirectory: () => [] }, path.dirname(cfg),
      undefined, cfg);
    options = { ...got.options, ...always };
  }
  known.set(dir, options);
  return options;
}
for (const f of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  if (f.endsWith('.json') || f.endsWith('.vue')) continue;
  const info = ts.preProcessFile(fs.readFileSync(f, 'utf8'), true, true);
  for (const i of info.importedFiles) {
    const r = ts.resolveModuleName(
      i.fileName, path.resolve(f), optionsOf(path.dirname(path.resolve(f))),
      ts.sys);
    const to = r.resolvedModule && r.resolvedModule.resolvedFileName;
    if (to) console.log(f + '\t' + path.relative('.', to));
  }
}
'''


def of_typescript(files, roots):
    out = subprocess.run(['node', '-e', TS], input='\n'.join(files).encode(),
                         check=True, stdout=subprocess.PIPE).stdout.decode()
    return ({tuple(line.split('\t')) for line in out.splitlines()},
            {f for f in files if not f.endswith(('.json', '.vue'))})


def of_python(files, roots):
    known, edges, looked_at = set(files), set(), set()
    roots = roots or ['']

    def module(base, parts):
        at = os.path.normpath(os.path.join(base, *parts))
        for name in (at + '.py', os.path.join(at, '__init__.py')):
            if name in known:
                return name
        return None

    for path in files:
        try:
            tree = ast.parse(read(path))
        except (SyntaxError, ValueError):
            continue
        looked_at.add(path)
        here = os.path.dirname(path)
        for node in ast.walk(tree):
            wanted = []
            if isinstance(node, ast.Import):
                wanted = [(roots, a.name.split('.'), None)
                          for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                bases, parts = roots, (node.module or '').split('.')
                if node.level:
                    bases = [os.path.join(here,
                                          *['..'] * (node.level - 1))]
                parts = [p for p in parts if p]
                wanted = [(bases, parts, a.name) for a in node.names]
            for bases, parts, name in wanted:
                for base in bases:
                    to = name and module(base, parts + [name])
                    to = to or module(base, parts)
                    if to:
                        edges.add((path, to))
                        break
    return edges, looked_at


def of_go(files, roots):
    out = subprocess.run(['go', 'list', '-e', '-json=Dir,ImportPath,Imports,'
                          'GoFiles,CgoFiles,IgnoredGoFiles', './...'],
                         stdout=subprocess.PIPE, check=True,
                         env={**os.environ, 'GOFLAGS': '-mod=mod',
                              'GOPROXY': 'off'}).stdout.decode()
    decoder, at, packages = json.JSONDecoder(), 0, {}
    while at < len(out):
        package, at = decoder.raw_decode(out, at)
        packages[package['ImportPath']] = package
        at += len(out[at:]) - len(out[at:].lstrip())
    edges, looked_at, here = set(), set(), os.getcwd()

    def paths(package, *keys):
        return [os.path.relpath(os.path.join(package['Dir'], f), here)
                for key in keys for f in package.get(key) or []]

    for package in packages.values():
        for path in paths(package, 'GoFiles', 'CgoFiles'):
            looked_at.add(path)
            for name in re.findall(r'"([^"\n]+)"', read(path)):
                if name not in (package.get('Imports') or []):
                    continue
                if name in packages:
                    edges |= {(path, to) for to in paths(
                        packages[name], 'GoFiles', 'CgoFiles')}
    return edges, looked_at


def of_java(files, roots):
    by_name, texts = collections.defaultdict(list), {}
    for path in files:
        texts[path] = re.sub(r'/\*.*?\*/', '', read(path), flags=re.S)
        m = re.search(r'^\s*package\s+([\w.]+)\s*;', texts[path], re.M)
        name = os.path.basename(path)[:-5]
        by_name[(m.group(1) + '.' if m else '') + name].append(path)
    edges = set()
    for path in files:
        for m in re.finditer(r'^import\s+(?:static\s+)?([\w.]+)\s*;',
                             texts[path], re.M):
            parts = m.group(1).split('.')
            for end in range(len(parts), max(len(parts) - 3, 0), -1):
                found = by_name.get('.'.join(parts[:end]))
                if found:
                    # of several modules, the one that it lies in
                    found = [f for f in found if f.split('/')[0] ==
                             path.split('/')[0]] or found
                    if len(found) == 1:
                        edges.add((path, found[0]))
                    break
    return edges, set(files)


def of_php(files, roots):
    known, edges, table = set(files), set(), {}
    for name in ('composer.json',):
        got = json.load(open(name))
        for key in ('autoload', 'autoload-dev'):
            for prefix, dirs in got.get(key, {}).get('psr-4', {}).items():
                table[prefix] = dirs if isinstance(dirs, list) else [dirs]
    for path in files:
        text = re.sub(r'/\*.*?\*/', '', read(path), flags=re.S)
        names = []
        for m in re.finditer(r'^use\s+(?!function|const)([\w\\]+)'
                             r'(?:\s+as\s+\w+)?\s*;', text, re.M):
            names.append(m.group(1))
        for m in re.finditer(r'^use\s+([\w\\]+\\)\{([^}]*)\}', text, re.M):
            names += [m.group(1) + n.split(' as ')[0].strip()
                      for n in m.group(2).split(',') if n.strip()]
        for name in names:
            name = name.lstrip('\\')
            for prefix in sorted(table, key=len, reverse=True):
                if not name.startswith(prefix):
                    continue
                for base in table[prefix]:
                    to = os.path.normpath(os.path.join(
                        base, name[len(prefix):].replace('\\', '/') + '.php'))
                    if to in known:
                        edges.add((path, to))
    return edges, set(files)


def of_csharp(files, roots):
    of = collections.defaultdict(set)
    texts = {p: read(p).lstrip('\ufeff') for p in files}
    for path, text in texts.items():
        for name in re.findall(r'^\s*namespace\s+([\w.]+)', text, re.M):
            of[name].add(path)
    return ({(path, to) for path, text in texts.items() for name in re.findall(
        r'^\s*(?:global\s+)?using\s+([\w.]+)\s*;', text, re.M)
        for to in of.get(name, ())}, set(files))


def of_ruby(files, roots):
    known, edges = set(files), set()
    for path in files:
        for m in re.finditer(r'^\s*require(_relative)?[ (]\s*["\']([^"\'#]+)'
                             r'["\']', read(path), re.M):
            name = m.group(2) + ('' if m.group(2).endswith('.rb') else '.rb')
            bases = ([os.path.dirname(path)] if m.group(1) else
                     sorted(roots, key=lambda r: r.split('/')[0] !=
                            path.split('/')[0]))
            for base in bases:
                to = os.path.normpath(os.path.join(base, name))
                if to in known:
                    edges.add((path, to))
                    break
    return edges, set(files)


def of_rust(files, roots):
    known, wanted = set(files), set()
    for path in files:
        if not re.search(r'(^|/)src/(lib|main)\.rs$', path):
            continue
        out = subprocess.run(
            ['rustc', '--edition=2021', '--emit=dep-info=-', '--crate-name=a',
             '--crate-type=lib', path],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
        for name in re.findall(r'^(\S+\.rs):$', out, re.M):
            if name in known and name != path:
                wanted.add((os.path.dirname(path), name))
    return wanted, known


def main():
    tool, language, where = sys.argv[1:4]
    tool = os.path.abspath(tool)
    os.chdir(where)
    files = files_of(language)
    got = ours(tool, files)
    want, looked_at = globals()['of_' + language](files, sys.argv[4:])
    if language == 'rust':
        imported = {to for _, to in got}
        missing = {e for e in want if e[1] not in imported}
        extra = set()
    else:
        want = {e for e in want if e[0] != e[1] and e[1] in set(files) and
                not e[1].endswith('.json')}
        got = {e for e in got if e[0] != e[1] and e[0] in looked_at and
               not e[1].endswith('.json')}
        missing, extra = want - got, got - want
    show = int(os.environ.get('ORACLE_SHOW', '0'))
    for name, edges in (('missing', missing), ('extra', extra)):
        for edge in sorted(edges)[:show]:
            print('%s: %s -> %s' % (name, *edge), file=sys.stderr)
    print('| %s | %s | %d | %d | %d (%.1f %%) | %d |' % (
        language, os.path.basename(os.getcwd()), len(files), len(want),
        len(want) - len(missing),
        100 * (len(want) - len(missing)) / max(len(want), 1), len(extra)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
