#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Surveys one large tree by an array of Slurm, a part a task, and packs it when
# all of them are done:
#
#   mkdir -p PARTS logs
#   job=$(sbatch --parsable --array=0-63 --output=logs/task_%5a.log \
#       bale-shards.sh 64 PARTS TREE [OPTIONS of bale pack])
#   sbatch --dependency=afterok:$job --kill-on-invalid-dep=yes \
#       --output=logs/merge.log \
#       --wrap "bale merge PARTS TREE --strict --same-files -o OUTPUT OPTIONS"
#
# PARTS is a directory that all nodes see; so is the tree, or each node has a copy
# of it at the same path, and then it is merged without --same-files. A part gets
# its name when it is whole: a task that is killed, by scancel or with its node,
# is run again when it is requeued, and parts can be submitted alone
# (--array=3,17). docs/batch.md has the rest.
#
#SBATCH --job-name=bale-shards
#SBATCH --cpus-per-task=2
#SBATCH --mem=512M
#SBATCH --requeue
#SBATCH --open-mode=append

set -u
[ $# -ge 3 ] || {
	echo "usage: bale-shards.sh SHARDS PARTS TREE [OPTION...]" >&2
	exit 2
}
shards=$1 parts=$2 tree=$3
shift 3

# half of the job's memory: the page cache of what is read counts as well
memory=$((${SLURM_MEM_PER_NODE:-512} / 2))

"${BALE:-bale}" pack "$tree" --shards "$shards" -o "$parts" \
	--memory "${memory}M" "$@"
code=$?
if [ $code = 5 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
	scontrol requeue \
		"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}" && exit 0
fi
exit $code
