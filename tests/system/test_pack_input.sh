#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What bale does about input that is not what it hopes for: a clear error or
# a named exclusion, the documented exit code, and the rest is packed.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
tree=$tools/tool_tree

# left_out REASON PATH: the report names the file with that reason.
left_out() {
	grep -F "\"path\":\"$2\"" report.json |
		grep -q "\"reason\":\"$1\"" ||
		complain "$2 is not reported as $1"
}

packed() {
	grep -aqF "## File: $1 (" out || complain "$1 is not in the output"
}

not_packed() {
	! grep -aqF "## File: $1 (" out || complain "$1 is in the output"
}

# --------------------------------------------------- nothing, or not there --

begin 'a directory that is not there'
run 2 pack -o file.md nowhere
says 'nowhere: No such file or directory'
is [ ! -e file.md ]
end

begin 'one of several directories is not there'
mkdir some && echo text >some/file
run 2 pack -o file.md some nowhere
says 'nowhere: No such file or directory'
is [ ! -e file.md ]
end

begin 'an odd name is told escaped'
run 2 pack $'no\nwhere\e[31m'
says '"no\\nwhere\\033\[31m": No such file'
is [ "$(wc -l <err)" = 1 ]
end

# verifies: NFR-016-36
begin 'an empty directory'
mkdir empty
run 9 pack empty -o file.md
says 'BALE-CTX-004'
is [ ! -e file.md ]
run 9 pack empty --budget all -o file.md
is [ ! -e file.md ]
end

begin 'nothing but what is left out'
mkdir nothing && printf '\0' >nothing/binary && ln -s binary nothing/link
run 9 pack nothing -o file.md
says 'BALE-CTX-004'
run 9 pack some --include '*.none' -o file.md
run 9 pack nothing --budget all -o file.md
is [ ! -e file.md ]
end

begin 'nothing but empty files'
mkdir hollow && : >hollow/a && : >hollow/b
run 0 pack hollow --budget all
is [ "$(grep -c '(empty)$' out)" = 2 ]
end

begin 'an empty path, and options that make no sense'
run 2 pack ''
run 2 pack --budget 0 some
run 2 pack --budget many some
run 2 pack --workers 0 some
run 2 pack --workers 1000 some
run 2 pack --memory 3 some
run 2 pack --io paper some
run 2 pack --no-such-option some
run 2 pack --encoding klingon some
says 'klingon'
run 2 nonsense
end

begin 'a file that tells of nothing but a NUL far behind'
{ head -c 100000 /dev/zero | tr '\0' 'x'; printf '\n\0\n'; } >some/late
run 0 pack some --budget all -o file.md
is cmp -s <(grep -a -A 2 '^xxx' file.md | head -n 2) some/late
rm some/late
end

# ----------------------------------------------- what is no file to be read --

# verifies: NFR-016-44, FR-016-118
begin 'binary files, FIFOs, sockets, devices and links are named, not read'
mkdir kinds outside
echo secret >outside/secret
echo text >kinds/text
head -c 5000 /dev/urandom >kinds/random
printf '\0' >kinds/nul
mkfifo kinds/fifo
"$tree" socket kinds/socket
ln -s ../outside/secret kinds/link
ln -s ../outside kinds/directory
ln -s . kinds/loop
ln -s loop2 kinds/loop1 && ln -s loop1 kinds/loop2
ln -s nowhere kinds/broken
ln -s "$T/outside/secret" kinds/absolute
ln -s /dev/zero kinds/zero
run 0 pack kinds --budget all --report report.json
packed kinds/text
is [ "$(grep -c '^## File: ' out)" = 1 ]
is [ "$(grep -c secret out)" = 0 ]
left_out binary kinds/random
left_out binary kinds/nul
left_out special kinds/fifo
left_out special kinds/socket
for link in link directory loop loop1 loop2 broken absolute zero; do
	left_out symlink kinds/$link
done
run 0 pack kinds --budget 20000
packed kinds/text
is [ "$(grep -c '^## File: ' out)" = 1 ]
end

begin 'devices are not read'
if is_root && mknod kinds/device c 1 5 2>/dev/null; then
	run 0 pack kinds --budget all --report report.json
	left_out special kinds/device
	end
	rm kinds/device
else
	skip 'devices are not read' 'not root'
fi

begin 'a FIFO, a device or a directory link as the root itself'
run 9 pack kinds/fifo
says '1 special'
run 9 pack /dev/null
says '1 special'
run 0 pack kinds/directory --budget all --paths absolute
is grep -q 'secret (lines' out
end

begin 'files beyond the limit of size are named'
mkdir large && echo small >large/small
truncate -s 3G large/sparse
run 0 pack large --budget 20000 --report report.json
left_out too-large large/sparse
packed large/small
run 0 pack large --budget all --max-file-size 1M --report report.json
left_out too-large large/sparse
end

begin 'a sparse file of 3 GB without a limit is a binary one'
run 0 pack large --budget all --report report.json
left_out binary large/sparse
packed large/small
rm large/sparse
end

begin 'a text file beyond the limit is left out, one below it is not'
"$tree" text large/eleven 11000000
"$tree" text large/nine 9000000
run 0 pack large --budget 20000 --report report.json
left_out too-large large/eleven
left_out budget large/nine
end
rm -rf large

