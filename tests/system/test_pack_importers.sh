#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Points for the files that import a file, from the imports as they are written
# to the report: three each, up to thirty, for every language.
#
# verifies: CTX-02.2

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
mkdir "$dir/tree" && cd "$dir/tree" || exit 1

# put PATH LINE... : a file
put() {
	mkdir -p "$(dirname "$1")" && printf '%s\n' "${@:2}" >"$1"
}

# points FACTOR ARGS... : "path:points" of all files that have some, on one line
points() {
	local factor=$1

	shift
	"$BALE" preview . -q --no-config --no-last --budget 500k "$@" \
		--report ../report >/dev/null || echo failed
	python3 -c 'import json
import sys
seen = {x["path"]: x["factors"][sys.argv[1]]
	for x in json.load(open("../report"))["selected"]}
print(" ".join("%s:%g" % it for it in sorted(seen.items()) if it[1]))' \
		"$factor"
}

importers() {
	points importers "$@"
}

put web/tsconfig.json '{' '  // where modules are' '  "compilerOptions": {' \
	'    "baseUrl": ".",' '    "paths": {' \
	'      "@lib/*": ["./src/lib/*"], /* and so on */' \
	'      "settings": ["./src/config.ts"],' '    },' '  },' '}'
put web/src/lib/util.ts 'export const a = 1;'
put web/src/config.ts 'export const b = 2;'
put web/src/one.ts "import { a } from '@lib/util';" "import 'react';"
put web/src/two.tsx "import { a } from '@lib/util';" "import 'settings';"
put web/src/three.ts "export * from 'src/two';" "import '../../other/none';"
put other/src/lib/util.ts 'export const c = 3;'
put other/four.ts "import '@lib/util';"
is "$(importers)" \
	"web/src/config.ts:3 web/src/lib/util.ts:6 web/src/two.tsx:3" \
	"paths and baseUrl of a tsconfig.json, for what lies below it"
put packages/kit/package.json '{ "name": "@me/kit" }'
put packages/kit/src/index.ts 'export const d = 4;'
put package.json '{ "name": "all", "workspaces": ["packages/*"] }'
put app/main.ts "import { d } from '@me/kit';"
is "$(importers --include packages/ --include app/)" \
	"packages/kit/src/index.ts:3" "a workspace, by its name"
for i in $(seq 12); do
	put "py/user_$i.py" 'from core import thing' "x = $i"
	put "c/user_$i.c" '#include "core.h"' "int x_$i;"
done
put py/core.py 'def thing(): pass'
put c/core.h 'int core(void);'
is "$(importers --include py/ --include c/)" "c/core.h:30 py/core.py:30" \
	"thirty points at most"

# a definition of all of the name, and no other, makes an entry point
for name in main Main mainly domain maim Mail MAIN; do
	put "entry/of_$name.c" "int $name(void)" '{' 'return 1;' '}'
done
put entry/calls.c 'int f(void)' '{' 'return main();' '}'
is "$(points entry_point --include entry/)" \
	"entry/of_Main.c:30 entry/of_main.c:30" "who defines main or Main"

