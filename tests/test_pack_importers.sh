#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Points for the files that import a file, from the imports as they are written
# to the report: three each, up to thirty, for every language.
#
# verifies: CTX-02.2

# shellcheck source=tests/lib.sh
. tests/lib.sh
mkdir "$dir/tree" && cd "$dir/tree" || exit 1

# put PATH LINE... : a file
put() {
	mkdir -p "$(dirname "$1")" && printf '%s\n' "${@:2}" >"$1"
}

# importers: "path points" of all files that have some, on one line
importers() {
	"$BALE" preview . -q --no-config --no-last --budget 500k "$@" \
		--report ../report >/dev/null || echo failed
	python3 -c 'import json
seen = {x["path"]: x["factors"]["importers"]
	for x in json.load(open("../report"))["selected"]}
print(" ".join("%s:%g" % it for it in sorted(seen.items()) if it[1]))'
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
for workers in 1 3; do
	importers --workers $workers
done | uniq | wc -l >../same
is "$(cat ../same)" 1 "the same for any number of workers"
done_testing
