#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --secrets: more than 700 secrets, of each rule and in many forms, made here and
# planted in files, sources, messages, changes and conversations; none of them
# is in any output.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=a@b

# Writes the tree, what is said of it, and, a line each, what must not leak.
cat >"$dir/plant.py" <<'END'
import base64, json, os, random, string, sys
import secrets_of_rules
rng = random.Random(20261127)
alnum, digits = string.ascii_letters + string.digits, string.digits
hexes, upper = digits + "abcdef", string.ascii_uppercase + "234567"
secrets, lines = [], []

def some(letters, nr):
    # a digit every fourth, so that it looks like a secret in every rule
    return "".join(rng.choice(digits[2:8] if i % 4 == 3 and "3" in letters
                              else letters) for i in range(nr))

def add(form, *values):
    secrets.extend(values)
    lines.append(form % values)

def key(kind, joint, before="", nr=4):
    body = [some(alnum + "+/", 64) for _ in range(nr)] + [some(alnum, 24)]
    secrets.extend(body)
    text = [f"-----BEGIN {kind}PRIVATE KEY-----", *body,
            f"-----END {kind}PRIVATE KEY-----"]
    lines.append("".join(before + x + joint for x in text))

for kind, begin, secret in secrets_of_rules.of_each(rng, sys.argv[3], 2):
    if kind == "URL":
        add("amqp://someone:%s@host.internal", secret)
    elif kind == "VARIABLE":
        add("MY_" + begin + "=%s", secret)
    elif kind in ("TOKEN", "BEFORE"):
        add("t = '%s'", secret)
    elif kind == "AFTER":
        add(begin.replace("%", "%%") + "%s", secret)
    else:
        add(begin + "_x = \"%s\"", secret)

for i in range(16):
    add('a = "%s";', "gh" + rng.choice("pousr") + "_" + some(alnum, 36))
    add("key: %s", "AKIA" + some(upper, 16))
    add('aws_secret_access_key = "%s",', some(alnum, 40))
    add("postgres://bob:%s@db.internal/x", some(alnum, 14))
    add("SERVICE_API_TOKEN=%s", some(alnum, 24))
    add("export DB_PASSWORD='%s'", some(alnum, 18))
    add("stripe('%s')", "sk_live_" + some(alnum, 24))
    add('{"discord": "%s", "a": 1}', some(hexes, 64))
    add('slack = [ "%s", 1 ]',
        "xoxb-%s-%s-" % (some(digits, 12), some(digits, 12)) + some(alnum, 24))
    add('g("%s");', "AIza" + some(alnum, 35))
    add('password = "%s"', some(alnum, 32))
    add("glpat: %s", "glpat-" + some(alnum, 20))
    add('"Authorization": "Basic %s"',
        base64.b64encode(some(alnum, 30).encode()).decode())
    add("Authorization: Bearer %s", some(alnum, 40))
    add("AccountKey=%s==", some(alnum, 86))
    add("https://hooks.slack.com/services/%s", some(alnum, 44))
    add("jwt=%s", "eyJ" + some(alnum, 30) + ".eyJ" + some(alnum, 40) + "." +
        some(alnum, 43))
    add("//registry.example.org/:_authToken=%s", some(alnum, 36))
    add("heroku_key = '%s'", "-".join(some(hexes, n)
                                      for n in (8, 4, 4, 4, 12)))
    add("SG: %s", "SG." + some(alnum, 22) + "." + some(alnum, 43))
    add("t = '%s'", "npm_" + some(alnum, 36))
    key("RSA ", "\n")
    key("EC ", "\\n")
    key("", '\\n"\n', before='    "')
    add("    client-key-data: %s", base64.b64encode(
        ("-----BEGIN EC PRIVATE KEY-----\n" + some(alnum, 200)).encode()
    ).decode())
    # a patch shows lines before a change: of a key whose first line it does
    # not show nothing is known
    lines.append(f"int a_{i};\n" * 4)
    lines.append(f"static int filler_{i}(int a) {{ return a * {i}; }}\n" * 4)
tree, out = sys.argv[1], sys.argv[2]
text = "\n".join(lines) + "\n"
os.makedirs(tree)
open(f"{tree}/all.c", "w").write(text)
open(f"{tree}/utf16.txt", "w", encoding="utf-16").write(text)
open(f"{tree}/clean.c", "w").write("int main(void) { return 0; }\n")
with open(f"{tree}/large.txt", "w") as large:
    while large.tell() < 2500000:
        large.write(rng.choice(lines) + "\n")
        large.write("a line of text " * rng.randint(1, 40) + "\n")
