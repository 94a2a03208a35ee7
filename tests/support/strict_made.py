# SPDX-License-Identifier: MIT
"""Random conversations with tools, as a strict gateway takes them."""
import json
import random

chance = random.Random(7)
WORDS = "read the file and run all tests, then say what has failed \u00fc".split()


def words(least, most):
    return " ".join(chance.choices(WORDS, k=chance.randrange(least, most)))


def openai():
    """Ids as of servers that count the calls of an answer, or of all."""
    messages = []
    repeats = chance.random() < 0.3
    if chance.random() < 0.7:
        messages.append({"role": "system", "content": words(3, 40)})
    for turn in range(chance.randrange(2, 12)):
        messages.append({"role": "user", "content": words(1, 60)})
        for step in range(chance.randrange(0, 4)):
            calls = [{"id": f"functions.run:{i}" if repeats else
                      f"c{turn}.{step}.{i}", "type": "function",
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
            calls = [{"type": "tool_use", "id": f"c{turn}_{step}_{i}",
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
    for message in [one for one in messages if one["role"] == "user" and
                    isinstance(one["content"], list)][-chance.randrange(1, 5):]:
        message["content"][-1]["cache_control"] = {"type": "ephemeral"}
    messages.append({"role": "user", "content": words(1, 30)})
    return {"system": words(3, 40), "max_tokens": 100, "messages": messages}
