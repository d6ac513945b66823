# SPDX-License-Identifier: Apache-2.0
"""The man page of the helper's protocol, netwright-protocol(7), from docs/protocol.md, which the program writes from its table of operations."""
import re

from man import escaped

HEAD = """.TH NETWRIGHT\\-PROTOCOL 7 "{date}" "Netwright {version}" "Protocols"
.SH NAME
netwright\\-protocol \\- requests and answers of netwright\\-cli serve
.SH DESCRIPTION"""
LAST = """.SH SEE ALSO
\\fBnetwright\\-cli\\-serve\\fR(1), \\fBnetwright\\-cli\\fR(1)"""


def inline(text):
    """A line with `code` in bold type."""
    parts = text.split("`")
    return "".join(f"\\fB{escaped(p)}\\fR" if i % 2 else escaped(p) if not i else escaped(p).removeprefix("\\&") for i, p in enumerate(parts) if p)


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def entry(values):
    """A row of fields: name, type and default of a request's; name and remarks of an answer's."""
    if len(values) == 2:
        return [".TP", inline(values[0]), inline(values[1])]
    name, kind, default, meaning = values
    return [".TP", f"{inline(name)} ({inline(kind)}; {inline(default if default == 'required' else 'default ' + default)})", inline(meaning)]


def block(lines):
    """One paragraph, heading or table of Markdown."""
    first = lines[0]
    if first.startswith("## "):
        return [".SS " + escaped(first[3:])]
    if first.startswith("|"):
        return [line for row in lines[2:] for line in entry(cells(row))]
    return [".PP", inline(" ".join(lines))]


def page(markdown, version, date):
    text = re.sub(r"<!--.*?-->", "", markdown, flags=re.S)
    blocks = [b.splitlines() for b in re.split(r"\n\s*\n", text.strip())][1:]    # without the title
    lines = [HEAD.format(version=version, date=date)]
    for b in blocks:
        if b[0].startswith("## ") and ".SH OPERATIONS" not in lines:
            lines.append(".SH OPERATIONS")
        lines += block(b)
    return "\n".join([*lines, LAST]) + "\n"
