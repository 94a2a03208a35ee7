#!/bin/bash
# SPDX-License-Identifier: MIT
#
# contrib/slurm/bale-array.sh and bale-shards.sh on a real Slurm: a controller and
# four nodes on this machine's loopback, in a directory of their own, gone at the
# end. Tasks are killed, a node goes down, tasks are requeued; the merged manifest
# and all outputs are those of one batch on one machine, and what is merged of
# one tree is what one run makes of it.
#
#   LIST (120 trees that are made): what is packed, a path a line
#   PARTS (16): tasks of the array

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
for program in munged slurmctld slurmd sbatch; do
	command -v $program >/dev/null || PATH=$PATH:/usr/sbin
	command -v $program >/dev/null || skip_all "$program is not installed"
done
[ "$(id -u)" = 0 ] || skip_all "slurmd needs root here"
BALE=$(realpath "$BALE")
tree=${BALE%/*}/tests/support/tool_tree
array=$PWD/contrib/slurm/bale-array.sh
shards=$PWD/contrib/slurm/bale-shards.sh
parts=${PARTS:-16}
export BALE
cd "$dir" || exit 1
chmod 755 .

daemons=()
clean_up() {
	scancel -u root 2>/dev/null
	kill "${daemons[@]}" 2>/dev/null
	wait 2>/dev/null
}

# ---- munge, a controller, four nodes ----------------------------------------

port=$((20000 + $$ % 20000))
mkdir -m 755 munge state spool
head -c 1024 /dev/urandom >munge/key
chmod 400 munge/key
munged --force --foreground --key-file "$dir/munge/key" \
	--socket "$dir/munge/socket" --pid-file "$dir/munge/pid" \
	--log-file "$dir/munge/log" --seed-file "$dir/munge/seed" 2>munge/err &
daemons+=($!)
cat >slurm.conf <<END
ClusterName=bale
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd-%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
JobRequeue=1
KillWait=2
SchedulerParameters=batch_sched_delay=0,sched_interval=2
NodeName=n[1-4] NodeHostname=localhost NodeAddr=127.0.0.1 Port=$((port + 1))-$((port + 4)) CPUs=2 RealMemory=2000
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
echo 'CgroupAutomount=no' >cgroup.conf
export SLURM_CONF=$dir/slurm.conf
until [ -S munge/socket ] || ! kill -0 "${daemons[0]}" 2>/dev/null; do :; done
slurmctld -D -i 2>ctld.err &
daemons+=($!)
nodes=()
start_node() {
	mkdir -p "spool/n$1"
	slurmd -D -N "n$1" 2>"slurmd$1.err" &
	nodes[$1]=$!
	daemons+=($!)
}
for i in 1 2 3 4; do start_node $i; done

# wait_until COMMAND...: for a minute at most
wait_until() {
	local i

	for i in $(seq 3000); do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.02
	done
	return 1
}
are_idle() {
	[ "$(sinfo -h -N -o '%n %t' | grep -c idle)" = 4 ]
}
wait_until are_idle
is "$?" 0 "four nodes are up"
are_idle || {
	tail -n 5 munge/err ctld.err slurmctld.log slurmd*.log | sed 's/^/# /'
	done_testing
	exit 1
}

# sums DIR: those of stats.json that are the same each time
sums() {
	python3 -c '
import json, sys
step, = json.load(open(sys.argv[1] + "/stats.json"))
del step["time_stats"], step["stats"]["peak_bytes"]
print(step)' "$1"
}

# ---- one machine ------------------------------------------------------------

if [ -n "${LIST:-}" ]; then
	cp "$LIST" list
else
	for i in $(seq 120); do
		mkdir "t$i"
		"$tree" many "t$i" $((20 + i % 30)) "$i"
		echo "$dir/t$i"
	done >list
	echo "$dir/nowhere" >>list
fi
hashes() {
	(cd "$1" && sed 's/,"peak_bytes".*//; s/,"seconds".*//' manifest.jsonl &&
		find . -name '*.md' -print0 | sort -z | xargs -0 sha256sum) |
		sha256sum
}
start=$(date +%s)
"$BALE" batch list -d one --budget 32k -q 2>/dev/null
echo "# one machine: $(($(date +%s) - start)) s, $(wc -l <one/manifest.jsonl) lines"

# ---- the array --------------------------------------------------------------

