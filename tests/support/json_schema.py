# SPDX-License-Identifier: MIT
"""Checks JSON with the schemas in docs/, strictly.

json_schema.py DOCS < list

Each line of the list is SCHEMA FILE, or SCHEMA.PART FILE for what is in its
$defs; a FILE that ends in .jsonl is one document a line. Strictly: keys that
the schema does not name are faults here, though readers are to pass over
them. Prints for each line "fits", or what is wrong.
"""
import json
import sys

import jsonschema


def close(schema, is_shared=False):
    """Shuts all objects that the schema leaves open; an object that is put
    together from several is shut as a whole."""
    if isinstance(schema, list):
        for each in schema:
            close(each)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("properties"), dict) and not is_shared:
        schema.setdefault("unevaluatedProperties" if "allOf" in schema
                          else "additionalProperties", False)
    for key, each in schema.items():
        if key in ("properties", "$defs"):
            for name, inner in each.items():
                close(inner, f"#/$defs/{name}" in parts)
        else:
            close(each)


def shared(schema):
    """What others are put together from."""
    if isinstance(schema, dict):
        for each in schema.get("allOf", []):
            yield each["$ref"]
    for each in (schema.values() if isinstance(schema, dict) else
                 schema if isinstance(schema, list) else []):
        yield from shared(each)


def open_schema(docs, name):
    name, _, part = name.partition(".")
    with open(f"{docs}/{name}.schema.json") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    parts.clear()
    parts.update(shared(schema))
    close(schema)
    if part:
        schema = {"$defs": schema["$defs"], "$ref": "#/$defs/" + part}
    return jsonschema.Draft202012Validator(schema)


def faults(check, path):
    # bytes that are no UTF-8 stand as lone surrogates, as `\udc80`
    with open(path, encoding="utf-8") as file:
        text = file.read()
    pieces = text.splitlines() if path.endswith(".jsonl") else [text]
    if not text:
        yield "nothing"
        return
    for piece in pieces:
        try:
            document = json.loads(piece)
        except ValueError as error:
            yield f"no JSON: {error}"
            continue
        for fault in check.iter_errors(document):
            at = "/".join(map(str, fault.absolute_path))
            yield f"{at}: {fault.message[:300]}"


parts = set()
checks = {}
for line in sys.stdin:
    name, path = line.split()
    if name not in checks:
        checks[name] = open_schema(sys.argv[1], name)
    print("; ".join(list(faults(checks[name], path))[:9]).replace("\n", " ")
          or "fits")
