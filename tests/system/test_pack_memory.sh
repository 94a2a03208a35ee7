#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Memory stays below --memory whatever a file is made of, in a control group
# that kills who takes more, with little address space and few processes; and
# where there is not enough for all workers, fewer do the work.
#
# verifies: NFR-016-10

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
limit=200
lines=900000 # tables of 73 MiB, more than --memory
[ "${LONG:-0}" = 0 ] || lines=3500000

# A line a chunk: more is known of the file than it has bytes.
mkdir many tree
awk -v nr=$lines 'BEGIN {
	srand(1)
	for (i = 0; i < nr; i++)
		printf "%02x\n", rand() * 256
}' >many/a.c
"$tools/tool_tree" many tree 300 4
run 0 pack tree --budget all -q
mv out want.md

figure() {
	grep -o "\"$2\":[0-9]*" "$1" | head -n 1 | cut -d: -f2
}

# bounded MIB ARGS...: in so much memory
bounded() {
	local memory=$1 peak
	shift

	begin "$memory MiB hold $lines chunks of one file: $*"
	run 0 pack many -q --max-file-size 1G --memory "${memory}M" \
		--report report.json "$@"
	peak=$(figure report.json peak_pss_bytes)
	[ "${peak:-0}" -gt 0 ] && [ "$peak" -le $((memory << 20)) ] ||
		complain "peak $((${peak:-0} >> 10)) KiB"
	[ "$(grep -o '"deaths":[0-9]*' report.json | sort -u)" = '"deaths":0' ] ||
		complain "workers died"
	end
}

if [ "$MODE" = asan ]; then
	skip 'many chunks of one file' 'a sanitizer takes more'
else
	bounded 64 --chunk lines:1 --budget 118k
	bounded 64 --chunk lines:1 --budget 1M --order rank
	bounded 64 --chunk lines:3 --budget 54k --query 'a1 b2 ff'
fi

# source_bound NAME CODE ARGS...: within the default; ended by `end`
source_bound() {
	local name=$1
	shift

	begin "memory for sources: $name"
	wrap=(python3 peak.py)
	run "$@" --report report.json
	wrap=()
	is [ "$(<peak)" -gt 0 ]
	is [ "$(<peak)" -le $((96 << 20)) ]
	# the report knows of what comes before the workers
	is [ "$(figure report.json peak_pss_bytes)" -ge \
		$(($(<peak) / 4 * 3)) ]
}
# shellcheck disable=SC2086  # words are wanted
sources_are_bounded() {
	local few='--budget 10k -q -o -'

	cp log colours
	printf '\033[0m\n' >>colours
	source_bound 'a log with colours' 0 pack tree --tool colours $few
	end
	source_bound 'logs one after another' 0 pack tree \
		--tool log --tool colours --tool log $few
	end
	awk 'END {
		for (i = 0; i < 250000; i++)
			printf "{\"type\":\"reference\",\"path\":" \
				"\"%s\",\"lines\":%d}\n", path, i % 9 + 1
	}' path="$(find tree -type f | head -n 1)" /dev/null >wishes
	source_bound 'many requests' 0 pack tree --sources wishes $few
	says '[0-9]+ places that sources name are left out'
	end
	awk 'BEGIN {
		printf "{\"type\":\"reference\",\"path\":[1"
		for (i = 0; i < 8000000; i++)
			printf ",1"
		print "]}"
	}' >values
	source_bound 'many values in a line' 3 pack tree \
		--sources values $few
	says 'values: line 1: it is not JSON, or has too many values'
	end
	source_bound 'many values of a search' 0 pack tree \
		--search values $few
	end
	head -c 18000000 colours | tr '\n"\033' '   ' |
		sed 's/.*/{"type":"tool_result","content":"&"}/' >long
	source_bound 'a long text in a line' 0 pack tree \
		--sources long $few
	end
	begin 'sources that are too large for their JSON'
	run 3 pack tree --sources log $few
	says 'log: larger than 64 MiB, or than a fifth of --memory'
	end
}

# The text of a log is read as a whole, but not kept in memory.
if [ "$MODE" != asan ]; then
	begin 'a large log'
	seq -f '%09.0f of a log, and tree/1.c:1: error: something' 800000 >log
	run 0 pack tree -q --tool log --memory 64M --budget 10k \
		--report report.json
	peak=$(figure report.json peak_pss_bytes)
	# the text itself is what takes most
	is [ "$peak" -lt $((58 << 20)) ]
	says 'log: names more than 100000 places: the rest is ignored'
	says '[0-9]+ places that sources name are left out: --memory has no'
	run 3 pack tree -q --tool log --memory 48M --budget 10k
	says 'log: larger than 64 MiB, or than two thirds of --memory'
	end

	# the largest process, in bytes, as the kernel has it
	cat >peak.py <<'END'
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
with open("peak", "w") as file:
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, file=file)
sys.exit(code)
END

	if command -v python3 >/dev/null; then
		sources_are_bounded
	else
		skip 'memory for sources' 'python3 is not installed'
	fi
	rm -f log colours wishes values long
fi

