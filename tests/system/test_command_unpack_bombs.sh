#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A small input does not become a large one: `bale unpack` and `bale verify`
# end at --max-output and at --memory, with little memory used, and leave
# nothing behind.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1

# Frames by hand (RFC 8878), as no compressor would write them.
python3 - <<'END'
import struct

MAGIC = struct.pack('<I', 0xfd2fb528)

def block(kind, size, data, last):
    return struct.pack('<I', size << 3 | kind << 1 | last)[:3] + data

def frame(window_log, blocks):
    return MAGIC + bytes([0, (window_log - 10) << 3]) + blocks

text = b'## File: a (lines 1-1)\n```\nx\n```\n\n'
whole = frame(17, block(0, len(text), text, 1))
run = block(1, 1 << 17, b'x', 0)
end = block(1, 1, b'x', 1)
files = {
    'bomb': frame(17, run * 800000 + end),                  # 100 GB
    'says': MAGIC + bytes([3 << 6, 0]) + struct.pack('<Q', 100 << 30),
    'frames': frame(17, run + end) * 8000,                  # 1 GB
    'empty': frame(10, block(0, 0, b'', 1)) * 100000 + whole,
    'skipped': struct.pack('<II', 0x184d2a57, 6) + b'skip!!' + whole,
    'skips': struct.pack('<II', 0x184d2a50, 0xfffffff0),
    'window': frame(31, block(0, len(text), text, 1)),
    'large': frame(25, block(0, len(text), text, 1)),
    'whole': whole,
    'garbage': whole + b'garbage',
}
for name, data in files.items():
    open(name + '.zst', 'wb').write(data)
END

# run ARGS...: its exit code, and the files that are left.
run() {
	rm -rf back
	"$BALE" "$@" >err 2>&1
	code=$?
	left=$(find back "$TMPDIR" -path "$dir" -prune -o -type f -print 2>/dev/null)
}

# weigh ARGS...: the same, and the most memory it had, in KiB.
weigh() {
	rm -rf back
	read -r code kib < <(python3 -S - "$BALE" "$@" <<'END'
import resource
import subprocess
import sys

with open('err', 'wb') as err:
    code = subprocess.run(sys.argv[1:], stdout=err, stderr=err).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
	)
	left=$(find back "$TMPDIR" -path "$dir" -prune -o -type f -print 2>/dev/null)
}
export TMPDIR=$dir/tmp
mkdir -p "$TMPDIR"
case ${MODE:-} in
asan | tsan) most=1000000 ;; # their own is more than that
*) most=65536 ;;
esac

for command in 'unpack -C back' 'verify --budget 1M'; do
	for bomb in 'bomb.zst --max-output 20M' says.zst \
		'frames.zst --max-output 20M'; do
		# shellcheck disable=SC2086  # words are wanted
		weigh $command $bomb
		is "$code $left" '5 ' "$command $bomb: ends, and leaves nothing"
		is "$(grep -c 'decompresses to more than --max-output' err)" 1 \
			"$command $bomb: is said"
		is "$((kib < most))" 1 "$command $bomb: with $kib KiB"
	done
	for input in empty skipped whole large; do
		# shellcheck disable=SC2086
		run $command $input.zst
		is $code 0 "$command $input: is read: $(head -n 1 err)"
	done
	for input in skips garbage; do
		# shellcheck disable=SC2086
		run $command $input.zst
		is "$code $(grep -c 'its zstd data is damaged' err)" '2 1' \
			"$command $input: is damaged"
	done
	for input in 'window.zst' 'large.zst --memory 32M'; do
		# shellcheck disable=SC2086
		run $command $input
		is "$code $(grep -c 'needs more than --memory' err)" '5 1' \
			"$command $input: has no room"
	done
	# a limit that holds is no limit
	# shellcheck disable=SC2086
	run $command whole.zst --max-output 34
	is $code 0 "$command: as much as there may be"
	# shellcheck disable=SC2086
	run $command whole.zst --max-output 33
	is $code 5 "$command: and a byte more"
	# shellcheck disable=SC2086
	run $command whole.zst --max-output 0
	is $code 2 "$command: nothing is no limit"
	# what is not compressed is not bounded by it
	zeros=$(printf '%05000d' 0)
	printf '## File: a (lines 1-1)\n```\nx\n```\n\n## Instructions\n\n%s\n' \
		"$zeros" >plain
	# shellcheck disable=SC2086
	run $command plain --max-output 35
	is $code 0 "$command: a file that is not compressed"
done

# All inputs of unpack lie there at the same time.
cp whole.zst again.zst
run unpack whole.zst again.zst -C back --max-output 67
is "$code $(grep -c 'again.zst: it decompresses to more' err)" '5 1' \
	'unpack: two come to more than it'
rm again.zst
[ -d /dev/shm ] && [ "$(stat -fc %T /dev/shm)" = tmpfs ] && {
	head -c 20000000 /dev/zero | tr '\0' 'x' >>plain
	TMPDIR=/dev/shm run unpack plain -C back --memory 16M
	is "$code $(grep -c 'set TMPDIR to a directory on a disk' err)" '5 1' \
		'a copy in memory is bounded by --memory'
}

# References: a few bytes each, and a file.
{
	printf '## File: a (lines 1-1)\n```\n%0999999d\n```\n\n' 0
	for ((i = 0; i < 2000; i++)); do
		printf '## File: b%d (same as a)\n\n' $i
	done
} >same
run unpack same -C back --max-output 5M
is "$code $(find back -type f | wc -l)" '5 5' 'references: to the limit, whole'
is "$(grep -c 'its files are larger than --max-output' err)" 1 'and it is said'
is "$(find back -type f -size -1000000c -o -name '.*' -type f)" '' \
	'with nothing half-written'
done_testing
