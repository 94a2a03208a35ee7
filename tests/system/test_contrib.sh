#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The Jobs of contrib/k8s fit the schema of what they use, say nothing that
# contradicts itself, and their commands, run here with four parts instead of
# 64 and the index that Kubernetes would set, make what one run makes.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
python3 -c 'import yaml, jsonschema' 2>/dev/null ||
	skip_all "Python has no yaml or no jsonschema"
jobs=$PWD/contrib/k8s
schema=$PWD/tests/support/k8s_job.schema.json
BALE=$(realpath "$BALE")
tree=${BALE%/*}/tests/support/tool_tree
cd "$dir" || exit 1

cat >job.py <<'EOF'
"""job.py SCHEMA JOB: what is wrong with a Job; then its command, a word a
line, after a line "--"."""
import json, sys
import jsonschema, yaml

with open(sys.argv[1]) as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
with open(sys.argv[2]) as file:
    job = yaml.safe_load(file)
for fault in jsonschema.Draft202012Validator(schema).iter_errors(job):
    print(fault.json_path, fault.message)
spec = job['spec']
pod = spec['template']['spec']
container = pod['containers'][0]
words = container['command'] + container.get('args', [])
nr = spec['completions']
if (spec['parallelism'], spec['maxFailedIndexes']) != (nr, nr) or \
        words[words.index('--shards') + 1] != str(nr):
    print('not the same number of parts everywhere')
for rule in spec['podFailurePolicy']['rules']:
    codes = rule.get('onExitCodes')
    if codes and (codes['containerName'] != container['name'] or
                  codes['values'] != sorted(codes['values'])):
        print('a rule that no container or no server takes:', rule)
mounts = {mount['name'] for mount in container['volumeMounts']}
if mounts != {volume['name'] for volume in pod['volumes']}:
    print('volumes and mounts differ')
print('--')
print('\n'.join(words))
EOF

# faults JOB
faults() {
	python3 job.py "$schema" "$1" 2>&1 | sed '/^--$/,$d'
}

# run_part JOB I: the command of a Job for part I of four
run_part() {
	local words

	mapfile -t words < <(python3 job.py "$schema" "$1" |
		sed -e '0,/^--$/d' -e "s:^/:$dir/:" -e 's/^64$/4/')
	[ "${words[0]}" = bale ] || return 99
	JOB_COMPLETION_INDEX=$2 "$BALE" "${words[@]:1}" -q 2>>err
}

for job in job shards; do
	is "$(faults "$jobs/$job.yaml")" "" "$job.yaml is a Job"
	for wrong in s/backoffLimitPerIndex/backoffLimit/ s/Indexed/Index/ \
		s/FailJob/Fail/ 's/values: \[2\]/values: [0]/' \
		s/mountPath/path/ 's/completions: 64/completions: 32/' \
		'0,/containerName: bale/s//containerName: other/'; do
		sed "$wrong" "$jobs/$job.yaml" >wrong.yaml
		is "$([ "$(faults wrong.yaml)" ] && echo found)" found \
			"$job.yaml, $wrong: a fault"
	done
done

mkdir lists parts tree
for i in 1 2 3 4 5 6; do
	mkdir "t$i"
	"$tree" many "t$i" 12 "$i"
	echo "$dir/t$i"
done >lists/list
for i in 2 0 3 1; do
	run_part "$jobs/job.yaml" $i || echo "part $i: $?"
done >o
is "$(cat o) $(wc -l <out/manifest.jsonl)" " 6" "job.yaml packs a list"
"$BALE" pack t1 --budget 128k -q --no-last -o want
is "$(cmp want out/t1-*.md 2>&1)" "" "as bale pack does"

"$tree" many tree 60 7
for i in 2 0 3 1; do
	run_part "$jobs/shards.yaml" $i || echo "part $i: $?"
done >o
is "$(cat o)$(ls parts | xargs)" "00000 00001 00002 00003" \
	"shards.yaml surveys a tree"
merge=$(sed -n 's/^# *bale \(merge .*\) -o .*/\1/p' "$jobs/shards.yaml" |
	sed "s: /: $dir/:g")
# shellcheck disable=SC2086
"$BALE" $merge -q --no-last -o merged 2>>err
is "$?" 0 "what its comment says merges the parts"
"$BALE" pack "$dir/tree" --budget 128k -q --no-last -o want
is "$(cmp want merged 2>&1)" "" "to what bale pack makes of it"
is "$(cat err)" "" "and nothing was said"
done_testing
