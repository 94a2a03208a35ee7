# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What each option can be given with, for tests that try all of them; sourced
# by them, never run. The options come from the program's own table: a flag and
# a choice are in by being there, of others a value is asked for here.
#
#   option_files          writes the files that the values name, into this
#                         directory; the trees to pack lie beside them
#   option_lines COMMAND  `--option value` a line; of an option without a value
#                         `--option ?`, which no program takes

option_files() {
	echo 'text of the task' >task
	echo 'Please look at it.' >instructions.md
	echo 'src/part_1.c:9:return' >hits
	printf 'src/part_2.c:5: error: wheel\n' >tool.log
	echo '{"type":"open_file","path":"src/part_3.c"}' >sources
	printf 'src/part_1.c\nnotes.md\n' >files
	echo '0123 jwt src/part_1.c' >known
	echo 'context: {formatting: {tree: true}}' >config.yml
	cat >template <<'END'
{{header}}
{{#files}}
{{path}}
{{#content}}
{{{content}}}
{{/content}}
{{/files}}
{{tree}}
{{instructions}}
END
	echo '{{#files}}{{content}}{{/files}}' >template_short
}

option_values() {
	cat <<'END'
--output ../out.more
--report ../report.more
--metrics ../metrics
--audit-log ../audit
--secrets-baseline ../known
--write-secrets-baseline ../known.new
--template ../template
--template ../template_short
--git-log 2
--git-diff
--git-diff=HEAD^{tree}
--split 900
--pin src/gear_2.py
--boost tests/*
--source-priority tool_results=10
--header @../task
--instructions ../instructions.md
--budget 1200
--budget all
--encoding cl100k_base
--model gpt-4o
--model claude-sonnet-4
--reserve-response 100
--reserve-system 50
--categories none
--categories tool_results=70,open_files=10,search_results=10,references=10
--min-chunks 5
--relevance-weight 1
--recency-weight 0
--source-weight 0.9
--query wheel turns
--query @../task
--include *.c
--exclude *.h
--force-include *.log
--window 50k
--fail-over 900k
--files-from ../files
--rev HEAD
--max-file-size 1K
--overlap-threshold 0.5
--open src/part_2.c
--search ../hits
--search-context 3
--tool ../tool.log
--reference src/part_4.c:4-12
--sources ../sources
--source-timeout 5
--workers 2
--memory 64M
--count-cache 1
--cache verify
--cache-limit 2M
--stage-timeout 20
--config ../config.yml
--chunk lines:5
--chunk tokens:120
--max-chunk-tokens 150
--min-chunk-tokens 1
END
}

option_lines() {
	local name kind argument standard choice

	while IFS=$'\t' read -r name kind argument standard; do
		# with these there is no output: test_pack_shards.sh
		case $name in shard | shards) continue ;; esac
		case $kind in
		HELP | VERSION) ;;
		FLAG | NEGATE) echo "--$name" ;;
		CHOICE)
			for choice in ${argument//|/ }; do
				[ "$choice" = "$standard" ] ||
					echo "--$name $choice"
			done
			;;
		*)
			option_values | grep -e "^--$name\([ =]\|$\)" ||
				echo "--$name ?"
			;;
		esac
	done < <("${BALE%/*}/tests/support/tool_options" "$1")
}
