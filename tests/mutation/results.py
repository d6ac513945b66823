# SPDX-License-Identifier: Apache-2.0
"""Results of the faults: stored as JSON lines, printed as a table."""
import hashlib
import json
from collections import Counter

from entries import ROOMS, TOP


def tree_hash(top=TOP):
    """Hash of every file that can change the result of a build or a test."""
    digest = hashlib.sha256()
    files = [top / "CMakeLists.txt", *(path for room in ROOMS for path in (top / room).rglob("*"))]
    for path in sorted(files):
        if path.is_file() and path.suffix != ".pyc" and top / "tests" / "mutation" not in path.parents:
            digest.update(f"{path.relative_to(top)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


class Results:
    def __init__(self, file, tree):
        """`tree`: its hash. None: results of any tree, the newest of each entry."""
        self.file, self.tree, self.known = file, tree, {}
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        for line in map(json.loads, lines):
            if tree in (None, line["tree"]):
                self.known[line["entry"]] = line["result"]

    def of(self, entry):
        return self.known.get(entry.hash())

    def add(self, entry, result, detail, seconds):
        self.known[entry.hash()] = result
        self.file.parent.mkdir(parents=True, exist_ok=True)
        line = {"entry": entry.hash(), "tree": self.tree, "id": entry.id, "result": result, "detail": detail,
                "seconds": round(seconds, 1)}
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")


def table(entries, results):
    """Markdown: a row for each room, then the faults that survived."""
    lines = ["| room | faults | run | noticed | survived | not run | not tried: reason |", "|---|---|---|---|---|---|---|"]
    counted = {}
    for entry in entries:
        counted.setdefault(entry.room, Counter())[results.of(entry) or "not run"] += 1
    total = sum(counted.values(), Counter())
    for room, count in [*sorted(counted.items()), ("all", total)]:
        other = {k: n for k, n in count.items() if k not in ("noticed", "survived", "not run")}
        tried = count["noticed"] + count["survived"]
        lines.append(f"| {room} | {sum(count.values())} | {tried} | {count['noticed']} | {count['survived']} | "
                     f"{count['not run']} | {', '.join(f'{k}: {n}' for k, n in other.items())} |")
    survivors = [e for e in entries if results.of(e) == "survived"]
    lines += ["", "Survivors:", ""] if survivors else []
    return "\n".join(lines + [f"- `{e.id}` ({e.fields['file']}): {e.fields['why']}" for e in survivors])
