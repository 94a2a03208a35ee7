#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale find`: the places that pack --query --enough takes, the best first, as
# an editor opens them.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
unset BALE_PATHS # it has paths that can be opened without being told to

mkdir -p "$dir/tree/lib" "$dir/elsewhere"
cd "$dir" || exit 1
python3 - <<'END'
import os, random
random.seed(7)
words = "alpha ring slab budget plan gather survey token lease beat".split()
for i in range(60):
    with open(f"tree/{'lib/' if i % 3 else ''}f{i:02}.c", "w") as f:
        for j in range(12):
            f.write(f"\nint f{i}_{j}(int a)\n{{\n")
            for _ in range(random.randint(3, 30)):
                f.write("\treturn a + %s_%s;\n" % tuple(random.sample(words, 2)))
            f.write("}\n")
END
query='the slab of a ring in gather'

# What pack would take, by the report of its plan: ordered by somebody else.
cat >check.py <<'END'
import json, re, sys
report, lines, found = sys.argv[1:]
selected = [it for it in json.load(open(report))["selected"]
            if it["tier"] == "full"]
selected.sort(key=lambda it: (-it["score"], it["path"], it["start_line"]))
found = json.load(open(found))["places"]
points = {"priority", "entry_point", "importers", "exports", "git_activity",
          "markers", "config_file", "boost", "test_penalty", "pinned"}
for it in selected:
    for name in points:
        del it["factors"][name]
rows = [re.fullmatch(r"(.+?):(\d+): (.+)  (\d+)  (\d\.\d{3})\n", line).groups()
        for line in open(lines)]
print(len(rows) > 20, found == selected,
      [(r[0], int(r[1]), int(r[3]), float(r[4])) for r in rows] ==
      [(it["path"], it["start_line"], it["tokens"], round(it["score"], 3))
       for it in selected])
bad = 0
for row, it in zip(rows, selected):
    text = open(row[0]).read().splitlines(True)
    text = text[it["start_line"] - 1:it["end_line"]]
    defined = re.findall(r"^int (\w+)", "".join(text), re.M)
    names = row[2].split(", ")
    bad += names[:3] != defined[:3] if defined else len(names) != 1
print(bad)
END
"$BALE" preview tree --query "$query" --enough --budget 9k --paths cwd --json \
	-q --no-last >report.json 2>err
"$BALE" find "$query" tree -n 0 --budget 9k >lines 2>err
is "$? $(cat err)" "0 " "it finds, and says nothing else"
"$BALE" find "$query" tree -n 0 --budget 9k --json >found.json
is "$(python3 check.py report.json lines found.json)" "True True True
0" "the places are those of the plan, with what they define"
"$BALE" preview tree --query "$query" --enough --budget 9k --paths cwd -q \
	--no-last --explain 2>&1 >/dev/null | awk -F '\t' \
	'$2 == "packed" { sub(/-[0-9]*$/, "", $3); print $3 }' >explained
is "$(grep -o '^[^:]*:[0-9]*' lines)" "$(cat explained)" "as --explain has them"

is "$("$BALE" find "$query" tree -n 3 --budget 9k)" "$(head -n 3 lines)" "a limit"
is "$("$BALE" find "$query" tree | wc -l)" 20 "without one, the best"
for workers in 1 2 5; do
	is "$("$BALE" find "$query" tree -n 0 --budget 9k --workers $workers)" \
		"$(cat lines)" "the same with $workers workers"
done
echo "$query" >task
is "$("$BALE" find @task tree -n 0 --budget 9k)" "$(cat lines)" \
	"a query from a file"

# Paths are those that can be opened from here.
cd elsewhere || exit 1
is "$("$BALE" find "$query" ../tree --budget 9k)" \
	"$(sed 's|^|../|; 20q' ../lines)" "from another directory"
cd ../tree || exit 1
is "$("$BALE" find "$query" -n 4 | wc -l)" 4 "of the current directory"
cd ..
is "$("$BALE" find "$query" tree --paths root --budget 9k)" \
	"$(sed 's|^tree/||; 20q' lines)" "or as outputs have them"

# The options that say which files.
is "$("$BALE" find "$query" tree -n 0 --include 'lib/f01.c' | cut -d: -f1 |
	sort -u)" tree/lib/f01.c "--include"
is "$("$BALE" find "$query" tree -n 0 --exclude lib | grep -c /lib/)" 0 \
	"--exclude"