# forms WHAT CORE TEXT USER FORM... : each form in a tree of its own, @ being its
# number; all but those with a NOT in front import the core.
forms() {
	local what=$1 core=$2 text=$3 user=$4 n=0 want=

	shift 4
	rm -rf forms
	for form; do
		n=$((n + 1))
		put "forms/${n}/$core" "$(printf %b "${text//@/$n}")"
		[ -n "${manifest-}" ] && put "forms/${n}/Cargo.toml" "$manifest"
		form=${form//@/$n}
		[ "${form#NOT }" != "$form" ] || want+="$n "
		printf '%b\n' "${form#NOT }" >"forms/${n}/core_user.tmp"
		mkdir -p "$(dirname "forms/${n}/$user")"
		mv "forms/${n}/core_user.tmp" "forms/${n}/$user"
	done
	is "$(importers --include forms/ | tr ' ' '\n' |
		sed -n "s|^forms/\([0-9]*\)/$core:3\$|\1|p" | sort -n |
		tr '\n' ' ')" "$want" "$what"
}

forms 'PHP: files and classes, however they are written' src/M/U.php \
	'<?php\nnamespace App\\M;\nclass U { public $a@; }' src/t.php \
	"<?php\nnamespace App;\ninclude 'M/U.php';" \
	"<?php\n\$a = 1;\nrequire_once('M/U.php');" \
	'<?php\nrequire_once (__DIR__ . "/M/U.php");' \
	'<?php\nfunction f() { if (x) { return include("M/U.php"); } }' \
	"<?php\n\$x = require dirname(__FILE__) . '/M/U.php';" \
	"<html>\n<?php include('M/U.php') ?>\n</html>" \
	'NOT <?php\n$x->include("M/U.php");' \
	'NOT <?php\n// include "M/U.php";'
rm -rf forms
put forms/1/U.php '<?php' 'namespace App\M;' 'class U { }'
put forms/1/t.php '<?php' 'use App\M\{' '  U, V' '};'
is "$(importers --include forms/)" "forms/1/U.php:3" "PHP: use a\\{b, c}"
forms 'Ruby: in brackets, autoload' lib/foo/core.rb 'class Core@; end' \
	lib/t.rb "require('foo/core')" 'require_relative("foo/core")' \
	"autoload :Core, 'foo/core'" "  autoload(:Core, 'foo/core')" \
	'NOT # require("foo/core")'
forms 'Python: behind a backslash' pkg/core.py 'def a@(): pass' t.py \
	'from pkg import \\\n    core' 'import os, \\\n  pkg.core' \
	'from pkg import os, \\\n  core, x' 'NOT import \\\n  os\npkg.core'
manifest=$(printf '[package]\nname = "k"')
forms 'Rust: for the crate, in functions' src/core.rs 'pub fn a@() {}' \
	src/lib.rs 'pub(crate) use crate::core::a;' \
	'pub(in crate::x) use crate::core;' 'fn f() { use crate::core; }' \
	'pub(crate) use crate::{net, core};' 'NOT fn f() { uses(crate::net); }'
unset manifest
forms 'Java: a package wherever it lies' a/Core.java \
	'package p.a@;\nclass Core {}' b/T.java \
	'package p.b;\nimport p.a@.*;\nclass T {}' \
	'package p.b;\nimport static p.a@.*;' 'NOT package p.b;\nimport p.c@.*;'
forms 'C#: the namespace of a class' a/Core.cs \
	'namespace P.A@;\nclass Core {}' b/T.cs 'using static P.A@.Core;' \
	'using P.A@;' 'using C = P.A@.Core;' 'NOT using P.A@.Core;'
forms 'JavaScript: import() within others' lib/core.ts 'export const a = @;' \
	t.ts "const l = lazy(() => import('./lib/core'));" \
	"const r = [{ c: () => import( './lib/core' ).then(f) }];" \
	"Promise.all([import('./lib/core'), import('./x')]);" \
	"NOT f(\"import('./lib/core')\");" "NOT f(reimport('./lib/core'));"
for workers in 1 3; do
	importers --workers $workers
done | uniq | wc -l >../same
is "$(cat ../same)" 1 "the same for any number of workers"

# verifies: CTX-02.3
# Definitions of code count as exports; headings and keys of other files do not.
mkdir ../other && cd ../other || exit 1
put README.md '# A' '## B' '## C' '## D' '## E'
put conf.toml '[a]' 'x = 1' '[b]' 'y = 2'
put conf.yaml 'a:' '  b: 1' 'c: 2'
put style.css '.a { color: red; }' '#b { top: 0; }'
put Makefile 'all: b' 'b:' '	cc b.c'
put api.py 'def a(): pass' 'def b(): pass' 'def _c(): pass' 'class D: pass'
put first.php '<?php' 'final class F extends G {' '}'
put run.sh 'f() {' '	echo 1' '}'
put t.proto 'message M { int32 x = 1; }'
"$BALE" preview . -q --no-config --no-last --report ../report >/dev/null
is "$(python3 -c 'import json
for x in json.load(open("../report"))["selected"]:
	if x["factors"]["exports"]:
		print(x["path"], x["factors"]["exports"])')" \
	"api.py 6
first.php 2
run.sh 2
t.proto 2" "what is exported"
done_testing
