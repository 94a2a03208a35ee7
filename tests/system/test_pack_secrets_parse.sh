#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a replacement leaves parses as it did: files of four languages with a
# secret of each rule in all places where text stands, read by parsers that are
# not ours before and after.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cat >"$dir/generate.py" <<'END'
import json, random, sys
import secrets_of_rules
rng = random.Random(20261127)
out, rules = sys.argv[1], sys.argv[2]
made = list(secrets_of_rules.of_each(rng, rules, 3))

def text(kind, begin, secret):
    """A text without quotes or newlines that has a secret in it."""
    if kind in ("TOKEN", "BEFORE"):
        return secret
    if kind == "URL":
        return f"amqp://someone:{secret}@host.internal/x"
    if kind == "VARIABLE":
        return f"MY_{begin}={secret}"
    if kind == "AFTER":
        return begin.replace('"', "").replace("'", "") + secret
    return f"{begin}_x = {secret}"

def escaped(body):
    """What may stand around it in a string, as JSON and Python have it."""
    before = rng.choice(["", "a ", "\\n", "\\\\", "\\\"", "\\t", "\\u00e9"])
    return before + body + rng.choice(["", " z", "\\n", "\\\\", "\\\"", "\\r",
                                       "\\u00e9", ",", "}"])

def names(begin):
    return "".join(c if c.isalnum() else "_" for c in begin) + "_x"

python, lines, toml, xml = [], [], [], []
for i, (kind, begin, secret) in enumerate(made):
    body = text(kind, begin, secret)
    name = f"_{i}_" + names(begin)
    form = i % 7
    python.append([
        f'{name} = "{escaped(body)}"',
        f"{name} = '{body}'  # {body}",
        f'{name} = ("{secret}", ["{body}", {{"{begin[:3]}": "{escaped(body)}"}}])'
        if '"' not in begin else f"{name} = r'{body}', b'{body}'",
        f'def {name}(a="{secret}"):\n    """{body}\n    {body}"""\n'
        f'    return f"{escaped(body).strip("}")}{{a}}" % {{}}',
        f'{name} = """{body}\n{escaped(body)}"""',
        f"{name} = ('{body}'\n        '{secret}' +\n        \"{escaped(secret)}\")",
        f"f({name}='{secret}', k=['{body}'])  # '{secret}'",
    ][form])
    lines.append(f'"{name}": "{escaped(body)}", "a{i}": {{"{begin[:2].strip(chr(34))}'
                 f'_key": "{secret}", "list": ["{secret}", 1, "{escaped(body)}"]}}')
    toml.append(f'{name} = "{escaped(body)}"\n{name}b = \'{body}\' # {body}\n'
                f'{name}c = ["{secret}", \'{secret}\']\n'
                f'{name}d = """{body}\n{body}"""')
    xml.append(f'<e a="{body.replace("&", "&amp;")}" {name}=\'{secret.replace("&", "&amp;")}\''
               f'>{body.replace("&", "&amp;")}<{name}>{secret.replace("&", "&amp;")}</{name}></e>')
key = ["-----BEGIN RSA PRIVATE KEY-----"] + [
    "".join(rng.choice("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNPQRST23456789+/")
            for _ in range(64)) for _ in range(5)] + ["-----END RSA PRIVATE KEY-----"]
joined = "\\n".join(key)
python += [f'k1 = "{joined}\\n"', 'k2 = """' + "\n".join(key) + '"""',
           "k3 = (" + "\n      ".join(f"'{x}\\n'" for x in key) + ")",
           "k4 = [" + ",\n      ".join(f'"{x}"' for x in key) + "]"]
lines += [f'"k1": "{joined}\\n"', '"k2": [' + ",\n ".join(f'"{x}"' for x in key) + "]"]
toml += ['k1 = """\n' + "\n".join(key) + '\n"""', f'k2 = "{joined}"']
xml += ["<k>" + "\n".join(key) + "</k>"]
rng.shuffle(python)
def put(name, content):
    with open(f"{out}/{name}", "w") as file:
        file.write(content)
put("a.py", "\n".join(python) + "\n")
put("a.json", "{\n" + ",\n".join(lines) + "\n}\n")
put("a.toml", "\n".join(toml) + "\n")
put("a.xml", "<r>\n" + "\n".join(xml) + "\n</r>\n")
END
cat >"$dir/compare.py" <<'END'
import ast, io, json, sys, tokenize, tomllib
import xml.etree.ElementTree as tree

def of_python(text):
    """Kinds of nodes and tokens, and the lines that they are in."""
    nodes = [(type(n).__name__, getattr(n, "lineno", 0),
              getattr(n, "end_lineno", 0)) for n in ast.walk(ast.parse(text))]
    tokens = [(t.type, t.start[0], t.end[0])
              for t in tokenize.generate_tokens(io.StringIO(text).readline)]
    return nodes, tokens

def shape(value):
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items()}
    if isinstance(value, list):
        return [shape(v) for v in value]
    return value if not isinstance(value, str) else "text"

def of_xml(text):
    return [(e.tag, sorted(e.attrib), bool(e.text)) for e in tree.fromstring(text).iter()]

kinds = {"py": of_python, "json": lambda t: shape(json.loads(t)),
         "toml": lambda t: shape(tomllib.loads(t)), "xml": of_xml}
for file in json.load(open(sys.argv[2]))["files"]:
    before = open(f"{sys.argv[1]}/{file['path']}").read()
    after = "".join(chunk["text"] for chunk in file["chunks"])
    kind = file["path"].split(".")[-1]
    same = kinds[kind](before) == kinds[kind](after)
    print(file["path"], "same" if same else "another",
          before.count("\n") == after.count("\n"),
          after.count("[REDACTED:") > 500)
END
python3 -c 'import tomllib' 2>/dev/null || skip_all no Python 3.11
mkdir "$dir/tree"
PYTHONPATH=tests/support python3 "$dir/generate.py" "$dir/tree" secrets/rules.def
(cd "$dir/tree" && "$BALE" pack --budget all --format json -o "$dir/out.json" . 2>"$dir/err")
is $? 0 'it packs'
is "$(python3 "$dir/compare.py" "$dir/tree" "$dir/out.json")" "$(printf \
	'%s same True True\n' a.json a.py a.toml a.xml)" \
	'each file parses as before, on the same lines'
done_testing
