#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --compress, --doc and --strip-comments: what is written is what the source
# says it should be, in small files and in those of many slabs, for any number
# of workers, counted exactly.
#
# verifies: FR-016-49, FR-016-94, NFR-016-12

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

# functions N: N functions of C; each line of code says which line it is.
functions() {
	# no gsub(): mawk keeps each replacement, and looks through all of them
	awk -v nr="$1" 'function say(text, at) {
			line++
			while ((at = index(text, "@")) > 0)
				text = substr(text, 1, at - 1) line \
					substr(text, at + 1)
			print text
		}
		BEGIN {
		say("#include <stdio.h> /* for @ */")
		for (i = 1; i <= nr; i++) {
			say("/* Says number " i ".")
			say(" * at some length. */")
			say("int f" i "(int a, /* of @ */ char *b)")
			say("{")
			for (k = 0; k < 4 + i % 9; k++)
				say("\tcall(\"/* @ */\", a); // not @")
			say("")
			say("\t/* nothing else */")
			say("\treturn @;")
			say("}")
			say("")
		}
	}'
}

# Of such a file, what --strip-comments is to leave: by its lines' ends.
stripped() {
	sed -E 's@ */\* for [0-9]+ \*/$@@
		\@^/\* Says@d
		\@^ \* at some@d
		\@^\t/\* nothing@d
		s@, /\* of [0-9]+ \*/ @,  @
		s@ // not [0-9]+$@@' "$1"
}

