#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Layers of the sandbox that the kernel or a container does not have: what
# --sandbox makes of them, what is said, and what the report has. LONG=1: with
# each error for each call, else one of the two.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
deny=${BALE%/*}/tests/support/tool_deny
[ -x "$deny" ] || skip_all "$deny is not built"
"$deny" EPERM seccomp true || skip_all no filter of system calls can be set
"$BALE" --version | grep -q '^sandbox: no_new_privs landlock seccomp capabilities$' ||
	skip_all "$("$BALE" --version | tail -1)"

mkdir "$dir/tree" && cd "$dir/tree" || exit 1
echo 'int main(void);' >main.c
mkfifo list # whoever reads it waits

# run ERROR CALLS ARGUMENT...: exit code, codes of what was said, the report
run() {
	local error=$1 calls=$2 code
	shift 2
	rm -f ../report ../out
	"$within" 60 "$deny" "$error" "$calls" "$BALE" "$@" >../out 2>../err
	code=$?
	printf '%s %s %s' $code \
		"$(grep -o 'BALE-SBX-00[0-9]' ../err | sort | uniq -c | xargs)" \
		"$(grep -o '"sandbox":{[^}]*}' ../report 2>/dev/null)"
}

# what the report has: MODE ACTIVE MISSING
field() {
	echo "\"sandbox\":{\"mode\":\"$1\",\"active\":[$2],\"missing\":[$3]}"
}

nnp='"no_new_privs"' landlock='"landlock"' seccomp='"seccomp"'
caps='"capabilities"'
root=
[ "$(id -u)" != 0 ] || root=yes
"$BALE" pack --budget all -q --no-last . >../want
i=0
for error in EPERM ENOSYS; do
	while read -r calls active missing name; do
		[ -n "$calls" ] || continue
		i=$((i + 1))
		[ "${LONG:-0}" != 0 ] || [ $((i % 2)) = 1 ] || continue
		is "$(run $error $calls pack --budget all -q --no-last \
			--report ../report .)" \
			"0 1 BALE-SBX-001 $(field auto "$active" "$missing")" \
			"$error of $calls: a warning, and the run goes on"
		is "$(cmp ../out ../want 2>&1)" '' "$error of $calls: the output is the same"
		is "$(grep -c "lacks $name here ($error): " ../err)" 1 \
			"$error of $calls: the warning names $name and why"
		is "$(grep -c "\"warnings\":\[\"BALE-SBX-001 the sandbox lacks $name" ../report)" 1 \
			"$error of $calls: the report has the warning"
		is "$(run $error $calls pack --sandbox=require --budget all -q \
			--report ../report --files-from list .)$(ls ../report 2>/dev/null)" \
			"5 1 BALE-SBX-002 " \
			"$error of $calls: require ends before anything is read"
		is "$(run $error $calls pack --sandbox off --budget all -q \
			--no-last --report ../report .)" \
			"0  $(field off '' "$nnp,$landlock,$seccomp,$caps")" \
			"$error of $calls: off says nothing"
		is "$(run $error $calls --version; tail -1 ../out)" \
			"0  sandbox: $(tr -d '"' <<<"${active//,/ }"); missing: $name ($error)" \
			"$error of $calls: --version says the same"
	done <<-END
		landlock_create_ruleset $nnp,$seccomp,$caps $landlock landlock
		landlock_add_rule $nnp,$seccomp,$caps $landlock landlock
		landlock_restrict_self $nnp,$seccomp,$caps $landlock landlock
		seccomp $nnp,$landlock,$caps $seccomp seccomp
		${root:+capset $nnp,$landlock,$seccomp $caps capabilities}
		${root:+capbset_drop $nnp,$landlock,$seccomp $caps capabilities}
	END
	is "$(run $error seccomp,landlock_add_rule pack -q --no-last \
		--report ../report .)" \
		"0 2 BALE-SBX-001 $(field auto "$nnp,$caps" "$landlock,$seccomp")" \
		"$error of two layers: a warning for each"
	is "$(run $error seccomp,landlock_add_rule pack -q --sandbox=require .)" \
		"5 2 BALE-SBX-002 " "and an error for each"
	is "$(run $error no_new_privs pack -q --no-last --report ../report .)" \
		"0 3 BALE-SBX-001 $(field auto "$caps" "$nnp,$landlock,$seccomp")" \
		"$error of no_new_privs: nothing can be put on without it"
	# one of them each, as both go the same way
	for command in $([ $error = EPERM ] && echo preview || echo tree); do
		is "$(run $error seccomp $command --no-sandbox .)" "0  " \
			"$command --no-sandbox is off"
		is "$(run $error seccomp $command .)" "0 1 BALE-SBX-001 " \
			"$command warns"
		is "$(run $error seccomp $command --sandbox=require .)" \
			"5 1 BALE-SBX-002 " "$command requires"
	done
done

# what is there is put on
"$BALE" pack --sandbox=require --budget all -q --no-last --report ../report . >../out
is "$? $(grep -o '"sandbox":{[^}]*}' ../report)" \
	"0 $(field require "$nnp,$landlock,$seccomp,$caps" '')" 'require, and all is there'
is "$(cmp ../out ../want 2>&1)" '' 'the output is the same'

# before a configuration file is read
mkdir -p .agent && mkfifo .agent/config.yml
is "$(run EPERM seccomp pack --sandbox=require .)" "5 1 BALE-SBX-002 " \
	'require ends before the configuration is read'
is "$(BALE_SANDBOX=require run EPERM seccomp pack .)" "5 1 BALE-SBX-002 " \
	'the environment says it as well'
rm .agent/config.yml
echo 'sandbox: off' >.agent/config.yml
"$BALE" pack -q . >../out 2>../err
is "$? $(grep -c BALE-CFG-004 ../err)" '2 1' 'a configuration file cannot'
is "$("$BALE" pack --sandbox=auto --no-sandbox . 2>&1 | grep -c BALE-CLI-005)" 1 \
	'--no-sandbox and another mode contradict each other'

# ---- what root may do beyond others -------------------------------------------

[ -n "$root" ] && command -v setpriv >/dev/null || {
	done_testing
	exit
}
rm -rf .agent list && mkdir private && echo 'int private;' >private/p.c
seq 1 100000 >large.c
chmod 600 private/p.c && chmod 700 private && chown -R 65534:65534 private
# as in a container that has no CAP_DAC_READ_SEARCH, as Docker's, or no other
for without in '' -dac_read_search -dac_override; do
	wrap=()
	[ -z "$without" ] || wrap=(setpriv --bounding-set $without)
	"${wrap[@]}" "$BALE" pack --budget all -q --no-last --strict -o ../out . \
		2>../err
	is "$? $(grep -c 'int private' ../out) $(wc -l <../err)" '0 1 0' \
		"root reads what is another user's: ${without:-all capabilities}"
done
is "$(setpriv --reuid 65533 --clear-groups "$BALE" pack --budget all -q \
	--no-last . 2>&1 | grep -c 'int private')" 0 'and nobody else does'
chown 65534 . && chmod 755 . && touch theirs.md && chown 65534 theirs.md
"$BALE" pack --budget all -q --no-last -o theirs.md private 2>../err
is "$? $(grep -c 'int private' theirs.md)" '0 1' \
	"root writes where another user may"

# What the supervisor has while the output waits for its reader; for workers:
# test_supervisor_sandbox.
mkfifo ../pipe
exec 9<>../pipe
"$BALE" pack --budget all -q --no-last -o ../pipe . &
pid=$!
read -r -n 1 <&9
left=0 # beyond CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
for set in $(sed -n 's/^Cap...:\t//p' /proc/$pid/status); do
	left=$((left | (16#$set & ~14)))
done
is $left 0 'the supervisor may do what reads and writes files, and no more'
kill $pid
exec 9>&-
wait $pid 2>/dev/null
done_testing