open(f"{out}/secrets", "w").write("\n".join(secrets) + "\n")
open(f"{out}/log", "w").write(text)
# what agents and models say: a text, a call with JSON in a string, results
def messages(form):
    for line in lines:
        yield form(line)
        yield form(json.dumps({"password_file": line}))
with open(f"{out}/items", "w") as items:
    for text in messages(lambda t: {"type": "tool_result", "content": t}):
        items.write(json.dumps(text) + "\n")
chat = [{"role": "user", "content": "go"}]
for i, text in enumerate(messages(lambda t: t)):
    chat += [{"role": "assistant", "content": None, "tool_calls": [{
                 "id": f"c{i}", "type": "function", "function": {
                     "name": "run", "arguments": json.dumps({"t": text})}}]},
             {"role": "tool", "tool_call_id": f"c{i}", "content": text},
             {"role": "user", "content": text}]
json.dump(chat, open(f"{out}/chat", "w"))
json.dump({"round": 1, "findings": list(messages(lambda t: t)),
           "openQuestions": lines}, open(f"{out}/round", "w"))
with open(f"{out}/search", "w") as search:
    search.writelines(f"all.c:{i + 1}:{line}\n"
                      for i, line in enumerate(text.splitlines()))
END
PYTHONPATH=tests/support python3 "$dir/plant.py" "$dir/tree" "$dir" secrets/rules.def
is "$(($(wc -l <"$dir/secrets") >= 700))" 1 'at least 700 secrets are planted'

# How many secrets, or beginnings of them, are in a file. What lies between bytes
# that no secret has is looked through once, however often it is there.
cat >"$dir/leaks.py" <<'END'
import sys
secrets = [s[4:20] or s for s in open(sys.argv[1], "rb").read().split()]
others = bytes(set(range(256)) - set(b"".join(secrets)))
blank = bytes.maketrans(others, b" " * len(others))
def distinct(data):
    return b"\n".join(set(data.translate(blank).split()))
text = b"".join(open(f, "rb").read() for f in sys.argv[2:])
as_is = distinct(text)
plain = distinct(text.replace(b'\\"', b'"').replace(b"\\\\", b"\\"))
print(sum(s in as_is or s in plain for s in secrets))
END
leaks() {
	python3 "$dir/leaks.py" "$dir/secrets" "$@"
}
bale() {
	"$BALE" "$@" 2>>"$dir/stderr"
}

is "$(leaks "$dir/tree/all.c")" "$(wc -l <"$dir/secrets")" \
	'all of them are in the tree'
cd "$dir/tree" || exit 1
git init -q . && git add -A
git commit -q -m "subject with $(sed -n 1p "$dir/secrets") in it"
{ cat all.c && echo 'int more;'; } >tmp && mv tmp clean.c
sed -i 's/filler/changed/' all.c

for format in markdown xml json jsonl plain; do
	for budget in all 60k; do
		bale pack --format "$format" --budget "$budget" --git-log 5 \
			--git-diff --report "$dir/report.json" -o "$dir/out" .
		is "$(leaks "$dir/out" "$dir/report.json") $(grep -c REDACTED \
			"$dir/out" | sed 's/[1-9].*/some/')" '0 some' \
			"$format with a budget of $budget"
	done
done
bale pack --format markdown --budget all --workers 1 -o "$dir/one" .
bale pack --format markdown --budget all --workers 3 -o "$dir/three" .
is "$(cmp "$dir/one" "$dir/three")" '' 'the same with 1 and 3 workers'
is "$(bale verify "$dir/one" >/dev/null && echo yes)" yes 'its hashes are right'
for format in markdown xml json jsonl plain; do
	rm -f "$dir"/part*
	bale pack --split 40k --budget all --format "$format" -o "$dir/part" .
	is "$(leaks "$dir"/part*) $((2 <= $(ls "$dir"/part-* | wc -l)))" '0 1' \
		"in parts of $format"
done
bale pack --compress --budget all -o "$dir/out" .
is "$(leaks "$dir/out")" 0 'by signatures'
bale pack --strip-comments --line-numbers --budget 50k -o "$dir/out" .
is "$(leaks "$dir/out")" 0 'without comments, with line numbers'
bale pack --query 'filler password' --budget 30k -o "$dir/out" .
is "$(leaks "$dir/out")" 0 'for a query'
bale pack --rev HEAD --budget all -o "$dir/out" .
is "$(leaks "$dir/out")" 0 'of a commit'
mkdir "$dir/empty"
for format in markdown xml json jsonl plain; do
	bale pack --tool "$dir/log" --open all.c --search "$dir/search" \
		--reference utf16.txt --budget 60k --format "$format" \
		-o "$dir/out"
	is "$(leaks "$dir/out") $(grep -c REDACTED "$dir/out" |
		sed 's/[1-9].*/some/')" '0 some' "of sources, as $format"
