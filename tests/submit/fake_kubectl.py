#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kubectl for tests: it knows the commands that Netwright runs, refuses every other word, and keeps a cluster in $FAKE_CLUSTER.

    kubectl [--request-timeout=30s] [--namespace=NAME] VERB …

A pod is a process of this computer: /data of its script is $FAKE_CLUSTER/volume, /project its ConfigMap. As on a cluster, a Job whose pod
fails gets another one (backoffLimit), nothing is executed in a pod that has ended, and the workers of an MPIJob end with its launcher.
$FAKE_CLUSTER/not-ready is why no pod becomes ready. The folder of a pod may have its `phase`.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml

cluster = Path(os.environ["FAKE_CLUSTER"])
KINDS = {"job": "Job", "mpijob": "MPIJob", "pod": "Pod"}


def die(sentence):
    print(f"error: {sentence}", file=sys.stderr)
    sys.exit(1)


class Words:
    """The words of a command: each must be taken."""

    def __init__(self, words):
        self.words = words

    def flag(self, name):
        if name in self.words:
            self.words.remove(name)
            return True
        return False

    def option(self, name):
        for word in self.words:
            if word.startswith(name + "="):
                self.words.remove(word)
                return word[len(name) + 1:]
        return None

    def next(self):
        return self.words.pop(0) if self.words else die("a word is missing")

    def end(self):
        if self.words:
            die(f"unknown flag or argument: {self.words}")


def place(kind, name):
    return cluster / namespace / f"{kind}.{name}"


def resource(text):
    kind, _, name = text.partition("/")
    if kind not in KINDS or not re.fullmatch(r"[a-z]([-a-z0-9]*[a-z0-9])?", name):
        die(f'there is no resource "{text}"')
    return kind, name


def is_alive(folder):
    try:
        return "Z" not in Path(f"/proc/{(folder / 'pid').read_text()}/stat").read_text().split(")")[1].split()[0]
    except (OSError, IndexError):
        return False


# A pod that fails is started again until the limit; the last code is that of the pods.
KEEPER = """
import os, subprocess, sys
folder, script, tries = sys.argv[1], sys.argv[2], int(sys.argv[3])
for n in range(tries + 1):
    with open(folder + "/pod.log", "ab") as log:
        pod = subprocess.Popen(["/bin/sh", "-c", script], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    open(folder + "/pod", "w").write(str(pod.pid))
    code = pod.wait()
    open(folder + "/pods", "a").write(f"{code}\\n")
    if code == 0:
        break
open(folder + "/code.new", "w").write(str(code))
os.rename(folder + "/code.new", folder + "/code")
"""


def in_pod(name, script):
    """The script as this computer runs it."""
    script = re.sub(r"(?<![\w.])/data/", f"{cluster}/volume/", script)
    return script.replace("/project/", f"{cluster}/{namespace}/configmap.{name}/")


def check_template(template, name):
    spec = template["spec"]
    for container in spec["containers"]:
        if not re.fullmatch(r"[\w./:@-]+", container["image"]):
            die(f'couldn\'t parse image name "{container["image"]}"')
    for volume in spec["volumes"]:
        claim = volume.get("persistentVolumeClaim")
        if claim and not (cluster / f"claim.{claim['claimName']}").exists():
            die(f'persistentvolumeclaim "{claim["claimName"]}" not found')
        if "configMap" in volume and not place("configmap", volume["configMap"]["name"]).exists():
            die(f'configmap "{volume["configMap"]["name"]}" not found')
    return spec


