#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The inference server beside programs of others: NVIDIA's tritonclient, the Open Inference Protocol's schema (its OpenAPI file,
tests/reference/open-inference-protocol), Chromium for the test page, and Kubernetes' schemas (kubernetes-validate) for what
`export --server` writes.

    python3 tests/serve/ecosystem.py --cli build/release/bin/netwright-cli [client schema page deployment]

Exit code 77: nothing could be checked, for the reasons printed.
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SCHEMA = TOP / "tests" / "reference" / "open-inference-protocol" / "open_inference_rest.yaml"


class Missing(Exception):
    """What a check needs and is not installed."""


def png(side, value):
    rows = b"".join(b"\0" + bytes([value]) * side for _ in range(side))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def serve(cli, run):
    process = subprocess.Popen([cli, "infer-server", run, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, process.stdout.readline().split("/v2/")[0]


def end(process):
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 0, process.returncode


@contextlib.contextmanager
def server(cli, place):
    project = place / "digits.netwright"
    subprocess.run([cli, "new", "--template", "lenet5", "-o", project], check=True, stdout=subprocess.DEVNULL)
    d = json.loads(project.read_text())
    d["data"] |= {"kind": "synthetic", "synthetic_train": 320, "synthetic_test": 64}
    project.write_text(json.dumps(d))
    run = place / "digits"
    subprocess.run([cli, "train", project, "--epochs", "1", "--run-dir", run, "-q"], check=True, stdout=subprocess.DEVNULL)
    process, url = serve(cli, run)
    try:
        yield url, run
    finally:
        end(process)


def ask(url, body=None, headers=None):
    """(status, JSON)"""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers or {}), timeout=20) as reply:
            return reply.status, json.loads(reply.read() or b"null")
    except urllib.error.HTTPError as e:
        return e.code, json.loads(e.read())


def request(images, **more):
    tensor = {"name": "images", "datatype": "FP32", "shape": [images, 1, 28, 28], "data": [7.5] * (784 * images)} | more
    return json.dumps({"id": "1", "inputs": [tensor]}).encode()


def check_client(url, *_):
    try:
        import numpy as np
        import tritonclient.http as triton
        from tritonclient.utils import InferenceServerException
    except ImportError as e:
        raise Missing(f"{e.name}: pip install tritonclient[http]") from e
    with triton.InferenceServerClient(url.removeprefix("http://")) as client:
        assert client.is_server_live() and client.is_server_ready() and client.is_model_ready("digits")
        assert not client.is_model_ready("other")
        assert client.get_server_metadata()["name"] == "netwright"
        assert client.get_model_metadata("digits")["inputs"][0]["shape"] == [-1, 1, 28, 28]
        assert [m["name"] for m in client.get_model_repository_index()] == ["digits"]
        pixels = np.arange(3 * 784, dtype=np.float32).reshape(3, 1, 28, 28) % 256
        scores = {}
        for binary in (True, False):
            images = triton.InferInput("images", pixels.shape, "FP32")
            images.set_data_from_numpy(pixels, binary_data=binary)
            wanted = [triton.InferRequestedOutput(n, binary_data=binary) for n in ("scores", "probabilities")]
            answer = client.infer("digits", [images], outputs=wanted, request_id="seven")
            assert answer.get_response()["id"] == "seven"
            scores[binary] = answer.as_numpy("scores")
            assert scores[binary].shape == (3, 10)
            assert np.allclose(answer.as_numpy("probabilities").sum(1), 1, atol=1e-5)
        assert np.array_equal(scores[True], scores[False])
        small = triton.InferInput("images", pixels.shape, "UINT8")
        small.set_data_from_numpy(pixels.astype(np.uint8))
        assert np.array_equal(client.infer("digits", [small]).as_numpy("scores"), scores[True])
        try:
            client.infer("other", [small])
            raise AssertionError("a network that is not served was answered")
        except InferenceServerException as e:
            assert "no such network" in e.message()
        waiting = [client.async_infer("digits", [small]) for _ in range(20)]
        assert all(np.array_equal(w.get_result().as_numpy("scores"), scores[True]) for w in waiting)