# ------------------------------------------------------------- permissions --

# As nobody, if we are root, which can read anything.
secluded() {
	local dir

	dir=$(mktemp -d /tmp/bale-nobody.XXXXXX) || return 1
	chmod 755 "$dir"
	cp "$BALE" "$dir/bale"
	mkdir "$dir/t" "$dir/tmp"
	(
		cd "$dir/t" || exit 1
		echo text >readable
		echo text >no-permission && chmod 0 no-permission
		mkdir closed listed
		echo text >closed/file
		echo text >listed/file
		chmod 0 closed
		chmod 444 listed
	)
	echo "$dir"
}

wrap_nobody() {
	if is_root; then
		chown -R 65534 "$nobody" &&
			wrap=(setpriv --reuid 65534 --regid 65534
				--clear-groups env TMPDIR="$nobody/tmp")
	fi
}

if nobody=$(secluded) && wrap_nobody &&
	${wrap[@]+"${wrap[@]}"} test -x "$nobody/bale"; then
	was=$BALE BALE=$nobody/bale
	begin 'what must not be read is named, the rest is packed'
	run 3 pack "$nobody/t" --paths absolute --budget all --report "$nobody/tmp/r.json"
	mv "$nobody/tmp/r.json" report.json
	says '3 unreadable'
	packed "$nobody/t/readable"
	left_out unreadable "$nobody/t/no-permission"
	left_out unreadable "$nobody/t/closed/"
	left_out unreadable "$nobody/t/listed/file"
	run 3 pack "$nobody/t" --paths absolute --budget 20000 -q
	says "^bale: warning: $nobody/t/no-permission is left out: permission"
	says "^bale: warning: $nobody/t/closed/ is left out: permission"
	says 'the rest is packed: files are missing: 3 unreadable; --report'
	packed "$nobody/t/readable"
	end
	begin 'with --strict nothing is written then'
	run 3 pack "$nobody/t" --budget all --strict -o "$nobody/tmp/file.md"
	says 'strict'
	is [ -z "$(ls -A "$nobody/tmp")" ]
	says "^bale: --strict: nothing is written to $nobody/tmp/file.md: files"
	run 3 pack "$nobody/t" --strict
	is [ ! -s out ]
	end
	begin 'a root that must not be read'
	run 2 pack "$nobody/t/closed"
	says 'Permission denied'
	run 9 pack "$nobody/t/no-permission"
	says '1 unreadable'
	end
	begin 'a directory that must not be written to'
	chmod 555 "$nobody/t"
	run 4 pack "$nobody/t/readable" -o "$nobody/t/file.md"
	says 'Permission denied'
	chmod 755 "$nobody/t"
	end
	begin 'a process limit below the number of workers'
	wrap+=(prlimit --nproc=3)
	run 5 pack "$nobody/t/readable" -o "$nobody/tmp/file.md"
	says 'ulimit -u'
	is [ -z "$(ls -A "$nobody/tmp")" ]
	end
	BALE=$was wrap=()
else
	skip 'files that must not be read' 'cannot become another user'
fi
chmod -R u+rwX "$nobody" 2>/dev/null
rm -rf "$nobody"

# ----------------------------------------------------------------- budgets --

# verifies: NFR-016-23, FR-016-113
begin 'a budget smaller than the reserves'
run 2 pack some --window 9000 --reserve-response 8k --reserve-system 2k \
	-o file.md
says 'BALE-BUD-005'
is [ ! -e some.md ]
run 2 pack some --budget 10000 --reserve-response 8k --reserve-system 2k
end

begin 'a budget that nothing fits into'
run 8 pack some --budget 3 -o fits.md
says 'BALE-BUD-001'
is [ ! -e fits.md ]
run 8 pack some --budget 1 --reserve-response 0 --reserve-system 0
is [ ! -s out ]
end

begin 'a chunk that does not fit is passed over for a smaller one'
mkdir sizes && "$tree" text sizes/big.c 90000 && echo small >sizes/small.c
run 0 pack sizes --budget 100 --tiers off --report report.json
packed sizes/small.c
left_out budget sizes/big.c
end

# ------------------------------------------------------ while it is read --

begin 'files that grow, shrink and vanish meanwhile cost no other file'
mkdir moving steady
"$tree" many moving 300 1
"$tree" many steady 300 2
run 0 pack steady --budget all -o want.md
(
	while :; do
		for f in moving/d0*/*; do
			echo 'more' >>"$f"
			truncate -s 100 "$f"
			rm -f moving/d09/f*1.c
			cp "$f" moving/d09/again
			rm -f moving/d09/again
		done
	done
) 2>/dev/null &
mover=$!
for _ in 1 2 3; do
	"$within" 60 "$BALE" pack moving steady --budget all -o file.md -q \
		2>err
	code=$?
	is [ $code = 0 -o $code = 3 ]
	grep -ao '^## File: steady/[^ ]*' want.md >want.names
	grep -ao '^## File: steady/[^ ]*' file.md >got.names
	same got.names want.names
	"$within" 60 "$BALE" pack moving steady --budget 60000 -o file.md -q \
		2>err
	code=$?
	is [ $code = 0 -o $code = 3 ]
done
kill $mover
wait $mover 2>/dev/null
nothing_left $$.none
end

finish
