# SPDX-License-Identifier: MIT
"""Windows of conversations, built as requests, and checked by the rules of
strict_rules.py.

strict_window.py BALE N

Random conversations of both interfaces become items, all at once or a message
at a time; random items are pinned, removed and added, windows are too small.
What is built for both interfaces has to be a request that a strict gateway
takes, within the limit, and where nothing is missing it has to say all that
the conversation says, in its order. Prints "ok", or what is wrong.
"""
import json
import os
import subprocess
import sys

from strict_made import anthropic, chance, openai, words
from strict_rules import check, strict_anthropic, strict_openai

bale, nr = sys.argv[1], int(sys.argv[2])
FORMATS = {"openai-chat": strict_openai, "anthropic": strict_anthropic}
RESERVE = 100


def window(*args, text=None, codes=(0,)):
    run = subprocess.run([bale, "window", "strict.json", *args], input=text,
                         capture_output=True, text=True)
    check(run.returncode in codes, f"{args}: {run.returncode}: {run.stderr}")
    return run


def said(request):
    """All that a request says, in its order: texts, calls, results."""
    out = []
    if isinstance(request.get("system"), str):
        out.append(request["system"])
    for message in request["messages"]:
        content = message["content"]
        if message["role"] == "tool":
            content = [{"type": "tool_result", "content": content}]
        elif not isinstance(content, list):
            content = [{"type": "text", "text": content}] if content else []
        for call in message.get("tool_calls", ()):
            content = content + [{
                "type": "tool_use", "name": call["function"]["name"],
                "input": json.loads(call["function"]["arguments"])}]
        for part in content:
            if part["type"] == "text":
                out.append(part["text"])
            elif part["type"] == "tool_use":
                out.append((part["name"], json.dumps(part["input"])))
            else:
                out.append((part["content"],))
    return out


def add(request):
    """A caller that marks what is to be cached marks each part anew."""
    parts = [request["messages"]]
    if chance.random() < 0.4:
        for message in request["messages"]:
            if isinstance(message["content"], list):
                message["content"][-1]["cache_control"] = {"type": "ephemeral"}
        parts = [[message] for message in request["messages"]]
    if "system" in request:
        parts[0] = {"system": request["system"], "messages": parts[0]}
    for part in parts:
        window("add", "--messages", "--max-tokens", str(LIMIT),
               text=json.dumps(part), codes=(0, 8))


def change():
    ids = [item["id"] for item in json.loads(window("list", "--json").stdout)]
    for _ in range(chance.randrange(0, 4)):
        what = chance.choice(("pin", "unpin", "remove", "priority"))
        window(what, chance.choice(ids), *(
            [str(chance.randrange(0, 101))] if what == "priority" else []),
            codes=(0, 2))
    for kind in ("retrieved_document", "tool_result", "assistant_message",
                 "instruction", "user_message"):
        if chance.random() < 0.2:
            window("add", "--type", kind, "--content", words(1, 90),
                   codes=(0, 8))
    if chance.random() < 0.3:
        window("compact", "--target", str(chance.randrange(5, 70)))


built = whole = 0
for _ in range(nr):
    if os.path.exists("strict.json"):
        os.remove("strict.json")
    LIMIT = chance.choice((1000000, chance.randrange(600, 9000)))
    made = chance.choice((openai, anthropic))
    request = made()
    add(request)
    is_all = LIMIT == 1000000 and chance.random() < 0.5
    if not is_all and os.path.exists("strict.json"):
        change()
    for form, strict in FORMATS.items():
        run = window("build", "--format", form, "--json", "--reserve-response",
                     str(RESERVE), "--order",
                     "time" if is_all else chance.choice(("time", "priority")),
                     "--history", "1000" if is_all else
                     str(chance.randrange(0, 30)), codes=(0, 2, 8))
        if run.returncode == 8 or "BALE-WIN-023" in run.stderr:
            continue
        check(run.returncode in (0, 2), run.stderr)
        if run.returncode == 2:
            check("BALE-WIN-015" in run.stderr, run.stderr)
            continue
        answer = json.loads(run.stdout)
        check(answer["total_tokens"] <= LIMIT - RESERVE, "too much")
        answer = json.loads(answer["content"])
        strict(answer, is_question=False)
        built += 1
        if is_all:
            whole += 1
            want, got = said(request), said(answer)
            check(sorted(map(repr, want)) == sorted(map(repr, got)),
                  f"{form} of {made.__name__}: {want} is {got}")
            # results may follow their calls in another order
            texts = [one for one in want if isinstance(one, str)]
            check([one for one in got if isinstance(one, str)] == texts,
                  "another order")
check(built > nr and whole > nr / 5, f"only {built} built, {whole} whole")
print("ok")