mkdir -p out/logs
start=$(date +%s)
job=$(sbatch --parsable --array="0-$((parts - 1))" \
	--output="$dir/out/logs/task_%5a.log" --chdir="$dir" \
	"$array" "$parts" "$dir/list" "$dir/out" --budget 32k -q)
is "$([ -n "$job" ] && echo yes)" yes "the array is submitted"
running() {
	squeue -h -t R -o '%A %N' | grep -q "${1:-.}"
}
has_ended() {
	! squeue -h -t R,CG -o '%F_%K' | grep -qx "$1"
}
done_or_running() {
	running "$@" || [ -z "$(squeue -h)" ]
}

# Tasks are killed while they run; they are submitted again below.
for i in 1 2 3; do
	wait_until done_or_running
	task=$(squeue -h -t R -o '%F_%K' | shuf -n 1)
	[ -n "$task" ] || break
	scancel --signal=KILL --full "$task" 2>/dev/null
	wait_until has_ended "$task"
done
# A node dies with what runs on it; Slurm runs that elsewhere.
wait_until done_or_running n2
kill -9 "${nodes[2]}"
scontrol update nodename=n2 state=down reason=test
wait_until done_or_running n3
scontrol update nodename=n3 state=down reason=test
start_node 2
scontrol update nodename=n2 state=resume
scontrol update nodename=n3 state=resume
is_over() {
	[ -z "$(squeue -h)" ]
}
for i in 1 2 3 4 5; do wait_until is_over && break; done
is "$(squeue -h | wc -l)" 0 "all tasks have ended"
# What was killed and could not be requeued is submitted alone.
for i in $(seq 3); do
	missing=$(comm -13 <(ls out/completions | sort) \
		<(seq -f '%05g' 0 $((parts - 1))) | sed 's/^0*\(.\)/\1/' |
		paste -sd ,)
	[ -n "$missing" ] || break
	echo "# parts $missing again"
	sbatch -W --array="$missing" --output="$dir/out/logs/task_%5a.log" \
		--chdir="$dir" "$array" "$parts" "$dir/list" "$dir/out" \
		--budget 32k -q >/dev/null
done
echo "# the array: $(($(date +%s) - start)) s"
is "$(ls out/completions | wc -l)" "$parts" "all parts are complete"
is "$(hashes out)" "$(hashes one)" "the same manifest and outputs as of one"
is "$(find out/logs -name 'task_?????.log' | wc -l)" "$parts" "a log a part"
is "$(sums out)" "$(sums one)" "the same sums"
is "$(find out -name '.*.tmp' | wc -l)" 0 "nothing unfinished is left"

# ---- one tree ---------------------------------------------------------------

mkdir whole shards
for i in $(seq 40); do
	[ -d "t$i" ] && cp -r "t$i" whole/
done
[ "$(ls whole)" ] || "$tree" many whole 900 7
"$BALE" pack whole --budget 20k -q --no-last -o one.md
job=$(sbatch --parsable --array=0-3 --output="$dir/shard_%5a.log" \
	--chdir="$dir" "$shards" 4 "$dir/shards" whole --budget 20k)
# one is killed; the merge waits for all of them
wait_until running
scancel --signal=KILL --full "${job}_2" 2>/dev/null
wait_until is_over
missing=$(comm -13 <(ls shards | sort) <(seq -f '%05g' 0 3) |
	sed 's/^0*\(.\)/\1/' | paste -sd ,)
# what was killed is submitted again, though it may have written its part: no
# job can wait for a task that has failed
again=$(tr , '\n' <<<"2,$missing" | grep . | sort -u | paste -sd ,)
echo "# parts $again again, of which these are missing: ${missing:-none}"
job=$(sbatch --parsable --array="$again" --chdir="$dir" \
	--output="$dir/shard_%5a.log" "$shards" 4 "$dir/shards" whole \
	--budget 20k)
sbatch -W --dependency="afterok:$job" --kill-on-invalid-dep=yes \
	--chdir="$dir" \
	--output="$dir/merge.log" --wrap "'$BALE' merge '$dir/shards' whole \
	--strict --same-files --budget 20k -q --no-last -o merged.md" >/dev/null
is "$?" 0 "four shards of one tree are merged by a job that waits for them"
is "$(ls shards | paste -sd ,)" 00000,00001,00002,00003 "a part each"
is "$(cmp one.md merged.md)" "" "the same bytes as of one run"
is "$(cat merge.log)" "" "and no file was read again"
done_testing
