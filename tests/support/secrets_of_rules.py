# SPDX-License-Identifier: MIT
"""Secrets made from the rows of secrets/rules.def, for tests that plant them.

Knows nothing of how bale compiles the rules: it reads the table's text.
"""
import re


def _members(item):
    if not item.startswith("["):
        return item
    out, at = "", 1
    while item[at] != "]":
        if item[at + 1] == "-" and item[at + 2] != "]":
            out += "".join(map(chr, range(ord(item[at]),
                                          ord(item[at + 2]) + 1)))
            at += 3
        else:
            out += item[at]
            at += 1
    return out


def _of_pattern(rng, pattern):
    out = ""
    for item, times in re.findall(r"(\[[^\]]*\]|.)(\{[0-9,]*\})?", pattern):
        low, high = (times[1:-1].split(",") * 2)[:2] if times else (1, 1)
        if int(low) == 0:
            continue
        letters = _members(item)
        plain = [c for c in letters if c.isalnum()] or list(letters)
        numbers = [c for c in plain if c.isdigit()] or plain
        for _ in range(max(int(low), min(int(high or 12), 12))):
            pool = numbers if len(out) % 3 == 1 else plain
            # no character twice, as long as there are others
            out += rng.choice([c for c in pool if c not in out[-40:]] or pool)
    return out


def of_each(rng, path, nr):
    """Yields (kind, beginning, secret) `nr` times for each rule that redacts,
    but for keys of many lines."""
    macros, rows = {}, 0

    def value(text):
        out = ""
        for word, quoted in re.findall(
                r'([A-Z0-9_]+)|"((?:[^"\\]|\\.)*)"', text):
            out += macros[word] if word else quoted.replace('\\"', '"')
        return out

    with open(path, encoding="utf-8") as file:
        source = file.read().replace("\\\n", "")
    for line in source.splitlines():
        if line.startswith("#define"):
            _, name, text = line.split(None, 2)
            macros[name] = value(text)
        row = re.match(r"(TOKEN|BEFORE|AFTER|ASSIGNED|VARIABLE|GENERIC|URL)"
                       r"\((.*), \d+, REDACT\)", line)
        if not row:
            continue
        rows += 1
        columns = [value(x) for x in re.findall(
            r'(?:[A-Z0-9_]+|"(?:[^"\\]|\\.)*"|\s)+', row[2])]
        columns = [x for x in columns if x]
        before = columns.pop(1) if row[1] == "BEFORE" else ""
        begins = columns[1].split("|")
        for i in range(nr):
            begin = begins[-1 - i % len(begins)]
            body = _of_pattern(rng, columns[2] if len(columns) > 2 else "")
            if row[1] in ("TOKEN", "BEFORE"):
                body = _of_pattern(rng, before) + begin + body
            yield row[1], begin, body
    assert rows > 200, rows