def start(kind, name, manifest, script, tries):
    folder = place(kind, name)
    if folder.exists():
        die(f'{kind} "{name}" exists, and its template is immutable')
    folder.mkdir(parents=True)
    (folder / "manifest").write_text(json.dumps(manifest))
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    keeper = subprocess.Popen([sys.executable, "-c", KEEPER, folder, in_pod(name, script), str(tries)], start_new_session=True, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    (folder / "pid").write_text(str(keeper.pid))


def apply_job(manifest, name):
    spec = manifest["spec"]
    pod = check_template(spec["template"], name)
    if pod["restartPolicy"] not in ("Never", "OnFailure"):
        die("spec.template.spec.restartPolicy: Required value")
    start("job", name, manifest, pod["containers"][0]["command"][2], spec["backoffLimit"])


def apply_mpijob(manifest, name):
    spec = manifest["spec"]
    replicas = spec["mpiReplicaSpecs"]
    for role in ("Launcher", "Worker"):
        check_template(replicas[role]["template"], name)
    if len(f"{name}-worker-{replicas['Worker']['replicas'] - 1}") > 63 or replicas["Launcher"]["replicas"] != 1:
        die("the MPIJob is invalid")
    command = replicas["Launcher"]["template"]["spec"]["containers"][0]["command"]
    start("mpijob", name, manifest, command[2], spec["runPolicy"]["backoffLimit"])


def apply_pod(manifest, name):
    check_template(manifest, name)
    folder = place("pod", name)
    if (folder / "phase").exists():
        die(f'pod "{name}" has ended')
    folder.mkdir(parents=True, exist_ok=True)


def apply(words):
    file = words.option("--filename")
    words.end()
    manifest = yaml.safe_load(sys.stdin if file == "-" else Path(file).read_text())
    kind, name = manifest["kind"], manifest["metadata"]["name"]
    if manifest["metadata"].get("namespace", namespace) != namespace:
        die("the namespace from the provided object does not match")
    known = {("v1", "ConfigMap"), ("v1", "Pod"), ("batch/v1", "Job"), ("kubeflow.org/v2beta1", "MPIJob")}
    if (manifest["apiVersion"], kind) not in known:
        die(f'no matches for kind "{kind}" in version "{manifest["apiVersion"]}"')
    if kind == "ConfigMap":
        folder = place("configmap", name)
        folder.mkdir(parents=True, exist_ok=True)
        for key, text in manifest["data"].items():
            (folder / key).write_text(text)
    else:
        {"Job": apply_job, "MPIJob": apply_mpijob, "Pod": apply_pod}[kind](manifest, name)
    print(f"{kind.lower()}/{name} created")


def create(words):
    if words.next() != "configmap":
        die("unknown object")
    name, file = words.next(), words.option("--from-file")
    if not words.flag("--dry-run=client") or not words.flag("--output=yaml"):
        die("not a dry run")
    words.end()
    head = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
    print(yaml.safe_dump({**head, "data": {Path(file).name: Path(file).read_text()}}))


def get(words):
    what = words.next()
    if what == "persistentvolumeclaim":
        name = words.next()
        words.end()
        return None if (cluster / f"claim.{name}").exists() else die(f'persistentvolumeclaims "{name}" not found')
    kind, name = resource(what)
    wanted = words.option("--output")
    if not words.flag("--ignore-not-found") or not wanted.startswith("jsonpath="):
        die("unknown output")
    words.end()
    folder = place(kind, name)
    if not folder.exists():
        return None
    if kind == "pod":
        file, otherwise = (folder / "phase", "Running") if wanted == "jsonpath={.status.phase}" else (cluster / "not-ready", "")
        print(file.read_text() if file.exists() else otherwise, end="")
        return None
    code = (folder / "code").read_text() if (folder / "code").exists() else None
    condition = {None: "Running" if kind == "mpijob" else "", "0": "Succeeded" if kind == "mpijob" else "Complete"}.get(code, "Failed")
    active = "1" if code is None and kind == "job" else ""
    print(f"there {condition} active={active}", end="")
    return None


def remove(words):
    words.flag("--wait=false")
    words.option("--timeout")
    if not words.flag("--ignore-not-found"):
        die("it may be gone")
    kind, name = resource(words.next())
    words.end()
    folder = place(kind, name)
    if not folder.exists():
        return
    if is_alive(folder):
        os.kill(int((folder / "pid").read_text()), 9)
        pod = int((folder / "pod").read_text())
        try:
            os.kill(pod, 15)
        except ProcessLookupError:
            pass
        for _ in range(1200):  # terminationGracePeriodSeconds
            if not Path(f"/proc/{pod}").exists():
                break
            time.sleep(0.05)
    shutil.rmtree(folder)
    print(f'{kind} "{name}" deleted')


def wait(words):
    if words.option("--for") != "condition=Ready" or not words.option("--timeout"):
        die("unknown condition")
    kind, name = resource(words.next())
    words.end()
    if (cluster / "not-ready").exists():
        die(f"timed out waiting for the condition on {kind}s/{name}")
    return None if place(kind, name).exists() else die("not found")


def execute(words):
    words.flag("--stdin")
    kind, name = resource(words.next())
    if words.next() != "--" or words.next() not in ("sh", "/bin/sh") or words.next() != "-c":
        die("unknown command")
    script = words.next()
    words.end()
    if kind == "pod" and name.endswith("-worker-0"):
        kind, name = "mpijob", name[:-len("-worker-0")]
    folder = place(kind, name)
    if not folder.exists():
        die(f'{kind}s "{name}" not found')
    if kind != "pod" and not is_alive(folder):
        die("cannot exec into a container in a completed pod; current phase is Succeeded")
    if script.startswith("xargs "):  # a list of paths, as they are called in the pod
        here, there = f"{cluster}/volume/".encode(), b"/data/"
        listed = subprocess.run(["/bin/sh", "-c", script], input=sys.stdin.buffer.read().replace(there, here), stdout=subprocess.PIPE)
        sys.stdout.buffer.write(listed.stdout.replace(here, there))
        sys.exit(listed.returncode)
    child = subprocess.Popen(["/bin/sh", "-c", in_pod(name, script)])
    while child.poll() is None:
        if kind != "pod" and not is_alive(folder):  # what runs in a pod ends with it
            child.kill()
            sys.exit(137)
        time.sleep(0.05)
    sys.exit(child.returncode)


words = Words(sys.argv[1:])
with open(cluster / "calls", "a") as calls:
    print(json.dumps(sys.argv[1:]), file=calls)
words.option("--request-timeout")
namespace = words.option("--namespace") or "default"
verb = words.next()
verbs = {"apply": apply, "create": create, "get": get, "delete": remove, "exec": execute, "wait": wait}
if verb not in verbs:
    die(f'unknown command "{verb}"')
verbs[verb](words)