# What a configuration has for outputs is none of its business.
cat >c.yml <<'END'
context:
  pin: ["lib/f02.c"]
  budget: { min_chunks: 3, output_tokens: 9000, tiers: "on" }
  formatting: { compress: false, split: 400, git_log: 3, strip_comments: true }
END
is "$("$BALE" find "$query" tree -n 0 --config c.yml)" "$(cat lines)" \
	"a configuration for outputs"

# Nothing found, or nothing to look in.
"$BALE" find xyzzyqx tree >out 2>err
is "$? $(wc -c <out) $(cat err)" \
	"9 0 bale: nothing of the query is in the tree" "nothing is found"
"$BALE" find xyzzyqx tree --json >out 2>err
is "$? $(wc -c <out)" "9 0" "nothing is found, as JSON"
"$BALE" find "$query" elsewhere >out 2>err
is "$? $(grep -c 'no text files' err)" "9 1" "no files"
"$BALE" find >out 2>err
is "$? $(grep -c 'BALE-CLI-004.*QUERY' err)" "2 1" "no query"
"$BALE" find "$query" nowhere >out 2>err
is "$? $(grep -c nowhere err)" "2 1" "a missing directory is named"
"$BALE" find "$query" tree -n 0 >most
"$BALE" find "$query" tree --budget all -n 0 >out 2>err
is "$? $(wc -c <err) $(($(wc -l <out) >= $(wc -l <most)))" "0 0 1" \
	"all is what there is evidence for"
"$BALE" find "$query" tree >/dev/full 2>err
is "$? $(grep -c 'cannot write stdout' err)" "4 1" "the disk is full"
# What was found out about the files is kept, and used by the next one, and by a
# pack with a query.
wait_until_old tree
surveys=$XDG_CACHE_HOME/bale/surveys
rm -rf "$surveys"
for run in first second; do
	is "$("$BALE" find "$query" tree -n 0 --budget 9k --cache on)" "$(cat lines)" \
		"with --cache on: the $run"
done
before=$(stat -c '%i %s' "$surveys"/*)
"$BALE" pack tree --query "another $query" --budget 9k -o out -q --cache on
is "$(stat -c '%i %s' "$surveys"/*)" "$before" \
	"the survey of find is that of a pack with a query"
is "$("$BALE" find "$query" tree -n 0 --budget 9k --cache read)" "$(cat lines)" \
	"with --cache read"

"$BALE" find "--$query" tree >out 2>err
is "$? $(cat err)" "2 bale: BALE-CLI-001 unknown option --$query; a text \
comes after --: bale find --" "a query that begins like an option"
is "$("$BALE" find -n 1 -- "--$query" tree | cut -d: -f 1-2)" \
	"$(head -1 lines | cut -d: -f 1-2)" "comes after --"
for option in max-depth format; do
	"$BALE" find --$option 2>err
	is "$? $(grep -c 'a text comes after --: bale find --$' err)" "2 1" \
		"--$option, which find does not have, may be what is looked for"
done

# What is asked for by its name comes first, wherever it is.
mkdir -p named/src named/tests
python3 -c 'for i in range(40):
    print("def session_refresh_%d(vary):\n    return refresh_session(vary, %d)\n"
          % (i, i))' >named/src/session.py
printf 'def test_session_refresh_vary():\n    assert session_refresh_1(1)\n' \
	>named/tests/test_session.py
printf 'def keep(vary):\n    return refresh_session(vary)\n' \
	>named/src/session_store.py
first() {
	"$BALE" find "$1" named -n 1 | awk '{ print $1, $2 }'
}
for query in test_session_refresh_vary 'where is test_session_refresh_vary defined?' \
	test_session.py tests/test_session.py; do
	is "$(first "$query")" \
		"named/tests/test_session.py:1: test_session_refresh_vary" "$query"
done
is "$(first session_refresh_17 | cut -d: -f 1)" named/src/session.py \
	"a name of code is not one of tests"

# So are names that are written otherwise, with the survey and without.
for query in sessionRefresh17 SESSION_REFRESH_17 'session refresh 17' \
	session_refrsh_17 sesion_refresh_17; do
	for cache in on on off; do
		is "$("$BALE" find -n 1 --cache $cache "$query" named/src |
			cut -d: -f 1)" named/src/session.py "$query, cache $cache"
	done
done

# So are files.
for query in 'session store' session-store.py sessionStore \
	src/session_store sesion_store.py; do
	is "$(first "$query" | cut -d: -f 1)" named/src/session_store.py "$query"
done

# So are constants, macros and fields, of which the survey keeps no names; with
# the survey and without.
cat >named/src/limits.h <<'END'
/* limits.h - how often and how long */
#define SESSION_VARY_MAX 40

enum session_state {
	SESSION_VARY_NEW,
	SESSION_VARY_OLD
};

struct session {
	unsigned vary_depth;
};
END
for i in 1 2 3; do
	for ((k = 0; k < 40; k++)); do
		echo "int session_vary_${i}_$k(struct session *s) { return" \
			"SESSION_VARY_MAX + SESSION_VARY_OLD + s->vary_depth; }"
	done >named/src/use_$i.c
done
for query in SESSION_VARY_MAX SESSION_VARY_OLD vary_depth \
	'where is SESSION_VARY_MAX defined?'; do
	for cache in on on off; do
		is "$("$BALE" find "$query" named -n 1 --cache $cache |
			cut -d: -f 1)" named/src/limits.h "$query, cache $cache"
	done
