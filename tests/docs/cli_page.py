#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when docs/cli.md and the built program differ in a command, an option or a positional argument.

    cli_page.py NETWRIGHT_CLI docs/cli.md

Each command of the program has a section "## netwright-cli COMMAND". The rows of its table begin with the option's names
("`-q, --quiet`", "`--seed UINT`") or a positional's name ("`RUN_DIR`"), as `COMMAND --help` lists them.
"""
import re
import subprocess
import sys

SECTION = re.compile(r"^## netwright-cli ?(.*)$", re.M)
ROW = re.compile(r"^\| `([^`]+)` \|", re.M)
HELP_PART = re.compile(r"^(Positionals|Options|Subcommands):\n((?:[ \t].*\n?|\n(?=  \S))*)", re.M)
OPTION = re.compile(r"--?[A-Za-z][A-Za-z0-9-]*")


def parts_of(text):
    """{"Options": [first word or words of each entry], …} of a help text, without continuation lines of descriptions."""
    found = {"Positionals": [], "Options": [], "Subcommands": []}
    for name, body in HELP_PART.findall(text):
        found[name] += [line.split()[0] for line in body.splitlines() if re.match(r"  \S", line)]
    return found


def read_program(help_of):
    """{command: set of arguments} of the program, subcommands as "data get"; help_of(words) returns the help text of a command."""
    commands, pending = {}, [()]
    while pending:
        words = pending.pop()
        parts = parts_of(help_of(list(words)))
        options = {name for entry in parts["Options"] for name in OPTION.findall(entry)} - {"-h", "--help"}
        commands[" ".join(words)] = options | set(parts["Positionals"])
        pending += [words + (name,) for name in parts["Subcommands"]]
    return commands


def read_page(text):
    """{command: set of arguments} of the page. In the row of a positional argument the whole code span is the name."""
    pieces = SECTION.split(text)[1:]
    commands = {}
    for name, body in zip(pieces[::2], pieces[1::2]):
        rows = set()
        for cell in ROW.findall(body):
            rows |= set(OPTION.findall(cell)) if cell.startswith("-") else {cell}
        commands[name.strip()] = rows - {"-h", "--help"}
    return commands


def complaints(program, page):
    found = [f"'{c}' is a command without a section" for c in sorted(program.keys() - page.keys())]
    found += [f"'{c}' has a section and is no command" for c in sorted(page.keys() - program.keys())]
    for command in sorted(program.keys() & page.keys()):
        found += [f"{command or 'netwright-cli'}: {a} is not documented" for a in sorted(program[command] - page[command])]
        found += [f"{command or 'netwright-cli'}: {a} does not exist" for a in sorted(page[command] - program[command])]
    return found


def main():
    cli, page = sys.argv[1:]

    def help_of(words):
        return subprocess.run([cli, *words, "--help"], check=True, capture_output=True, text=True).stdout

    with open(page, encoding="utf-8") as file:
        found = complaints(read_program(help_of), read_page(file.read()))
    print("\n".join(f"{page}: {line}" for line in found) or "the page and the program agree")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
