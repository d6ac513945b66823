#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes mpijob.json from the MPI operator's definition: without texts, and without what lies inside members that Netwright never writes.

    git -C mpi-operator show v0.8.2:manifests/base/kubeflow.org_mpijobs.yaml | python3 trim.py >mpijob.json

Needs python3-yaml. Every member keeps its name and type; `x-trimmed` stands where the members of a member were left out.
"""
import json
import sys

import yaml

WRITTEN = {"command", "configMap", "containers", "emptyDir", "labels", "limits", "metadata", "mpiReplicaSpecs", "nodeSelector", "persistentVolumeClaim",
           "requests", "resources", "runPolicy", "sizeLimit", "spec", "template", "volumeMounts", "volumes"}
TEXTS = {"default", "description"}


def trimmed(schema):
    kept = {key: value for key, value in schema.items() if key not in TEXTS and not key.startswith("x-kubernetes-list")}
    for key in ("items", "additionalProperties"):
        if key in kept:
            kept[key] = trimmed(kept[key])
    kept.update({"properties": {name: member(name, one) for name, one in schema["properties"].items()}} if "properties" in schema else {})
    return kept


def member(name, schema):
    is_left_out = name not in WRITTEN and schema.get("type") in ("array", "object")
    return {"type": schema["type"], "x-trimmed": True} if is_left_out else trimmed(schema)


def main():
    definition = yaml.safe_load(sys.stdin)["spec"]
    version, = definition["versions"]
    schema = version["schema"]["openAPIV3Schema"]
    schema["properties"].pop("status")
    head = {"group": definition["group"], "kind": definition["names"]["kind"], "version": version["name"]}
    print(json.dumps({**head, "schema": trimmed(schema)}, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