done
begin='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{'
begin+='"protocolVersion":"2025-06-18","capabilities":{},'
begin+='"clientInfo":{"name":"a","version":"1"}}}'
read='{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{'
read+='"name":"read","arguments":{"path":"all.c"}}}'
printf '%s\n' "$begin" "$read" | bale mcp >"$dir/out"
is "$(leaks "$dir/out") $(grep -c REDACTED "$dir/out")" '0 1' 'to agents'

# ---- conversations ----
split -l 700 "$dir/items" "$dir/items."
for items in "$dir"/items.*; do
	bale window "$items.w" add --jsonl --max-tokens 1M <"$items" >>"$dir/added"
	bale window "$items.w" build >>"$dir/built"
	bale window "$items.w" snapshot >>"$dir/saved"
	bale window "$items.w" list --json >>"$dir/listed"
	bale window "$items.w" add --type tool_result <"$dir/log" >>"$dir/added"
	bale window "$items.w" add --content "$(sed -n 3p "$dir/log")" >>"$dir/added"
	bale window "$items.off" add --secrets off --jsonl --max-tokens 1M \
		<"$items" >/dev/null
	bale window "$items.off" snapshot | bale window "$items.back" restore
done
is "$(awk 'NF && $1 ~ /^[0-9]+$/ { n += $1 } END { print n }' "$dir/added")" \
	"$(wc -l <"$dir/items")" 'all items are added to windows'
is "$(leaks "$dir"/items.*.w "$dir/built" "$dir/saved" "$dir/listed") $(grep -c \
	REDACTED "$dir/built" | sed 's/[1-9].*/some/')" '0 some' 'of windows'
is "$(leaks "$dir"/items.*.back)" 0 'of windows that are restored'
is "$(cat "$dir"/items.*.off >"$dir/off" && leaks "$dir/off")" \
	"$(wc -l <"$dir/secrets")" 'with --secrets off all are in them'
bale compact --limit 100M <"$dir/chat" >"$dir/out"
is "$(leaks "$dir/out") $(python3 -c 'import json, sys
print(len(json.load(open(sys.argv[1]))) - len(json.load(open(sys.argv[2]))))' \
	"$dir/chat" "$dir/out")" '0 0' 'of a conversation'
cp "$dir/chat" "$dir/place"
bale compact --in-place "$dir/place" --limit 100M
is "$(cmp "$dir/place" "$dir/out")" '' 'of one in a file, though it is not due'
bale compact --limit 20k --reserve-response 1k --summarizer "tee '$dir/given'" \
	<"$dir/chat" >"$dir/out"
is "$(leaks "$dir/out" "$dir/given") $(grep -c REDACTED "$dir/given" |
	sed 's/[1-9].*/some/')" '0 some' 'of one that is summarized'
bale rounds compress --max-tokens 500k <"$dir/round" >"$dir/out"
is "$(leaks "$dir/out") $(grep -c REDACTED "$dir/out" | sed 's/[1-9].*/some/')" \
	'0 some' 'of a round'
is "$(leaks "$dir/stderr")" 0 'messages have none'

sed -n 3p "$dir/log" >"$dir/one_line"
"$BALE" window "$dir/w" add --secrets exclude <"$dir/one_line" 2>"$dir/err"
is "$? $(leaks "$dir/err") $(cat "$dir/w" 2>/dev/null)" '3 0 ' \
	'exclude: an item of a window is not added'
sed -n '1p;3p' "$dir/items" >"$dir/two"
"$BALE" window "$dir/w" add --secrets fail --jsonl <"$dir/two" 2>"$dir/err"
is "$? $(leaks "$dir/err") $(grep -c 'stdin:[12]: a secret, by the rule' \
	"$dir/err") $(cat "$dir/w" 2>/dev/null)" '7 0 2 ' \
	'fail: no item is, and each is named'
"$BALE" compact --secrets fail <"$dir/chat" >"$dir/out" 2>"$dir/err"
is "$? $(wc -c <"$dir/out") $(leaks "$dir/err")" '7 0 0' 'fail: no conversation'
"$BALE" compact --secrets warn --limit 100M <"$dir/chat" 2>"$dir/err" |
	cmp - "$dir/chat"
is "$? $(leaks "$dir/err") $(grep -c SEC-001 "$dir/err")" '0 0 20' \
	'warn: the conversation as it is'

