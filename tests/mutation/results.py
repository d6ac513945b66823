# SPDX-License-Identifier: Apache-2.0
"""Results of the faults: stored as JSON lines, printed as a table."""
import json
from collections import Counter


class Results:
    def __init__(self, file, basis_of):
        """`basis_of(entry)`: hash of the sources that the result depends on. None: results of any tree, the newest of
        each entry."""
        self.file, self.basis_of, self.known = file, basis_of, {}
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        for line in map(json.loads, lines):
            self.known[line["entry"], self._key(line.get("basis"))] = line["result"]

    def _key(self, basis):
        return basis if self.basis_of else None

    def _place(self, entry):
        return entry.hash(), self.basis_of(entry) if self.basis_of else None

    def of(self, entry):
        return self.known.get(self._place(entry))

    def add(self, entry, result, detail, seconds):
        self.known[self._place(entry)] = result
        self.file.parent.mkdir(parents=True, exist_ok=True)
        line = {"entry": entry.hash(), "basis": self._place(entry)[1], "id": entry.id, "result": result, "detail": detail,
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