done

is "$("$BALE" find vary_depth named -n 1 | awk '{ print $2 }')" vary_depth, \
	"and what is declared is named"

# Who asks for callers gets those, not the definition; a test comes behind code.
printf 'from session_store import keep\n\n\ndef stay(vary_depth):\n    keep_vary(1)\n' \
	>named/src/stay.py
printf 'def keep_vary(vary):\n    return vary\n' >named/src/keep_vary.py
printf 'def test_keep():\n    assert keep_vary(1)\n' >named/tests/test_keep.py
for query in 'callers of keep_vary' 'who calls keep_vary()?' \
	'where is keep_vary used'; do
	for cache in on on off; do
		is "$("$BALE" find "$query" named -n 2 --cache $cache |
			cut -d: -f 1 | tr '\n' ' ')" \
			"named/src/stay.py named/tests/test_keep.py " \
			"$query, cache $cache"
	done
done

is "$("$BALE" find 'tests for keep_vary' named -n 1 | cut -d: -f 1)" \
	named/tests/test_keep.py "and who asks for tests gets those"

# So are options, keys and routes, by the strings of code that they are.
mkdir -p strings/src strings/tests
cat >strings/src/options.rb <<'END'
def add(opts)
  opts.on('-s', '--vary-session FILE', 'says where it is')
  opts.on('--vary-key')
  ENV.fetch('SESSION_VARY')
  get('/session/:vary') { session }
end
END
for i in 1 2 3; do
	for ((k = 0; k < 30; k++)); do
		echo "def vary_session_${i}_$k(key)"
		echo "  raise 'see --vary-session' unless session[key].vary"
		echo end
	done >strings/src/use_$i.rb
done
cp strings/src/options.rb strings/tests/test_options.rb
echo '# a test' >>strings/tests/test_options.rb
for query in --vary-session vary-session --vary-key SESSION_VARY /session/:vary; do
	for cache in on on off; do
		is "$("$BALE" find -n 1 --cache $cache -- "$query" strings |
			cut -d: -f 1)" strings/src/options.rb \
			"$query, cache $cache"
	done
done

# So is what prints a message, not what is about its words.
mkdir -p said
cat >said/report.c <<'END'
void report(int id)
{
	fprintf(stderr, "mirror %d cannot be reached by its upstream\n", id);
}
END
for word in mirror upstream reach; do
	printf 'int %s_upstream(int mirror) { return reach(mirror, upstream); }\n' \
		$word >said/${word}_mirror.c
done
printf '# Messages\n\nmirror 7 cannot be reached by its upstream\n' >said/README.md
for cache in on on off; do
	is "$("$BALE" find 'error: mirror 7 cannot be reached by its upstream' \
		said -n 1 --cache $cache | cut -d: -f 1)" said/report.c \
		"a message, cache $cache"
done

is "$("$BALE" find 'reached by its upstream' said -n 1 | cut -d: -f 1)" \
	said/report.c "a short one, which a page has as well"
rm said/report.c
is "$("$BALE" find 'reached by its upstream' said -n 1 | cut -d: -f 1)" \
	said/reach_mirror.c "a page that says it prints nothing"


# Code is found where it stands, whatever else is about its words.
mkdir -p code/src code/tests
rows() {
	for row in {1..40}; do
		echo "        self.row_$row = {'number': $row, 'of': self.table}"
	done
}
{
	echo 'class Pool(Base):'
	echo '    def __init__(self, size):'
	rows
	echo '        self.size = size'
	echo
	echo '    def take(self):'
	rows
	echo '        return self.free.pop() if self.free else None'
	echo
	echo 'class Other:'
	echo '    def take(self):'
	rows
} >code/src/pool.py
cat >code/tests/test_pool.py <<'END'
class SmallPool(Pool):
    def test_free_pool(self):
        assert self.free.pop() is not None
