#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --format documents, as another parser of JSON reads it: each line is a
# document with the text of its file, and the count is that of the output.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tree=${BALE%/*}/tests/support/tool_tree
unset BALE_PATHS
cd "$dir" || exit 1

mkdir tree
"$tree" many tree 60 3
printf 'int \303\274; /* "quoted" \\ \t */\n' >tree/odd.c
cp tree/odd.c tree/same.c
: >tree/empty
seq 4000 >tree/long.txt
printf 'caf\351 caf\351 caf\351\n' >tree/latin.txt

"$BALE" pack tree --format documents --budget all -q --no-last -o all.jsonl \
	--report r.json
is "$(python3 - <<'END'
import json, os
seen = set()
for line in open('all.jsonl', encoding='utf-8'):
    document = json.loads(line)
    assert set(document) == {'id', 'text', 'source', 'metadata'}, document
    assert document['source'] == 'tree'
    path = document['metadata']['path']
    assert document['id'] == 'tree/' + path
    charset = 'latin-1' if 'from' in document['metadata'] else 'utf-8'
    assert document['text'] == open('tree/' + path, encoding=charset,
                                    newline='').read(), path
    seen.add(path)
want = {os.path.relpath(os.path.join(d, name), 'tree')
        for d, _, names in os.walk('tree') for name in names}
def text(path):
    return open('tree/' + path, 'rb').read()
texts = {text(path) for path in seen} | {b''}
print([path for path in want - seen if text(path) not in texts],
      seen - want, len(want - seen) < 10)
END
)" "[] set() True" "each file with a text of its own is a document"
is "$("$BALE" count all.jsonl | awk 'END { print $1 }')" \
	"$(python3 -c 'import json
print(json.load(open("r.json"))["output"]["tokens"])')" "its tokens"
bad=
for n in 1 3; do
	"$BALE" pack tree --format documents --budget all -q --no-last \
		--workers $n | cmp -s - all.jsonl || bad+=" $n"
done
is "$bad" "" "the same with any number of workers"

# A budget: what is left out stands for itself; nothing is over it.
"$BALE" pack tree --format documents --budget 3000 -q --no-last --tree \
	--header 'a "header"' --tiers off -o some.jsonl
is "$(($("$BALE" count some.jsonl | awk 'END { print $1 }') <= 3000))" 1 \
	"within a budget"
is "$(python3 -c 'import json
documents = [json.loads(line) for line in open("some.jsonl")]
print(documents[0]["id"], documents[0]["text"], documents[-1]["id"],
      len({d["id"] for d in documents}) == len(documents))')" \
	'bale:header a "header" bale:tree True' "header and tree are documents"
"$BALE" unpack all.jsonl -C out >o 2>err
is "$([ $? != 0 ] && find out 2>/dev/null | wc -l)" 0 "it cannot be unpacked"
"$BALE" pack tree --format documents --budget all -q --no-last -o all.jsonl.zst
is "$(zstd -dcq all.jsonl.zst | cmp - all.jsonl 2>&1)" "" "compressed"
done_testing
