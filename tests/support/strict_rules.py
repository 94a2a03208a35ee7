# SPDX-License-Identifier: MIT
"""What a strict gateway demands of a request, written down here alone."""
import json
import re


def check(is_so, what):
    if not is_so:
        raise SystemExit(f"wrong: {what}")


def is_text(value):
    if isinstance(value, list):
        return value and all(part["type"] == "text" and is_text(part["text"])
                             for part in value)
    return isinstance(value, str) and value.strip() != ""


def strict_openai(request, is_question=True):
    open_calls = set()
    for message in request["messages"]:
        role = message["role"]
        check(role in ("system", "user", "assistant", "tool"), message)
        if role == "tool":
            check(message["tool_call_id"] in open_calls, "no such call")
            open_calls.remove(message["tool_call_id"])
            check(is_text(message["content"]), message)
            continue
        check(not open_calls, f"calls without a result: {open_calls}")
        open_calls = {call["id"] for call in message.get("tool_calls", ())}
        check(is_text(message["content"]) or
              (open_calls and message["content"] is None), message)
        check("tool_calls" not in message or open_calls, message)
    check(not open_calls, "calls without a result at the end")
    roles = [message["role"] for message in request["messages"]]
    check("system" not in roles[1:], "a system message in between")
    check(roles[-1] == "user" or not is_question, "the last question is gone")
    talk = [role for role in roles if role != "system"]
    check(talk[0] == "user", "it does not begin with the user")
    check(("user", "user") not in zip(talk, talk[1:]), talk)
    check(("assistant", "assistant") not in zip(talk, talk[1:]), talk)


def strict_anthropic(request, is_question=True):
    roles = [message["role"] for message in request["messages"]]
    check(roles[0] == "user", roles)
    check(roles[-1] == "user" or not is_question, roles)
    last = request["messages"][-1]["content"]
    last = last if isinstance(last, str) else last[-1].get("text", "")
    check(roles[-1] == "user" or last == last.rstrip(), "a blank at the end")
    check(all(one != other for one, other in zip(roles, roles[1:])), roles)
    check(is_text(request.get("system", "x")), "an empty system prompt")
    check(json.dumps(request).count('"cache_control"') <= 4,
          "more than four marks of the cache")
    calls = set()
    seen = set()
    for message in request["messages"]:
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        check(content, "no content")
        results = set()
        seen_text = False
        for block in content:
            if block["type"] == "text":
                seen_text = True
                check(is_text(block["text"]), "an empty text")
            elif block["type"] == "tool_result":
                check(not seen_text, "a result behind a text")
                check(message["role"] == "user", block)
                check(is_text(block["content"]) or block["content"], block)
                results.add(block["tool_use_id"])
            else:
                check(block["type"] == "tool_use" and
                      message["role"] == "assistant", block)
        check(results == calls, f"results {results} of calls {calls}")
        ids = [block["id"] for block in content if block["type"] == "tool_use"]
        calls = set(ids)
        check(all(re.fullmatch("[a-zA-Z0-9_-]+", one) for one in ids), ids)
        check(len(calls) == len(ids) and not calls & seen, f"{ids} again")
        seen |= calls
    check(not calls, "calls without a result at the end")