# Sections of an output: the text between the fences of a file.
section() {
	awk -v name="## File: $2 (" -v short="### $2 (" '
		index($0, name) == 1 || index($0, short) == 1 { on = 1; next }
		/^```/ { fences += on; if (fences == 2) exit; next }
		on { print }' "$1"
}

mkdir tree tree/sub
functions 30 | sed 's@int f@int g@; s@call@other@' >tree/small.c
functions 3000 >tree/large.c
cp tree/small.c tree/sub/twin.c
: >tree/empty.c
seq 1 50 >tree/plain.txt
printf 'import os\n\n\nclass C:\n    """Says C."""\n    def m(self, a):\n        return a  # b\n\n\ndef f(x): return 1\n' >tree/a.py
is [ "$(stat -c %s tree/large.c)" -gt 700000 ]
all='--budget all'
much='--budget 9000000'

# everywhere ARGS: the same bytes from 1, 2 and 8 workers, exactly counted.
everywhere() {
	local w

	for w in 1 2 8; do
		run 0 pack tree -q --max-file-size 1G "$@" --workers $w \
			-o "file.$w" --report report.json
		same "file.$w" file.1
		is [ "$(figure report.json tokens)" = \
			"$("$BALE" count file.$w | awk '{ print $1 }')" ]
	done
}

for budget in "$all" "$much"; do
	# shellcheck disable=SC2086
	set -- $budget
	begin "signatures: $budget"
	everywhere "$@" --compress
	for file in small large; do
		{
			echo "imports: stdio.h"
			grep -E '^int [fg]' tree/$file.c
		} >want
		section file.1 tree/$file.c >got
		same got want
	done
	section file.1 tree/a.py >got
	printf 'imports: os\nclass C:\n def m(self, a):\ndef f(x):\n' >want
	same got want
	section file.1 tree/plain.txt >got
	seq 1 20 >want
	same got want
	is grep -qF "### tree/small.c (signatures, all" file.1
	end

	begin "signatures with the first sentence of their comments: $budget"
	everywhere "$@" --compress --doc
	{
		echo "imports: stdio.h"
		grep -E '^(int [fg]|/\* Says)' tree/large.c |
			sed 's@^/\* Says.*@& */@'
	} >want
	section file.1 tree/large.c >got
	same got want
	end

	# the code says which lines it is on
	begin "signatures with their numbers: $budget"
	everywhere "$@" --compress --line-numbers
	for file in small large; do
		{
			echo "1: imports: stdio.h"
			sed -nE 's@^int [fg].* of ([0-9]+) .*@\1: &@p' tree/$file.c
		} >want
		section file.1 tree/$file.c >got
		same got want
	done
	section file.1 tree/a.py >got
	printf '%s\n' '1: imports: os' '4: class C:' '6:  def m(self, a):' \
		'10: def f(x):' >want
	same got want
	section file.1 tree/plain.txt >got
	seq 1 20 | sed 's/.*/&: &/' >want
	same got want
	is grep -qF '### tree/small.c (signatures, all, numbered' file.1
	end

	begin "signatures without comments within them: $budget"
	everywhere "$@" --compress --strip-comments
	{
		echo "imports: stdio.h"
		grep -E '^int [fg]' tree/large.c | sed -E 's@/\* of [0-9]+ \*/@@'
	} >want
	section file.1 tree/large.c >got
	same got want
	end

	begin "no comments: $budget"
	everywhere "$@" --strip-comments
	for file in small large; do
		stripped tree/$file.c >want
		section file.1 tree/$file.c >got
		same got want
	done
	end
done

# Each line of code names its line: those behind a header or a mark have to be
# within the lines that it names.
begin 'headers and marks name the lines of the source, comments or not'
run 0 pack tree/large.c -q --budget 30000 --max-file-size 1G \
	--strip-comments -o file
awk '/^## File.* \(lines/ { split($0, a, /lines |-|[),]/); from = a[2]; to = a[3]; n++ }
	/^### tree/ { from = 1; to = 1e9; n++ }
	/^\/\/ \.\.\. \(lines/ { split($0, a, /lines |-|\)/); from = a[3] + 1; gaps++ }
	match($0, /"\/\* [0-9]+|return [0-9]+/) {
		at = substr($0, RSTART, RLENGTH); gsub(/[^0-9]/, "", at)
		seen++
		if (at + 0 < from + 0 || at + 0 > to + 0) {
			print at " is not in " from "-" to; bad = 1 }
		from = at
	}
	END { if (!n || seen < 100) print "nothing seen"; exit bad }' file >wrong
is [ ! -s wrong ]
end

begin 'a budget that holds some of it is kept, by signatures, too'
for how in --compress --strip-comments; do
	for w in 1 2 8; do
		run 0 pack tree -q --budget 20000 --max-file-size 1G $how \
			--workers $w -o file.$w --report report.json
		same file.$w file.1
	done
	tokens=$("$BALE" count file.1 | awk '{ print $1 }')
	is [ "$tokens" -le 20000 ]
	# the signatures of one file are more than that: they are cut
	is [ "$tokens" -ge 19900 ]
	is [ "$(figure report.json tokens)" = "$tokens" ]
done
end

begin 'in each format, counted exactly'
for format in markdown xml json jsonl plain; do
	for how in --compress --strip-comments; do
		for w in 1 8; do
			run 0 pack tree -q --budget 20000 --format $format \
				--max-file-size 1G $how --workers $w \
				-o file.$w --report report.json
		done
		same file.1 file.8
		is [ "$(figure report.json tokens)" = \
			"$("$BALE" count file.1 | awk '{ print $1 }')" ]
	done
done
end

begin 'a file of the same bytes is named, not written again'
run 0 pack tree -q $all --compress --exclude large.c -o file
is grep -qF '## File: tree/sub/twin.c (same as tree/small.c)' file
end

begin 'unpack writes nothing that is not the file'
for format in markdown xml json jsonl plain; do
	run 0 pack tree -q $all --compress --exclude large.c --format $format \
		-o file
	run 3 unpack file -C unpacked
	says 'tree/small.c: only its signatures: not written'
	is rm -rf unpacked
	run 0 pack tree -q $all --strip-comments --exclude large.c \
		--format $format -o file
	run 3 unpack file -C unpacked
	says 'tree/small.c: without its comments .*: not written'
	is [ ! -e unpacked/tree/small.c ]
	run 0 verify file
	is rm -rf unpacked
done
end

# Only what something was left out of is not the file: one comment at the end
# of many slabs is enough, and "/*" within a string is none.
begin 'unpack writes what had no comments'
mkdir bare
functions 30 | grep -v '/\*\|//' >bare/small.c
for _ in 1 2 3; do
	grep -v '/\*\|//' tree/large.c
done >bare/large.c
printf 'static int last; /* the only one */\n' | cat bare/large.c - >bare/late.c
printf 'char *s = "/* none */";\r\nint a;' >bare/crlf.c
seq 1 50 >bare/plain.txt
is [ "$(stat -c %s bare/large.c)" -gt 250000 ]
for format in markdown xml json jsonl plain; do
	for budget in "$all" "$much"; do
		# shellcheck disable=SC2086
		run 0 pack bare -q $budget --strip-comments --format $format \
			--max-file-size 1G -o file
		run 3 unpack file -C unpacked
		says 'bare/late.c: without its comments .*: not written'
		for file in small.c large.c crlf.c plain.txt; do
			same unpacked/bare/$file bare/$file
		done
		is [ ! -e unpacked/bare/late.c ]
		is rm -rf unpacked
	done
done
end

# An image in base64 is left out of a file, and a line that no chunk can end in
# takes all of the first part that is read of what stays.
begin 'all of the first part is carried to the last'
mkdir carried
{
	printf 'char image[] = "data:image/png;base64,%s";\n' \
		"$(seq 60000 | gzip -n9 | base64 -w0)"
	printf 'int table[] = { %s };\n' "$(seq -s, 9000)"
	functions 40
} >carried/large.c
is [ "$(stat -c %s carried/large.c)" -gt 150000 ]
for how in '' --compress --strip-comments '--compress --strip-comments'; do
	# shellcheck disable=SC2086
	run 0 pack carried -q --budget 60000 $how -o file
	is [ ! -s err ]
	is [ "$(grep -cE '^int f[0-9]' file)" = 40 ]
done
run 0 pack carried -q --budget 60000 --strip-comments -o file
section file carried/large.c | tail -n +3 >got
functions 40 >source
stripped source >want
same got want
end

# What users see of a header, a class and one-liners.
begin 'prototypes, members that are public, heads without bodies'
mkdir heads
cat >heads/a.h <<'END'
#ifdef __cplusplus
extern "C" {
#endif
struct s; /* elsewhere */
typedef struct { int a; } t;
int f(struct s *s, t *t) __attribute__((pure));
void (*h(int a, void (*b)(int)))(int);
static inline int g(void) { return 1; }
DECLARE_THING(x);
#ifdef __cplusplus
}
#endif
END
cat >heads/b.h <<'END'
namespace n {
class C : public B {
	int hidden();
public:
	C();
	virtual int open(int a) const = 0;
private:
	int b_;
	void shut() {}
};
}
END
printf 'export const f = (a: A) => a;\nimport {\n  b,\n  type C,\n} from "./d";\n' \
	>heads/c.ts
run 0 pack heads -q $all --compress -o file
section file heads/a.h >got
printf '%s\n' 'typedef struct' ' int a;' '} t;' \
	'int f(struct s *s, t *t) __attribute__((pure));' \
	'void (*h(int a, void (*b)(int)))(int);' \
	'static inline int g(void)' >want
same got want
section file heads/b.h >got
printf '%s\n' 'namespace n' 'class C : public B' ' C();' \
	' virtual int open(int a) const = 0;' >want
same got want
section file heads/c.ts >got
printf '%s\n' 'imports: ./d' 'export const f = (a: A) =>' >want
same got want
end

begin 'numbers before lines without comments are refused'
run 2 pack tree --line-numbers --strip-comments
says '--line-numbers cannot be given with --strip-comments'
end

# A text whose signatures would be longer than itself stands as it is; what a
# comment parted is not joined to a longer run of backticks.
begin 'what would become longer, and backticks that a comment parts'
mkdir odd
printf 'a(){}b(){}\n' >odd/short.c
printf 'x ``/* a */` y\n' >odd/ticks.c
printf '/* all of it */' >odd/comment.c
printf 'int a; /* to the end\n' >odd/open.c
for budget in "$all" "$much"; do
	# shellcheck disable=SC2086
	run 0 pack odd -q $budget --compress -o file
	is [ "$(section file odd/short.c | wc -c)" -le 11 ]
	# shellcheck disable=SC2086
	run 0 pack odd -q $budget --strip-comments -o file
	is [ "$(section file odd/ticks.c)" = 'x `` ` y' ]
	is [ "$(section file odd/open.c)" = 'int a;' ]
done
end

# A line that the scanner had not read to its end when its chunk was cut, one
# that is too long to be given without its comments, and one that comes in runs.
begin 'a comment that begins in a long line goes or stays as a whole'
mkdir long
for bytes in 30000 70000 300000; do
	{
		printf 'char *a = "%s"; int f(void) { /* one\n' \
			"$(head -c $bytes /dev/zero | tr '\0' x)"
		printf ' * two */\nreturn %d; // three\n}\n' $bytes
	} >long/$bytes.c
done
printf '%s\n' '"; int f(void) {' 'return 1;' '}' >short
printf '%s\n' '"; int f(void) { /* one' ' * two */' 'return 1;' '}' >whole
for budget in "$all" "$much"; do
	for w in 1 4; do
		# shellcheck disable=SC2086
		run 0 pack long -q $budget --strip-comments --workers $w -o file
		for bytes in 30000 70000 300000; do
			section file long/$bytes.c |
				sed "1s/.*x\"/\"/; s/return $bytes/return 1/" >got
			[ $bytes -gt 30000 ] && cmp -s got whole && continue
			same got short
		done
	done
done
end

finish
