#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs what building and testing bale need; says what it installs, and
# nothing when all is there.
#
#   tools/deps.sh          to build, pack and test
#   tools/deps.sh --dev    and for make check: clang, valgrind, node, ...
#
# Debian and Ubuntu: apt-get, as root or through sudo. Elsewhere: prints the
# list and fails.

set -eu

libs='liburing libdeflate libzstd libcrypto jansson libgit2 yaml-0.1 cmocka libpcre2-8'

packages='gcc libc6-dev make pkg-config liburing-dev libdeflate-dev
libzstd-dev libssl-dev libjansson-dev libgit2-dev libyaml-dev libcmocka-dev libpcre2-dev python3'

if [ "${1:-}" = --dev ]; then
	packages="$packages clang libclang-rt-dev clang-format valgrind strace mandoc
		pmccabe python3-prometheus-client python3-jsonschema git zstd tmux
		ntfs-3g"
	# for the tests of the report's page; Ubuntu has it as a snap only
	if grep -q '^ID=debian' /etc/os-release 2>/dev/null; then
		packages="$packages chromium"
	fi
	if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
		packages="$packages nodejs npm"
	fi
fi

is_debian() {
	command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

if ! is_debian; then
	if command -v gcc >/dev/null && command -v pkg-config >/dev/null &&
	    pkg-config --exists $libs; then
		exit 0
	fi
	{
		echo 'deps: this is neither Debian nor Ubuntu. Please install'
		echo 'gcc, make, pkg-config and, with headers, the libraries'
		echo "$libs" | sed 's/^/  /'
		echo 'The names of the packages on Debian are'
		echo "$packages" | sed 's/^[[:space:]]*/  /'
	} >&2
	exit 1
fi

# dpkg-query names what it does not know on stderr and fails; both are what
# is asked for here, so only its list of installed packages is looked at.
installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $packages \
	2>/dev/null | sed -n 's/^ii *//p' || :)
missing=
for p in $packages; do
	case "
$installed
" in
	*"
$p
"*) ;;
	*) missing="$missing $p" ;;
	esac
done
[ -n "$missing" ] || exit 0

run=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "deps: needs root to install:$missing" >&2
		exit 1
	fi
	run=sudo
fi

echo "deps: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
	$run env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" \
		>"$log" 2>&1 </dev/null
}
# The lists may be absent (a bare image) or old; update only when they fail.
if ! apt install --no-install-recommends $missing; then
	if ! apt update || ! apt install --no-install-recommends $missing; then
		cat "$log" >&2
		echo "deps: could not install:$missing" >&2
		exit 1
	fi
fi
echo 'deps: done'
