# SPDX-License-Identifier: MIT
"""Conversations as a strict gateway has them: made at random, shortened by
`bale compact`, and checked by the rules of strict_rules.py.

strict_chat.py BALE FORMAT N

FORMAT: openai-chat or anthropic. Prints "ok", or what is wrong.
"""
import json
import random
import subprocess
import sys

from strict_rules import check, strict_anthropic, strict_openai

bale, form, nr = sys.argv[1], sys.argv[2], int(sys.argv[3])
chance = random.Random(7)
WORDS = "read the file and run all tests, then say what has failed \u00fc".split()


def words(least, most):
    return " ".join(chance.choices(WORDS, k=chance.randrange(least, most)))


def openai():
    messages = []
    if chance.random() < 0.7:
        messages.append({"role": "system", "content": words(3, 40)})
    for turn in range(chance.randrange(2, 12)):
        messages.append({"role": "user", "content": words(1, 60)})
        for step in range(chance.randrange(0, 4)):
            calls = [{"id": f"c{turn}.{step}.{i}", "type": "function",
                      "function": {"name": "run", "arguments": json.dumps(
                          {"command": words(1, 5)})}}
                     for i in range(chance.randrange(1, 4))]
            text = chance.choice((None, words(1, 20)))
            messages.append({"role": "assistant", "content": text,
                             "tool_calls": calls})
            for call in chance.sample(calls, len(calls)):
                messages.append({"role": "tool", "tool_call_id": call["id"],
                                 "content": words(1, 800)})
        messages.append({"role": "assistant", "content": words(1, 60)})
    messages.append({"role": "user", "content": words(1, 30)})
    return {"messages": messages}


def anthropic():
    messages = []
    for turn in range(chance.randrange(2, 12)):
        said = [{"type": "text", "text": words(1, 60)}]
        messages.append({"role": "user", "content": chance.choice(
            (said, said[0]["text"]))})
        for step in range(chance.randrange(0, 4)):
            calls = [{"type": "tool_use", "id": f"c{turn}.{step}.{i}",
                      "name": "run", "input": {"command": words(1, 5)}}
                     for i in range(chance.randrange(1, 4))]
            text = [{"type": "text", "text": words(1, 20)}]
            messages.append({"role": "assistant", "content":
                             chance.choice(([], text)) + calls})
            messages.append({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": call["id"],
                 "content": words(1, 800)}
                for call in chance.sample(calls, len(calls))]})
        messages.append({"role": "assistant", "content": words(1, 60)})
    messages.append({"role": "user", "content": words(1, 30)})
    return {"system": words(3, 40), "max_tokens": 100, "messages": messages}


make, strict = {"openai-chat": (openai, strict_openai),
                "anthropic": (anthropic, strict_anthropic)}[form]
shortened = 0
for _ in range(nr):
    request = make()
    strict(request)
    text = json.dumps(request)
    run = subprocess.run(
        [bale, "compact", "--format", form, "--encoding", "o200k_base",
         "--limit", str(chance.randrange(800, 12000)), "--reserve-response",
         "100", "--quiet", "--trigger", chance.choice(("auto", "manual")),
         "--prune-over", str(chance.choice((100, 1000))), "--keep-recent",
         str(chance.randrange(0, 5)), "--preserve",
         str(chance.choice((0.05, 0.2, 0.4, 0.7)))],
        input=text, capture_output=True, text=True)
    if run.returncode == 8:  # the newest exchange has no room
        continue
    check(run.returncode == 0, f"exit {run.returncode}: {run.stderr}")
    answer = json.loads(run.stdout)
    strict(answer)
    check(answer.get("system") == request.get("system"), "the system prompt")
    check(request["messages"][-1]["content"] in
          json.dumps(answer["messages"][-1], ensure_ascii=False),
          "the last question")
    shortened += len(answer["messages"]) < len(request["messages"])
check(shortened > nr / 10, f"only {shortened} of {nr} were shortened")
print("ok")
