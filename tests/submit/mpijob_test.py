#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the MPIJobs that Netwright writes, its table of their members, and bad variants to the operator's definition (crd/mpijob.json).

    tests/submit/mpijob_test.py CLI

The variants of bad_mpijobs.json say what the definition makes of each: "refused"; "unknown key", which a cluster leaves out and `kubectl apply`
refuses; "accepted", which only the operator or Netwright refuses. That Netwright refuses all of them is held in submit_test.
"""
import copy
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RULES = HERE.parents[1] / "engine/submit/kubernetes_rules.cpp"
DEFINITION = json.loads((HERE / "crd/mpijob.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
LARGEST = {"int32": 2**31 - 1, "int64": 2**63 - 1}
QUANTITY = [{"type": "integer"}, {"type": "string"}]
BASIC = ["--image", "a/b:1", "--data-volume", "sets", "--ranks", "2"]
FULL = ["--image", "a.b:5000/c:1", "--data-volume", "sets", "--ranks", "3", "--gpus", "1", "--cpus", "4", "--memory", "8192", "--shared-memory",
        "1024", "--time-limit", "60", "--node-selector", "disk=ssd", "--node-selector", "kubernetes.io/arch=amd64", "--namespace", "team"]


def is_of(value, kind):
    return isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def scalar_problems(value, schema, path):
    """What the definition says of a value beside its type."""
    if "enum" in schema and value not in schema["enum"]:
        yield "refused", f"{path}: none of the values"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield "refused", f"{path}: does not match"
    if "format" in schema and isinstance(value, int) and abs(value) > LARGEST[schema["format"]]:
        yield "refused", f"{path}: too large"


def problems(value, schema, path=""):
    """("refused" or "unknown key", sentence) of everything that the definition does not take."""
    kinds = [one["type"] for one in schema.get("anyOf", [schema])]
    if not any(is_of(value, kind) for kind in kinds):
        yield "refused", f"{path}: not of type {' or '.join(kinds)}"
        return
    assert not schema.get("x-trimmed"), f"{path} is left out of crd/mpijob.json"
    yield from scalar_problems(value, schema, path)
    if isinstance(value, list):
        for one in value:
            yield from problems(one, schema["items"], path + "[]")
    if not isinstance(value, dict) or not ("properties" in schema or "additionalProperties" in schema):
        return
    for name in schema.get("required", []):
        if name not in value:
            yield "refused", f"{path}.{name}: is required"
    for name, member in value.items():
        inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        if inner is None:
            yield "unknown key", f"{path}.{name}: unknown"
        else:
            yield from problems(member, inner, f"{path}.{name}")


def found_in(manifest):
    head = {"apiVersion": f"{DEFINITION['group']}/{DEFINITION['version']}", "kind": DEFINITION["kind"]}
    found = [("refused", f"{name}: not {value}") for name, value in head.items() if manifest.get(name) != value]
    return found + list(problems(manifest, DEFINITION["schema"]))


def read_block(lines, indent):
    """An object or a list of the block style in which Netwright writes YAML: every text in quotes."""
    is_list = lines[0].lstrip().startswith("- ")
    made = [] if is_list else {}
    while lines and len(lines[0]) - len(lines[0].lstrip()) == indent:
        line = lines.pop(0)
        if is_list:
            inner = line[indent + 2:]
            is_member = not inner.startswith('"') and ":" in inner
            if is_member:
                lines.insert(0, " " * (indent + 2) + inner)
            made.append(read_block(lines, indent + 2) if is_member else json.loads(inner))
            continue
        key, value = re.fullmatch(r'("(?:[^"\\]|\\.)*"|[\w.-]+):(?: (.*))?', line.strip()).groups()
        key = json.loads(key) if key.startswith('"') else key
        made[key] = json.loads(value) if value else read_block(lines, len(lines[0]) - len(lines[0].lstrip()))
    return made


def written(cli, options):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cli, "submit", "mlp", "--to", "kubernetes", "--name", "job", *options, "--write-only", folder], check=True)
        return read_block((Path(folder) / "job.yaml").read_text().splitlines(), 0)


def changed(manifest, variant):
    made = copy.deepcopy(manifest)
    *names, last = [int(name) if name.isdigit() else name for name in variant["at"].split("/")[1:]]
    place = made
    for name in names:
        place = place[name]
    if "value" in variant:
        place[last] = variant["value"]
    else:
        del place[last]
    return made


def check_variants(manifest):
    variants = json.loads((HERE / "bad_mpijobs.json").read_text())
    for variant in variants:
        found = found_in(changed(manifest, variant))
        verdict = min((kind for kind, _ in found), default="accepted")
        assert verdict == variant["definition"], (variant, found)
    said = [variant["definition"] for variant in variants]
    assert said.count("refused") >= 10 and said.count("unknown key") >= 2, said


def schema_at(path):
    """The definition's schema of a path of the table: "*" is any role, "[]" what is in a list."""
    schema = DEFINITION["schema"]
    for name in path.replace("[]", ".[]").split("."):
        schema = schema["items"] if name == "[]" else schema.get("properties", {}).get(name, schema.get("additionalProperties"))
        assert schema, f"the table has {path}, which the definition does not know"
    return schema


def what_table_says(kind):
    """The part of a schema that a Kind of the table stands for."""
    return {"list": {"type": "array"}, "text": {"type": "string"}, "filled_text": {"type": "string"}, "quantity": {"anyOf": QUANTITY},
            "integer": {"type": "integer", "format": "int32"}, "long_integer": {"type": "integer", "format": "int64"},
            "boolean": {"type": "boolean"}}.get(kind, {"type": "object"})


def check_table():
    source = RULES.read_text()
    count = 0
    for function, prefix in (("mpi_rules", ""), ("pod_rules", "spec.mpiReplicaSpecs.*.template.")):
        body = source[source.index(function + "()"):]
        for path, kind in re.findall(r'\{"((?:spec|metadata)[\w.*\[\]]*)"(?:, Kind::(\w+))?', body[:body.index("return rules;")]):
            if path.split(".")[-1] in ("Launcher", "Worker"):
                path = "spec.mpiReplicaSpecs.*"
            schema = schema_at(prefix + path)
            for key, value in what_table_says(kind).items():
                assert schema.get(key) == value, f"{prefix}{path}: {key} is {schema.get(key)}, in the table {value}"
            count += 1
    assert count > 40, f"{count} members of the table were found"


def main():
    check_table()
    for options in (BASIC, FULL):
        manifest = written(sys.argv[1], options)
        assert not found_in(manifest), found_in(manifest)
    check_variants(manifest)
    print("the manifests and the table fit the operator's definition")


if __name__ == "__main__":
    main()
