# SPDX-License-Identifier: Apache-2.0
"""reStructuredText from plain texts, which may hold characters that mean something in it."""
import re
import unicodedata


def escaped(text):
    """The text as it is; "ssh:HOST" is no link."""
    return re.sub(r"([\\*`|_<]|(?<=\w):(?=\w))", r"\\\1", text)


def code(text):
    return f"``{text}``" if text and "`" not in text and "\\" not in text else escaped(text)


def heading(text, line="="):
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return f"{text}\n{line * width}\n"


def block(text):
    return "::\n\n" + "".join(f"   {line}\n" for line in text.splitlines()) + "\n"


def table(head, rows, widths=""):
    """Cells are reStructuredText."""
    out = ".. list-table::\n   :header-rows: 1\n" + (f"   :widths: {widths}\n" if widths else "") + "\n"
    for row in [head, *rows]:
        out += "".join(f"   {'*' if i == 0 else ' '} - {cell}\n" for i, cell in enumerate(row))
    return out + "\n"


def contents(names):
    return ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {name}\n" for name in names) + "\n"
