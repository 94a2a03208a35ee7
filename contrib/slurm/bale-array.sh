#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Packs the repositories of a list by an array of Slurm, a part a task:
#
#   mkdir -p DIR/logs
#   sbatch --array=0-63 --output=DIR/logs/task_%5a.log \
#       bale-array.sh 64 LIST DIR [OPTIONS of bale batch]
#
# LIST, DIR and the trees must be seen by all nodes. A task that is killed, by
# scancel or with its node, goes on where it was when it is requeued; parts can
# be submitted alone (--array=3,17). What is worth another try is requeued here,
# twice at most. docs/batch.md has the rest.
#
#SBATCH --job-name=bale
#SBATCH --cpus-per-task=2
#SBATCH --mem=512M
#SBATCH --requeue
#SBATCH --open-mode=append

set -u
[ $# -ge 3 ] || {
	echo "usage: bale-array.sh PARTS LIST DIR [OPTION...]" >&2
	exit 2
}
parts=$1 list=$2 dir=$3
shift 3

# half of the job's memory: the page cache of what is read counts as well
memory=$((${SLURM_MEM_PER_NODE:-512} / 2))

"${BALE:-bale}" batch "$list" -d "$dir" --shards "$parts" \
	--memory "${memory}M" "$@"
code=$?
if [ $code = 5 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
	scontrol requeue \
		"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && exit 0
fi
# lines that have failed are in the manifest; the task has done its work
[ $code = 3 ] && exit 0
exit $code