if is_root && can_mount; then
	# shellcheck disable=SC2016  # for the inner shell
	on_tmpfs=(unshare -m bash -c 'mount -t tmpfs none "$0" || exit 99
		exec env "$@"')
	small=(-q --max-file-size 1G --chunk lines:1 --budget 118k
		--memory 64M -o -)
	mkdir mem
	begin 'tables that lie in memory are told of, where they are too much'
	wrap=("${on_tmpfs[@]}" mem TMPDIR="$T/mem")
	run 0 pack many "${small[@]}"
	says 'tables of [0-9.]+ MiB lie in memory .*TMPDIR'
	# few tables: --memory holds them as well
	run 0 pack tree -q --budget all -o -
	is [ ! -s err ]
	end
	if [[ $BALE = /tmp/* ]]; then
		skip 'where TMPDIR is not set' 'the program is below /tmp'
	else
		begin 'where TMPDIR is not set, they lie on a disk if there is'
		# the tree is below the one that is mounted over
		wrap=("${on_tmpfs[@]}" /tmp -u TMPDIR)
		run 0 pack many "${small[@]}"
		if [[ $(stat -fc %T /var/tmp) != @(tmpfs|ramfs) ]]; then
			is [ ! -s err ]
		fi
		wrap=()
		end
	fi
else
	skip 'tables that lie in memory' 'cannot mount'
fi

begin 'the least --memory is said, and is enough'
run 5 pack tree -q --memory 8M
least=$(sed -n 's/.*the least is \([0-9]*\)M.*/\1/p' err)
[ "${least:-0}" -gt 8 ] || complain "no least: $(cat err)"
run 0 pack tree --budget all -q --memory "${least}M" --report report.json
same out want.md
[ "$MODE" = asan ] ||
	is [ "$(figure report.json peak_pss_bytes)" -le $((least << 20)) ]
run 5 pack tree -q --memory $((least - 1))M
says "the least is ${least}M"
end

if command -v git >/dev/null; then
	begin 'the least --memory for objects of git is enough'
	cp -r tree repo
	git init -q repo
	git -C repo add -A
	git -C repo -c user.name=a -c user.email=a@b commit -qm all
	for what in '--rev HEAD' --git-diff '--git-log 2'; do
		# shellcheck disable=SC2086  # words are wanted
		run 5 pack repo -q $what --memory 8M
		least_git=$(sed -n 's/.*the least is \([0-9]*\)M.*/\1/p' err)
		# shellcheck disable=SC2086
		run 0 pack repo -q $what --memory "${least_git}M"
	done
	end
fi

begin 'fewer workers than were asked for, where memory is little'
run 0 pack tree --budget all -q --memory "${least}M" --workers 12
same out want.md
says 'workers 12: only [1-4], as --memory is too little'
end

# enough for all lanes to be asked for
mkdir busy
for i in $(seq 40); do
	"$tools/tool_tree" text "busy/$i.c" 100000
done
run 0 pack busy --budget all -q --workers 1
mv out busy.md

begin 'fewer workers than were asked for, where descriptors are few'
wrap=(prlimit --nofile=26)
run 0 pack busy --budget all -q --workers 12
wrap=()
same out busy.md
says 'workers 12: only 1, as more cannot be started: Too many open files'
end

begin 'little address space'
if [ "$MODE" = asan ]; then
	skip 'little address space' 'a sanitizer takes more'
else
	wrap=(prlimit --as=$((400 << 20)))
	run 0 pack tree --budget all -q --workers 2
	same out want.md
	run 0 pack many -q --max-file-size 1G --chunk lines:3 --budget 54k \
		--workers 2
	# nothing that is asked for comes, and the cause is named
	wrap=(prlimit --as=$((40 << 20)))
	run 5 pack tree --budget all -q --workers 1
	says 'address space is limited to 40960 KiB; raise the limit \(ulimit -v\)'
	wrap=()
	end
fi

# ---- control groups ---------------------------------------------------------

# in_group FILE COMMAND...: in the group that has this file
in_group() {
	# shellcheck disable=SC2016
	wrap=(bash -c 'echo $$ >"$0" && exec "$@"' "$1")
}

# make_group CONTROLLER NAME: its directory in $group; false: there is none
make_group() {
	for group in /sys/fs/cgroup/"$1"/bale.$$.$2 /sys/fs/cgroup/bale.$$.$2; do
		[ -e "${group%/*}/cgroup.procs" ] &&
			mkdir "$group" 2>/dev/null && return 0
	done
	return 1
}

# Whoever was in it is gone, but the kernel may not know that yet.
end_group() {
	wrap=()
	# shellcheck disable=SC2016
	"$within" 10 bash -c 'until rmdir "$0" 2>/dev/null; do
		sleep 0.02
	done' "$group" || complain "$group is not empty"
}

# set_limit VALUE FILE...: the first file that there is
set_limit() {
	local value=$1 file
	shift

	for file; do
		[ ! -e "$group/$file" ] || {
			echo "$value" >"$group/$file"
			return
		}
	done 2>/dev/null
	return 1
}

begin 'a control group of 64 MiB'
if [ "$MODE" != asan ] && make_group memory memory &&
	set_limit $((64 << 20)) memory.max memory.limit_in_bytes; then
	in_group "$group/cgroup.procs"
	run 0 pack tree --budget all -q --memory 64M
	same out want.md
	run 0 pack many -q --max-file-size 1G --memory 64M --chunk lines:3 \
		--budget 118k
	end_group
	end
else
	[ -z "${group:-}" ] || rmdir "$group" 2>/dev/null
	skip 'a control group of 64 MiB' 'no group can be made here'
fi

begin 'a control group of few processes'
if make_group pids pids && set_limit 8 pids.max; then
	in_group "$group/cgroup.procs"
	run 0 pack busy --budget all -q --workers 12
	same out busy.md
	says 'workers 12: only 1, as more cannot be started'
	end_group
	end
else
	[ -z "${group:-}" ] || rmdir "$group" 2>/dev/null
	skip 'a control group of few processes' 'no group can be made here'
fi

finish