def check_schema(url, *_):
    try:
        import jsonschema
        import yaml
    except ImportError as e:
        raise Missing(f"{e.name}: pip install jsonschema pyyaml") from e
    document = yaml.safe_load(SCHEMA.read_text())
    schemas = document["components"]["schemas"]
    # one of the tensors' schemas is recursive; the file's own references resolve in the whole document
    validate = lambda name, value: jsonschema.Draft4Validator({**document, "$ref": f"#/components/schemas/{name}"}).validate(value)
    paths = {p.replace("${MODEL_NAME}", "digits"): p for p in document["paths"]}
    version = ask(url + "/v2/models/digits")[1]["versions"][0]
    seen = 0
    for path, original in paths.items():
        for method, operation in document["paths"][original].items():
            if method == "parameters":
                continue
            body = request(2) if method == "post" else None
            status, answer = ask(url + path.replace("${MODEL_VERSION}", version), body)
            assert status == 200, (path, status, answer)
            content = operation["responses"]["200"].get("content")
            if content:
                validate(content["application/json"]["schema"]["$ref"].rsplit("/", 1)[1], answer)
            seen += 1
    assert seen == 6, f"{seen} of the protocol's six endpoints"
    for path, body, schema in (("/v2/models/digits/infer", b"{", "inference_error_response"),
                               ("/v2/models/other", None, "metadata_model_error_response"),
                               ("/v2/models/digits/infer", request(1, datatype="FP64"), "inference_error_response")):
        status, answer = ask(url + path, body)
        assert status in (400, 404) and isinstance(answer["error"], str), (path, status, answer)
        validate(schema, answer)
    picture = ask(url + "/v2/models/digits/infer", png(28, 9), {"Content-Type": "image/png"})[1]
    validate("inference_response", picture)
    assert "inference_response" in schemas


def check_page(url, *_):
    """Chromium is driven through its DevTools pipe: a picture is given to the page's file field, and the classes appear."""
    browser = os.environ.get("NETWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        raise Missing("chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:  # its helpers end a moment later
        picture = Path(place) / "one.png"
        picture.write_bytes(png(28, 200))
        with Browser(browser, place) as b:
            b.call("Log.enable")
            b.call("Page.enable")
            b.call("Page.navigate", url=url + "/")
            b.until("document.readyState === 'complete' && document.getElementById('network').options.length === 1")
            root = b.call("DOM.getDocument")["root"]["nodeId"]
            field = b.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
            b.call("DOM.setFileInputFiles", files=[str(picture)], nodeId=field)
            b.until("document.querySelectorAll('#answers tr').length === 5")
            shown = b.value("document.querySelector('#answers td:last-child').textContent")
            assert shown.endswith(" %"), shown
            assert b.value("document.getElementById('picture').naturalWidth") == 28
            # what the page's policy forbids does not happen
            assert b.value("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1';"
                           "document.body.append(s); return window.ran === undefined; })()")
            broken = Path(place) / "broken.png"
            broken.write_bytes(png(28, 200)[:60])
            b.call("DOM.setFileInputFiles", files=[str(broken)], nodeId=field)
            b.until("document.getElementById('status').textContent.includes('cut short')")
            assert b.value("document.querySelectorAll('#answers tr').length") == 0


def check_deployment(url, run, cli):
    """The folder serves as the run does; its YAML has no key that Kubernetes does not know; its container has all libraries."""
    folder = run.parent / "deployment"
    subprocess.run([cli, "export", run, "--server", folder], check=True, stdout=subprocess.DEVNULL)
    again = subprocess.run([cli, "export", run, "--server", folder], capture_output=True, text=True)
    assert again.returncode == 2 and "exists already" in again.stderr, again
    text = (folder / "model" / "digits" / "run.json").read_text()
    assert str(run.parent) not in text and not list(run.parent.glob(".*.writing-*"))
    process, other = serve(folder / "bin" / "netwright-cli", folder / "model" / "digits")
    body = request(1)
    assert ask(other + "/v2/models/digits/infer", body) == ask(url + "/v2/models/digits/infer", body)
    end(process)
    check_libraries(folder)
    try:
        import kubernetes_validate
        import yaml
    except ImportError as e:
        raise Missing(f"{e.name}: pip install kubernetes-validate") from e
    documents = list(yaml.safe_load_all((folder / "kubernetes.yaml").read_text()))
    assert [d["kind"] for d in documents] == ["Deployment", "Service", "HorizontalPodAutoscaler"]
    for d in documents:
        kubernetes_validate.validate(d, "1.30", strict=True)
        wrong = json.loads(json.dumps(d))
        wrong["spec"]["replica"] = 1  # a key that Kubernetes does not know
        try:
            kubernetes_validate.validate(wrong, "1.30", strict=True)
        except kubernetes_validate.ValidationError:
            continue
        raise AssertionError(f"an unknown key of a {d['kind']} is not noticed")
    deployment, service, scaler = documents
    template = deployment["spec"]["template"]
    labels = template["metadata"]["labels"].items()
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels and service["spec"]["selector"].items() <= labels
    assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]
    container = template["spec"]["containers"][0]
    assert service["spec"]["ports"][0]["targetPort"] in {p["name"] for p in container["ports"]}
    assert {m["name"] for m in container["volumeMounts"]} == {v["name"] for v in template["spec"]["volumes"]}


