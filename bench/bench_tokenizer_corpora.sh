#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Makes the three texts that tokenizers are compared on.
#
#   bench/bench_tokenizer_corpora.sh LINUX_SOURCE FOLDER
#
# LINUX_SOURCE is an unpacked tree of Debian's linux-source-6.1 (free under the
# GPL). kernel.txt is the first 100 MB of its .c and .h files in the order of
# their names; english.txt its documentation and, where Debian's bible-kjv is
# installed, the King James Bible; chinese.txt the Chinese translation of the
# documentation and, where Debian's manpages-zh is installed, manual pages.

set -eu
if [ $# -ne 2 ] || [ ! -d "$1/Documentation" ]; then
	echo "usage: $0 LINUX_SOURCE FOLDER" >&2
	exit 2
fi
tree=$1
folder=$2
mkdir -p "$folder"

# texts FOLDER PATTERN...: the files of these names, one after the other.
texts() {
	local dir=$1

	shift
	find "$dir" -name translations -prune -o -type f "$@" -print0 |
		LC_ALL=C sort -z | xargs -0 -r cat
}

{ texts "$tree" -name '*.[ch]' || true; } | head -c 100000000 \
	>"$folder/kernel.txt"
texts "$tree/Documentation" -name '*.rst' >"$folder/english.txt"
if command -v bible >/dev/null; then
	bible -f gen1:1-rev22:21 >>"$folder/english.txt"
fi
{
	find "$tree/Documentation/translations/zh_CN" -name '*.rst' -print0 |
		LC_ALL=C sort -z | xargs -0 -r cat
	find /usr/share/man/zh_CN -name '*.gz' -print0 2>/dev/null |
		LC_ALL=C sort -z | xargs -0 -r zcat
} >"$folder/chinese.txt"
wc -c "$folder"/kernel.txt "$folder"/english.txt "$folder"/chinese.txt
