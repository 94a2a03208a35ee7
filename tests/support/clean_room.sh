#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does what README promises hold on a bare machine? Makes a Debian root with
# nothing but make, git and bash, clones this repository's last commit there
# and runs what a newcomer would: by default README's first two commands.
#
#   tests/support/clean_room.sh ['COMMAND'...]
#
# Needs root, debootstrap and a way to a Debian mirror: mirror, proxy and keys
# are those of this machine's own apt. The root lies in a scratch folder that
# goes away at the end; KEEP=1 keeps it, ROOM=folder names it and uses again
# the bare root of an earlier run.

set -eu

# In a mount namespace of its own, so that no mount outlives this script.
if [ -z "${CLEAN_ROOM_INSIDE:-}" ] && [ "$(id -u)" = 0 ]; then
	CLEAN_ROOM_INSIDE=1 exec unshare --mount --propagation private \
		"$0" "$@"
fi

suite=bookworm
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# != 0 ] || set -- 'make pack DIR=.' 'make test'

die() {
	echo "clean room: $*" >&2
	exit 1
}

[ "$(id -u)" = 0 ] || die 'needs root'
command -v debootstrap >/dev/null || die 'needs debootstrap'

mirror=$(apt-get indextargets --format \
	'$(REPO_URI) $(CODENAME) $(ORIGIN) $(COMPONENT)' \
	'Created-By: Packages' |
	awk -v s=$suite '$2 == s && $3 == "Debian" && $4 == "main" {
		print $1; exit }')
[ -n "$mirror" ] || die "apt of this machine knows no mirror of $suite"

room=${ROOM:-$(mktemp -d "${TMPDIR:-/tmp}/bale-room.XXXXXX")}
root=$room/root
case $room in
/*) ;;
*) die "ROOM has to be an absolute path" ;;
esac

leave() {
	umount "$root/proc" 2>/dev/null || :
	umount -R "$root/dev" 2>/dev/null || :
	# Never delete through a mount.
	if mountpoint -q "$root/proc" || mountpoint -q "$root/dev"; then
		echo "clean room: still mounted, left as it is: $root" >&2
	elif [ -z "${KEEP:-}${ROOM:-}" ]; then
		rm -rf --one-file-system "$room"
	else
		echo "clean room: kept $room"
	fi
}
trap leave EXIT
trap 'exit 130' INT TERM

# What apt of this machine needs to reach its mirror, it needs in there.
proxy=$(apt-config shell p Acquire::http::Proxy)
p=
eval "$proxy"
if [ -n "$p" ] && [ "$p" != DIRECT ]; then
	export http_proxy=$p
fi

if [ ! -e "$room/bare.tar" ]; then
	echo "clean room: a bare $suite"
	mkdir -p "$room/bare"
	debootstrap --variant=minbase --include=make,git,bash "$suite" \
		"$room/bare" "$mirror" >"$room/debootstrap.log" 2>&1 || {
		tail -n 20 "$room/debootstrap.log" >&2
		die 'debootstrap failed'
	}
	cp -a /etc/apt/apt.conf.d/. "$room/bare/etc/apt/apt.conf.d/"
	for f in apt.conf auth.conf auth.conf.d preferences.d; do
		if [ -e "/etc/apt/$f" ]; then
			cp -a "/etc/apt/$f" "$room/bare/etc/apt/"
		fi
	done
	cp -L /etc/resolv.conf /etc/hosts "$room/bare/etc/"
	tar -C "$room/bare" -cf "$room/bare.tar.part" .
	mv "$room/bare.tar.part" "$room/bare.tar"
	rm -rf --one-file-system "$room/bare"
fi

rm -rf --one-file-system "$root"
mkdir -p "$root"
tar -C "$root" -xf "$room/bare.tar"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777,size=64m shm "$root/dev/shm"

inside() {
	chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+http_proxy="$http_proxy"} "$@" </dev/null
}

git clone -q --bare "$top" "$root/origin.git"
inside git clone -q /origin.git /bale
echo "clean room: $(inside git -C /bale log -1 --format='%h %s')"
before=$(inside dpkg-query -W | wc -l)

failed=0
for command in "$@"; do
	echo "clean room: \$ $command"
	start=$SECONDS
	if inside bash -c "cd /bale && $command"; then
		echo "clean room: done after $((SECONDS - start)) s: $command"
	else
		echo "clean room: FAILED after $((SECONDS - start)) s: $command"
		failed=1
	fi
done

after=$(inside dpkg-query -W | wc -l)
echo "clean room: $before packages before, $after after"
left=$(inside git -C /bale status --short)
if [ -n "$left" ]; then
	printf 'clean room: files that git does not know or ignore:\n%s\n' "$left"
	failed=1
fi
[ $failed = 0 ] && echo 'clean room: all well'
exit $failed