# ---- what stays ----
is "$("$BALE" unpack --directory "$dir/back2" "$dir/one" 2>&1 |
	grep -c 'all.c.*its secrets were replaced')" 1 'unpack says which files are not whole'
bale pack --secrets off --budget all -o "$dir/out" .
is "$(leaks "$dir/out")" "$(wc -l <"$dir/secrets")" 'off: all are there'
bale pack --secrets warn --budget all -o "$dir/warn" .
is "$(cmp "$dir/out" "$dir/warn")" '' 'warn: the same output'
echo 'int ok;' >ok.c
rm -f "$dir/out"
bale pack --secrets exclude --budget all -o "$dir/out" .
is "$(leaks "$dir/out") $(grep -c '^## File' "$dir/out")" '0 1' \
	'exclude: no file of them'
rm -f "$dir/out"
"$BALE" pack --secrets fail --budget all -o "$dir/out" . 2>"$dir/err"
is "$? $([ -e "$dir/out" ] && echo written)" '7 ' 'fail: exit 7, no output'
is "$(leaks "$dir/err") $(grep -c 'all.c:1: a secret, by the rule [a-z0-9-]*$' \
	"$dir/err")" '0 1' 'fail: the place and the rule, not the value'
is "$(grep -c "^bale: --secrets=fail: nothing is written to $dir/out; " "$dir/err")" \
	1 'fail: what follows, and what helps'
is "$(grep -c '^output' "$dir/err")" 0 'fail: the summary has no output'
is "$("$BALE" pack --secrets fail --budget all . 2>/dev/null | wc -c)" 0 \
	'fail: nothing is written to stdout'
mkdir "$dir/clean" && echo 'int a;' >"$dir/clean/a.c"
bale pack --secrets fail --budget all -o "$dir/out" "$dir/clean"
is $? 0 'fail: without any it packs'

# ---- known secrets ----
"$BALE" pack --secrets fail --write-secrets-baseline "$dir/known" -o "$dir/out" \
	--budget all . 2>/dev/null
is "$? $(leaks "$dir/known") $(sed 1q "$dir/known")" \
	'7 0 # bale: known secrets, by digest, rule and place' \
	'a baseline has no secrets'
is "$(sed 1d "$dir/known" | LC_ALL=C sort -uc && echo sorted)" sorted \
	'its lines are sorted, each once'
bale pack --workers 3 --write-secrets-baseline "$dir/known3" -o "$dir/redacted" \
	--budget all .
is "$(cmp "$dir/known" "$dir/known3")" '' 'it is the same with other workers'
"$BALE" pack --secrets fail --secrets-baseline "$dir/known" -o "$dir/out" \
	--budget all . 2>"$dir/err"
is "$? $(cmp "$dir/out" "$dir/redacted") $(grep -c SEC-001 "$dir/err") $(grep -c \
	'^secrets *[0-9]* known$' "$dir/err")" '0  0 1' \
	'known secrets end no run, and are replaced'
bale pack --secrets fail --secrets-baseline "$dir/known" -o "$dir/out" \
	--report "$dir/report.json" --budget all .
is "$(python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))["secrets"]
print(len(found) > 400, {(x["action"], x["known"]) for x in found})' \
	"$dir/report.json")" "True {('redacted', True)}" 'the report says so'
is "$("$BALE" pack --secrets warn --secrets-baseline "$dir/known" -o "$dir/out" \
	--budget all . 2>&1 | grep -c SEC-001)" 0 'they are no warnings'
printf 't = "gh%s"\n' "p_$(printf '0a1B2c3D4e5F6g7H8i%.0s' 1 2)" >new.c
"$BALE" pack --secrets fail --secrets-baseline "$dir/known" -o "$dir/out" \
	--budget all . 2>"$dir/err"
is "$? $(grep SEC-001 "$dir/err" | grep -v ' new.c:1:')" '7 ' \
	'a new one ends it, and is the only one named'
rm new.c
echo 'no such line' >"$dir/bad"
"$BALE" pack --secrets-baseline "$dir/bad" . >"$dir/out" 2>"$dir/err"
is "$? $(wc -c <"$dir/out") $(grep -c 'bad: line 1 is not' "$dir/err")" '2 0 1' \
	'a file that is no baseline is an error'
"$BALE" pack --secrets warn --write-secrets-baseline "$dir/bad" . 2>/dev/null
is $? 2 'warn cannot write one'

is "$("$BALE" pack -o "$dir/out" --budget all . 2>&1 | grep -c '^secrets .*redacted in 4 files: ')" \
	1 'the summary sums them up'
done_testing
