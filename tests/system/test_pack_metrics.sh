#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --metrics and --audit-log: what they say is what the report says.
#
# verifies: NFR-016-58, NFR-016-59, NFR-016-60, NFR-016-61, NFR-016-62
# verifies: NFR-016-63, NFR-016-64, NFR-016-65, FR-016c-48, FR-016c-49

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

mkdir "$dir/tree" && cd "$dir" || exit 1
for i in $(seq 40); do seq $((i * i * 3)) >"tree/file_$i.txt"; done
cp tree/file_20.txt tree/copy.txt
printf 'x\n' >"tree/$(printf 'a\n{"event":"end"}\nb\033[31m\377').txt"
printf 'a\0b' >tree/binary

"$BALE" pack tree --budget 10k -q -o out --no-last --report r.json \
	--metrics m.prom --audit-log a.log --log-level debug --log-json 2>log
is "$?" 0 "a run with all of them"

cat >compare.py <<'P'
import json
m = {}
for line in open("m.prom"):
    if not line.startswith("#"):
        name, value = line.rsplit(" ", 1)
        m[name] = float(value)
r = json.load(open("r.json"))
d = r["dedup"]
want = {
    "bale_run_duration_seconds": r["wall_ns"] / 1e9,
    "bale_budget_available_tokens": r["budget"]["available"],
    "bale_output_tokens": r["budget"]["used"],
    "bale_budget_utilization_ratio":
        r["budget"]["used"] / r["budget"]["available"],
    'bale_files{outcome="signatures"}': r["files"]["signatures"],
    'bale_chunks{outcome="seen"}': r["chunks"]["seen"],
    'bale_chunks{outcome="packed"}': r["chunks"]["packed"],
    'bale_chunks{outcome="rejected"}': r["chunks"]["rejected"],
    "bale_dedup_saved_tokens": d["exact_tokens"],
    'bale_files{outcome="binary"}': 1,
    'bale_files{outcome="duplicate"}': 1,
    "bale_memory_peak_bytes": r["memory"]["peak_pss_bytes"] or 0,
    'bale_count_cache_chunks{result="miss"}': r["count_cache"]["misses"],
    "bale_file_tokens_count": r["files"]["seen"],
}
for s in r["stages"]:
    want['bale_stage_items{stage="%s"}' % s["name"]] = s["items"]
for name, value in want.items():
    if abs(m[name] - value) > 1e-9 * max(1, abs(value)):
        print(name, m[name], value)
files = {}
for x in r["selected"] + r["excluded"]:
    key = x.get("path_base64", x["path"])
    files[key] = files.get(key, 0) + x["tokens"]
for bound in (100, 1000, 10000, 100000, 1000000):
    have = m['bale_file_tokens_bucket{le="%d.0"}' % bound]
    if have != sum(t <= bound for t in files.values()):
        print("bucket", bound, have)
if m["bale_file_tokens_sum"] != sum(files.values()):
    print("sum", m["bale_file_tokens_sum"])
P
is "$(python3 compare.py 2>&1)" "" "metrics are the figures of the report"
is "$(grep -c 'file_\|copy' m.prom)" "$(grep -c bale_file_tokens m.prom)" \
	"no name of a file is in them"
is "$(tail -n 1 m.prom)" "# EOF" "they end as they should"
parser=$(for p in python3 /usr/bin/python3; do
	"$p" -c 'import prometheus_client' 2>/dev/null && echo "$p" && break
done)
if [ -n "$parser" ]; then
	is "$("$parser" -c '
from prometheus_client.openmetrics import parser as om
from prometheus_client import parser as text
t = open("m.prom").read()
a = list(om.text_string_to_metric_families(t))
b = list(text.text_string_to_metric_families(t))
print(len(a) == len(b) > 20)')" True "two parsers of others take them"
else
	n=$((n + 1))
	echo "ok $n # SKIP python3-prometheus-client is missing"
fi

cat >audit.py <<'P'
import json, sys
lines = [json.loads(line) for line in open("a.log")]
r = json.load(open("r.json"))
runs = [x for x in lines if x["event"] == "run"]
mine = [x for x in lines if x["correlation_id"] == r["correlation_id"]]
def key(x):
    return (x.get("path_base64", x["path"]), x.get("start_line"),
            x.get("end_line"), x["tokens"], x.get("reason"))
for event in ("selected", "excluded"):
    got = [key(x) for x in mine if x["event"] == event]
    want = [key(x) for x in r[event]]
    if got != want: print(event, len(got), len(want))
print(len(runs), mine[0]["event"], mine[-1]["event"],
      mine[-1]["tokens"] == r["budget"]["used"])
P
is "$(python3 audit.py)" "1 run end True" "the audit log has every decision"
for i in 1 2 3 4 5 6; do
	"$BALE" pack tree --budget 10k -q -o "out$i" --no-last --audit-log a.log &
done
wait
is "$(python3 audit.py)" "7 run end True" "runs side by side add to it"
is "$(python3 -c '
import json
seen, now = set(), None
for line in open("a.log"):
    run = json.loads(line)["correlation_id"]
    if run != now and run in seen: print("mixed")
    seen.add(run); now = run
print(len(seen))')" 7 "and do not mix their lines"
is "$(python3 -c '
import json
r = json.load(open("r.json"))
lines = [json.loads(line) for line in open("log")]
print(len({json.dumps(x) for x in lines if
           any(v == r["correlation_id"] for v in x.values())}) == len(
           {json.dumps(x) for x in lines}),
      sum("selected" in json.dumps(x) for x in lines) == len(r["selected"]))
')" "True True" "the log has them too, under the same id"

"$BALE" pack tree -q -o out --no-last --metrics no/such/m 2>err
is "$? $(grep -c 'cannot write no/such/m' err)" "4 1" "no place for metrics"
"$BALE" pack tree -q -o out --no-last --audit-log /dev/full 2>err
is "$? $(grep -c 'cannot write /dev/full' err)" "4 1" "a full disk is said"
cp m.prom before
"$BALE" pack tree --budget all -q -o out --no-last --metrics m.prom
is "$? $(grep -c '^bale_budget.*tokens +Inf' m.prom)" "0 2" \
	"a budget of everything"
"$BALE" pack tree -q -o tree/ctx.md --no-last --metrics tree/m.prom \
	--audit-log tree/a.log
"$BALE" pack tree -q -o tree/ctx.md --no-last --metrics tree/m.prom \
	--audit-log tree/a.log --report r.json
is "$(grep -o '"path":"tree/[^"]*","[^}]*"reason":"output"' r.json |
	cut -d'"' -f4 | tr '\n' ' ')" "tree/a.log tree/ctx.md tree/m.prom " \
	"what a run writes is never packed"
done_testing
