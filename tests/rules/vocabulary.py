# SPDX-License-Identifier: Apache-2.0
"""Names that docs/glossary.md replaces may only become fewer.

vocabulary/names.tsv lists identifiers with the name each will get and the paths in which it is used; files.tsv lists
files, texts.tsv sentences of the window with their new Chinese. This check counts the old identifiers that are left and
fails when there are more than vocabulary/limit says, or fewer: then the limit is lowered.

    vocabulary.py           compares the count with the limit
    vocabulary.py --apply   renames all identifiers of names.tsv whose new name is not in use yet
"""
import re
import subprocess
import sys
from pathlib import Path

from sources import TOP, skip

FOLDER = Path(__file__).resolve().parent / "vocabulary"
KINDS = ("*.cpp", "*.hpp", "*.cu", "*CMakeLists.txt", "*.cmake", "*.py", "*.sh", "*.ts", "*.md")


def names():
    """(old, new, path prefixes or []) of each row."""
    for line in (FOLDER / "names.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        old, new, scope, *_ = line.split("\t")
        yield old, new, [] if scope == "all" else scope.split()


def tracked_files():
    """Text files of the tree that git knows, without the lists themselves."""
    listed = subprocess.run(["git", "ls-files", *KINDS], cwd=TOP, capture_output=True, text=True)
    if listed.returncode:
        skip("the files are not in a git repository")
    return [name for name in listed.stdout.splitlines() if not name.startswith("tests/rules/vocabulary")]


def in_scope(name, prefixes):
    return not prefixes or any(name == prefix or name.startswith(prefix + "/") for prefix in prefixes)


def apply(rows, texts):
    """Replaces every old name in its scope; returns the changed texts."""
    changed = dict(texts)
    for old, new, prefixes in rows:
        word = re.compile(rf"(?<![\w.]){re.escape(old)}(?!\w)" if "." in old else rf"\b{re.escape(old)}\b")
        for name in texts:
            if in_scope(name, prefixes):
                changed[name] = word.sub(new, changed[name])
    return changed


def count(rows, texts):
    """How many words of all texts are old names in their scope."""
    words = {}
    for name, text in texts.items():
        for word in re.findall(r"\w+", text):
            words.setdefault(word, []).append(name)
    return sum(in_scope(name, prefixes) for old, _, prefixes in rows for name in words.get(old.split(".")[-1], []))


def main():
    texts = {name: (TOP / name).read_text(encoding="utf-8") for name in tracked_files() if (TOP / name).is_file()}
    rows = list(names())
    if "--apply" in sys.argv:
        for name, text in apply(rows, texts).items():
            if text != texts[name]:
                (TOP / name).write_text(text, encoding="utf-8")
        return 0
    limit, left = int((FOLDER / "limit").read_text()), count(rows, texts)
    if left > limit:
        print(f"{left} uses of names that docs/glossary.md replaces, {limit} are allowed: take the new name "
              "(tests/rules/vocabulary/names.tsv)")
    if left < limit:
        print(f"{left} uses of replaced names are left: write this number into tests/rules/vocabulary/limit")
    return int(left != limit)


if __name__ == "__main__":
    sys.exit(main())
