# SPDX-License-Identifier: MIT
"""Conversations as a strict gateway has them: made at random, shortened by
`bale compact`, and checked by the rules of strict_rules.py.

strict_chat.py BALE FORMAT N

FORMAT: openai-chat or anthropic. Prints "ok", or what is wrong.
"""
import json
import subprocess
import sys

from strict_made import anthropic, chance, openai
from strict_rules import check, strict_anthropic, strict_openai

bale, form, nr = sys.argv[1], sys.argv[2], int(sys.argv[3])
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
