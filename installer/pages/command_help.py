# SPDX-License-Identifier: Apache-2.0
"""Reads the help texts of netwright-cli: its commands with their arguments, as records."""
import re
import subprocess
from dataclasses import dataclass, field

PART = re.compile(r"^(Positionals|Options|Subcommands):$")
ENTRY = re.compile(r"^  (\S.*?)(?:\s{2,}(\S.*))?$")
CHOICES = re.compile(r":\{([^}]*)\}")
TEXT_COLUMN = 30  # descriptions begin here, and continue here on lines of their own


@dataclass
class Argument:
    names: list   # ["-o", "--output"]; a positional argument or a command: its name alone
    value: str    # "TEXT:{best,latest}"; empty: the option is a switch
    text: str = ""

    @property
    def choices(self):
        found = CHOICES.search(self.value)
        return found.group(1).split(",") if found else []


@dataclass
class Command:
    words: tuple          # ("runs", "export"); the program itself: ()
    summary: str = ""
    usage: str = ""
    positionals: list = field(default_factory=list)
    options: list = field(default_factory=list)
    subcommands: list = field(default_factory=list)
    footer: list = field(default_factory=list)  # lines after the lists: examples, exit codes

    @property
    def name(self):
        return " ".join(("netwright-cli", *self.words))


def heads(line):
    """Head and text of an entry's line. A head that leaves one space before the column of the texts is followed by its text."""
    found = ENTRY.match(line)
    if found and not found.group(2) and re.match(r" [A-Z][a-z]*[ ,;]", line[TEXT_COLUMN - 1:]):
        return line[:TEXT_COLUMN].strip(), line[TEXT_COLUMN:]
    return found.groups() if found else None


def argument(head, text):
    names, _, value = head.partition(" ")
    return Argument(names.split(","), value.strip(), text or "")


def read(words, text):
    """The record of one help text."""
    lines = text.splitlines()
    command, part = Command(words, lines[0] if lines else ""), None
    for line in lines[1:]:
        if line.startswith("Usage: "):
            command.usage = line.removeprefix("Usage: ")
        elif found := PART.match(line):
            part = getattr(command, found.group(1).lower())
        elif part is not None and line.startswith(" " * TEXT_COLUMN) and part:
            part[-1].text = (part[-1].text + " " + line.strip()).strip()
        elif part is not None and (entry := heads(line)):
            part.append(argument(*entry))
        elif line or command.footer:
            part = None
            command.footer.append(line)
    return command


def read_all(cli):
    """All commands, the program itself first, each before its subcommands."""
    def help_of(words):
        return subprocess.run([cli, *words, "--help"], check=True, capture_output=True, text=True).stdout

    done, pending = [], [()]
    while pending:
        words = pending.pop(0)
        done.append(read(words, help_of(words)))
        pending = [words + (s.names[0],) for s in done[-1].subcommands] + pending
    return done
