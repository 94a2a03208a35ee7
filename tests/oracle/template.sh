#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random templates and values, rendered by bale's template language and by
# mustache.js; and, if MUSTACHE_SPEC names a folder with the JSON files of the
# Mustache specification, the cases of that.
#
# verifies: FR-016-139
#
# Environment: MODE BUILD       what is tested
#              TEMPLATE_ROUNDS  templates (20000)
#              TEMPLATE_SEED    another one makes others (1)

set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build} mode=${MODE:-release}
modules=$build/oracle
command -v npm >/dev/null || { echo 'SKIP: npm is not there'; exit 77; }

mkdir -p "$modules"
cp tests/oracle/package*.json "$modules/"
(cd "$modules" && npm install --silent --no-audit --no-fund >/dev/null)
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -I. -o "$modules/template_render" \
	tests/oracle/template_render.c "$build/$mode/libbale.a" -ljansson
node tests/oracle/template.cjs "$modules" "${TEMPLATE_ROUNDS:-20000}" \
	"${TEMPLATE_SEED:-1}" "${MUSTACHE_SPEC:-}"
