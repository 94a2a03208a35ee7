#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Unpacks free texts in many scripts below a folder: manuals, word lists,
# fortunes and translations of Debian. Needs apt-get and the network.
#
# usage: tests/oracle/tokenizer_texts.sh FOLDER

set -eu
folder=$1
[ -d "$folder/all" ] && exit 0
command -v apt-get >/dev/null || exit 77
mkdir -p "$folder/part"
cd "$folder"
apt-get -qq download manpages-ja manpages-zh manpages-ru manpages-de \
	iso-codes hunspell-ar hunspell-he hunspell-hi hunspell-ko hunspell-th \
	hunspell-vi hunspell-el hunspell-uk hunspell-te hunspell-bn \
	hunspell-gu hunspell-ne hunspell-si hunspell-lo \
	debian-reference-zh-cn debian-reference-ja fortunes-zh fortunes-ru
for package in *.deb; do
	dpkg-deb -x "$package" part
done
rm -f ./*.deb
find part -type l -delete
find part -name '*.gz' -exec gzip -df {} +
mv part all