def check_libraries(folder):
    """Every library that the programs name is of a package that the Containerfile installs, or of Debian's base."""
    if not shutil.which("dpkg") or not shutil.which("readelf"):
        return
    recipe = (folder / "Containerfile").read_text()
    places = dict(line.split(" => ") for line in subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout.splitlines()
                  if " => " in line)
    for program in (folder / "bin").iterdir():
        dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic):
            place = next((os.path.realpath(p) for name, p in places.items() if name.split()[0] == library), "")
            owner = subprocess.run(["dpkg", "-S", place.replace("/usr/lib", "*/lib")], capture_output=True, text=True).stdout.split(":")[0]
            assert owner in {"libc6", "libgcc-s1", ""} or owner in recipe.split(), f"{program.name} needs {library} of {owner}"


class Browser:
    """Headless Chromium, asked by its remote-debugging pipe (descriptors 3 and 4; messages end with a zero byte)."""

    def __init__(self, program, place):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        moved = [os.dup(to_browser), os.dup(from_browser)]  # not 3 or 4, which they become
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                   "--disable-dev-shm-usage", f"--user-data-dir={place}/profile", "about:blank"]
        script = f'exec "$@" 3<&{moved[0]} 4>&{moved[1]}'
        self.process = subprocess.Popen(["bash", "-c", script, "bash", *command], pass_fds=moved, stderr=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, start_new_session=True, env={**os.environ, "HOME": place, "LANG": "en_US.UTF-8"})
        for fd in (to_browser, from_browser, *moved):
            os.close(fd)
        self.buffer, self.number, self.session = b"", 0, None
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                piece = os.read(self.read_end, 1 << 16)
                if not piece:
                    raise Missing("chromium does not start here")
                self.buffer += piece
            line, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < end, (expression, self.value("document.body.innerText"))
            time.sleep(0.05)


CHECKS = {"client": check_client, "schema": check_schema, "page": check_page, "deployment": check_deployment}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("checks", nargs="*", default=list(CHECKS))
    options = parser.parse_args()
    done = 0
    with tempfile.TemporaryDirectory() as place, server(options.cli, Path(place)) as (url, run):
        for name in options.checks:
            try:
                CHECKS[name](url, run, options.cli)
                done += 1
                print(f"{name}: passed")
            except Missing as e:
                print(f"{name}: not checked, for this is missing: {e}")
    sys.exit(0 if done else 77)


if __name__ == "__main__":
    main()