END
for word in pop free lock self; do
	printf 'def %s(self):\n    return self.free.%s(self.lock, take)\n' \
		$word $word >code/src/$word.py
done
line_of() { # of code/src/pool.py, from line $2 on
	awk -v text="$1" -v from="${2:-1}" \
		'NR >= from && index($0, text) { print NR; exit }' code/src/pool.py
}
first=$(line_of 'def take')
second=$(line_of 'def take' $((first + 1)))
while IFS='|' read -r query path line; do
	for cache in on on off; do
		"$BALE" find -n 1 --json --cache $cache -- "$query" code >out
		is "$(jq -r --argjson line "${line:-1}" '.places[0] |
			"\(.path) \(.start_line <= $line and .end_line >= $line)"' \
			out)" "code/$path true" "$query, cache $cache"
	done
done <<END
return self.free.pop() if self.free else None|src/pool.py|$((second - 3))
  assert self.free.pop() is not None|tests/test_pool.py
Pool.take|src/pool.py|$first
take in Pool|src/pool.py|$first
the method take of the class Other|src/pool.py|$second
take in pool.py|src/pool.py|$first
subclasses of Pool|tests/test_pool.py
who implements Base?|src/pool.py
END

# So are keys of settings, scripts, targets and selectors.
mkdir -p keys/src keys/ci
printf '[tool.lint]\nskip-word-list = "te"\n' >keys/pyproject.toml
printf 'jobs:\n  test-word-list:\n    steps: []\n' >keys/ci/ci.yml
printf '{ "scripts": {\n  "build:list": "tool build",\n  "word": "x" } }\n' \
	>keys/package.json
printf 'all:\n\nword-list:\n\ttool\n' >keys/Makefile
printf 'a { b: c }\n.word-row {\n  d: e\n}\n' >keys/src/page.css
for word in build list test word skip row; do
	printf 'def %s(word_list):\n    return skip(test, word, list, build, row)\n' \
		$word >keys/src/$word.py
done
while IFS='|' read -r query place; do
	for cache in on on off; do
		is "$("$BALE" find -n 1 --cache $cache -- "$query" keys |
			cut -d: -f 1)" "keys/$place" "$query, cache $cache"
	done
done <<'END'
skip-word-list|pyproject.toml
test-word-list|ci/ci.yml
npm run build:list|package.json
make word-list|Makefile
.word-row|src/page.css
word-row|src/page.css
END

# What stands in comments alone is found there; a name that is there comes first.
mkdir -p marks/src
printf '/* see CVE-2021-44228 */\nint look_up(int key)\n{\n\treturn key;\n}\n' \
	>marks/src/lookup.c
printf 'int Pool::take(int key) { return key; }\n' >marks/src/pool.cc
for word in see key cve pool call; do
	printf 'int %s(int a) { return Pool::take(a) + 2021 + 44228; }\n' \
		$word >marks/src/$word.cc
done
for cache in on on off; do
	is "$("$BALE" find -n 1 --cache $cache CVE-2021-44228 marks |
		cut -d: -f 1)" marks/src/lookup.c "a mark, cache $cache"
	is "$("$BALE" find -n 1 --cache $cache -- 'Pool::take' marks |
		cut -d: -f 1)" marks/src/pool.cc "a name, cache $cache"
done

# A directory is all that is in it.
mkdir -p dirs/src/http dirs/src/other
for word in http client pool; do
	echo "def $word(): return http" >dirs/src/http/${word}_of.py
	echo "def $word(): return http + src.http" >dirs/src/other/$word.py
done
for query in src/http src/http/ 'the http directory'; do
	for cache in on on off; do
		is "$("$BALE" find -n 3 --cache $cache -- "$query" dirs |
			cut -d: -f 1 | sort | tr '\n' ' ')" \
			"dirs/src/http/client_of.py dirs/src/http/http_of.py \
dirs/src/http/pool_of.py " "$query, cache $cache"
	done
done

# What looks like an address or a file is a query all the same, or is told so.
is "$("$BALE" find 'see https://example.com/pop' code -n 1 | cut -d: -f 1)" \
	code/src/pop.py "an address in a query"
"$BALE" find '@property def take' code >out 2>err
is "$? $(cat err)" "2 bale: the query @property def take: No such file or \
directory; @ names a file: put a blank before it to ask for the text" \
	"a query that begins with @"
"$BALE" find ' @property def take' code >out
is $? 0 "with a blank before it"

done_testing
