#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Why things stand where they do: of what is left out as well, the same in all
# reports; and what ranges save that overlap.
#
# verifies: FR-016c-47, FR-016c-24, FR-016c-34, FR-016-70

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
export COUNT=${BALE%/*}/tests/support/tool_count
cd "$dir" || exit 1

# 60 files of some 900 tokens, of several ages; one of them twice.
python3 - <<'END'
import os, random
random.seed(4)
words = "alpha ring slab budget plan gather survey token lease beat".split()
os.makedirs("tree/lib")
for i in range(60):
    path = f"tree/{'lib/' if i % 3 else ''}f{i:02}.c"
    with open(path, "w") as f:
        for j in range(12):
            f.write(f"\nint f{i}_{j}(int a)\n{{\n")
            for _ in range(random.randint(3, 9)):
                f.write("\treturn a + %s_%s;\n" % tuple(random.sample(words, 2)))
            f.write("}\n")
    os.utime(path, (1.7e9 - i * 86400 * 9,) * 2)
open("tree/zz.c", "w").write(open("tree/lib/f01.c").read())
END

cat >check.py <<'END'
import json, re, sys
part, whole, explained, shown = sys.argv[1:]
part, whole = json.load(open(part)), json.load(open(whole))

# all fits: what each chunk scores when it is packed
known = {}
for it in whole["selected"]:
    known.setdefault(it["path"], []).append(it)
left = [it for it in part["excluded"] if it["reason"] == "budget"]
bad = 0
for it in left:
    # stretches of chunks, or what is left of one that is packed in part
    of = [k for k in known[it["path"]] if it["start_line"] <= k["end_line"]
          and k["start_line"] <= it["end_line"]]
    f = it["factors"]
    mean = .5 * f["relevance"] + .3 * f["recency"] + .2 * f["source"]
    bad += abs(mean - it["score"]) > 2e-6
    if "match" not in f:
        best = max(of, key=lambda k: k["score"])
        bad += it["score"] != best["score"] or f != best["factors"]
        continue
    # with a query what is behind a better piece depends on the budget
    match = (f["match"] + f["near_match"] + .4 * f["file_match"] + .2 *
             f["path_match"] + 1.2 * f["name_match"]) / 4.1 * f["kind"] * f["decay"]
    bad += abs(match - f["relevance"]) > 1e-4 or not any(
        all(k["factors"][name] == f[name] for name in f
            if name not in ("relevance", "recency", "decay")) for k in of)
duplicates = [it["score"] for it in part["excluded"]
              if it["reason"] == "duplicate"]

# stderr: the packed, then the others, each the best first
rows = [line.split("\t") for line in open(explained) if "\t" in line]
rows = [(float(r[0].split()[0]), r[1], r[2].strip()) for r in rows]
packed = [r for r in rows if r[1] in ("packed", "signatures")]
others = [r for r in rows if r not in packed]
place = lambda it: "%s:%d-%d" % (it["path"], it["start_line"], it["end_line"])
print(len(left) > 20, bad, len(duplicates),
      rows == packed + others,
      [p[0] for p in packed] == sorted((p[0] for p in packed), reverse=True),
      [o[0] for o in others] == sorted((o[0] for o in others), reverse=True),
      {(o[2], o[0]) for o in others} == {(place(it), round(it["score"], 3))
          for it in part["excluded"] if "score" in it})

# the tables: the same ranks, as per cent
rejected = open(shown).read().split("Rejected Chunks")[1]
ranks = [float(r) for r in re.findall(r"Rank ([0-9.]+):", rejected)]
print(ranks == sorted(ranks, reverse=True), len(ranks) == len(others),
      abs(ranks[0] - 100 * max(o[0] for o in others)) < 0.051)
END
for more in "--tiers=on" "--query=ring_lease" "--tiers=off"; do
	for w in 1 3; do
		"$BALE" pack tree --no-config --no-history -q ${more:+"$more"} \
			--budget 20k --workers $w --explain --report part.$w \
			-o o 2>explained.$w
	done
	"$BALE" pack tree --no-config --no-history -q ${more:+"$more"} \
		--budget 1M --report whole -o o
	"$BALE" report part.1 --selection-detail >shown
	is "$(python3 check.py part.1 whole explained.1 shown | tr '\n' ' ')" \
		"True 0 1 True True True True True True True " \
		"what is left out has its rank and why${more:+: $more}"
	is "$(cmp explained.1 explained.3 2>&1)" "" "from any number of workers"
done
"$BALE" preview tree --no-config -q --budget 20k --tiers off --explain 2>&1 \
	>/dev/null |
	grep -q "	budget	tree" && got=there
is "${got:-}" there "preview explains it, too"
"$BALE" pack tree --no-config -q --budget 20k --audit-log audit -o o
is "$(python3 - <<'END'
import json
lines = [json.loads(line) for line in open("audit")]
print({kind: all("score" in x for x in lines if x["event"] == kind)
       for kind in ("selected", "excluded")})
END
)" "{'selected': True, 'excluded': True}" "the audit log has the ranks"
"$BALE" pack tree --no-config -q --budget 10 --report none -o o 2>err
is "$(python3 -c "import json; print({'score' in it for it in
	json.load(open('none'))['excluded']})")" "{True}" "also where nothing has room"

# ---- requests -------------------------------------------------------------

mkdir src
for i in $(seq 400); do echo "int f_$i(void) { return $i; }"; done >src/a.c
touch -d 2026-01-01 src/a.c
cat >list <<'END'
{"type":"search_result","path":"src/a.c","lines":[1,100],"relevance":0.7}
{"type":"reference","path":"src/a.c","lines":[60,150],"relevance":0.5}
{"type":"open_file","path":"src/a.c","lines":[200,300],"timestamp":"2025-12-02"}
{"type":"tool_result","path":"src/a.c","lines":[200,290],"relevance":0.2}
{"type":"reference","path":"src/a.c","lines":[140,160],"relevance":0.5}
END
"$BALE" pack --sources list --no-config -q --report r.json -o o
"$BALE" report r.json --dedup-detail --chunk-detail >shown
# 30 days: a half; weights .5, .3, .2
is "$(grep -oE '(search_results|open_files|tool_results|references) \(rank [0-9.]+\)' \
	shown | sort -u | tr '\n' ';')" "open_files (rank 81.0);references (rank \
63.0);search_results (rank 77.0);tool_results (rank 60.0);" \
	"a request has the rank that its lines have"
is "$(grep -oE '^│ [0-9.]+' shown | sort -u | tr '\n' ' ')" \
	"│ 63.0 │ 77.0 │ 81.0 " "so has what is packed"
python3 - >got <<'END'
import json
from subprocess import run, PIPE
def tokens(first, last):
    text = "".join(open("src/a.c").readlines()[first - 1:last])
    return int(run([__import__("os").environ["COUNT"], "o200k_base"],
                   input=text.encode(), stdout=PIPE).stdout.split()[0])
dedup = json.load(open("r.json"))["dedup"]
near = lambda a, b: abs(a - b) <= 3
shared = [(60, 100), (140, 150)]
want = sum(tokens(*lines) for lines in shared)
print(dedup["overlaps_unmerged"], near(dedup["unmerged_tokens"], want),
      [(u["start_line"], u["end_line"]) for u in dedup["unmerged"]] == shared,
      near(dedup["overlap_tokens"], tokens(200, 290)),
      sum(u["saved_tokens"] for u in dedup["unmerged"]) ==
          dedup["unmerged_tokens"])
END
is "$(cat got)" "2 True True True True" \
	"lines that two ranges have are saved, below the threshold as well"
# beside its tree a range ranks no worse than as part of it
mkdir main && cp src/a.c main/main.c
printf '%s\n' '{"type":"reference","path":"main/main.c","lines":[1,100],"relevance":0.1}' \
	'{"type":"reference","path":"main/main.c","lines":[1,90],"relevance":0.1}' >list
"$BALE" pack main --sources list --no-config -q --no-history --budget 3k --categories none \
	--report tree.json -o o
is "$(python3 - <<'END'
import json
r = json.load(open("tree.json"))
one, = r["dedup"]["merged"]
top = max(x["score"] for x in r["selected"] if x["end_line"] <= 100)
print(one["score"] == top, {q["score"] < top for q in one["requests"]})
END
)" "True {True}" "what is merged has the rank of what is packed"
is "$(grep -A99 'Not Merged' shown | grep -cE 'Saved: (492|132) tokens')" 2 \
	"and told of, one by one"
# Files that score alike: each of those that are left out says so.
mkdir alike
for i in a b c d; do
	seq -f "$i %.0f of many" 1 150 >alike/$i.txt
	touch -d @1700000000 alike/$i.txt
done
"$BALE" pack alike --no-config --no-last -q -o out --report r.json --tiers off \
	--budget 1200 --reserve-response 0 --reserve-system 0
is "$(python3 -c "import json
r = json.load(open('r.json'))
print(sorted({x['path'] for x in r['excluded']}),
      {x.get('score') for x in r['excluded']} ==
      {x['score'] for x in r['selected']})")" \
	"['alike/b.txt', 'alike/c.txt', 'alike/d.txt'] True" \
	"files that score alike"
done_testing
