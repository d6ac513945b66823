# SPDX-License-Identifier: Apache-2.0
"""One page for each command, from what --help prints."""
import re
import sys

from rst import block, code, contents, escaped, heading, table
from texts import TOP

sys.path.append(str(TOP / "installer/pages"))
import command_help  # noqa: E402

LIMITS = re.compile(r"\bin \[(.+?) - (.+?)\]")


def read(cli):
    return command_help.read_all(cli)


def file_name(command):
    return "-".join(command.words) or "netwright-cli"


def option_cell(option):
    value = re.split(r"[: ]", option.value)[0]
    names = ", ".join(option.names)
    return code(f"{names} {value}".strip())


def meaning_cell(argument, words):
    cell = escaped(words.of_help(argument.text))
    if argument.choices:
        cell += (" — " if words.language == "en" else "：") + ", ".join(code(c) for c in argument.choices)
    elif limits := LIMITS.search(argument.value):
        cell += f" ({limits.group(1)} … {limits.group(2)})"
    if "REQUIRED" in argument.value:
        cell += f" ({words('REQUIRED')})" if words.language != "en" else " (required)"
    return cell


def arguments(title, head, cells, words):
    return heading(words(title), "-") + "\n" + table([words(head), words("Meaning")], cells, "35 65") if cells else ""


def examples(command):
    lines = "\n".join(command.footer).split("Exit codes:")[0].replace("Examples:", "").replace("Example:", "")
    return "\n".join(line.strip() for line in lines.splitlines() if line.strip().startswith("netwright-cli"))


def page(command, words):
    text = heading(command.name) + f"\n{escaped(words.of_help(command.summary))}\n\n"
    text += heading(words("Usage"), "-") + "\n" + block(command.usage)
    text += arguments("Subcommands", "Command", [[f":doc:`{'-'.join(command.words + (s.names[0],))}`", escaped(words.of_help(s.text))]
                                                 for s in command.subcommands], words)
    text += arguments("Arguments", "Argument", [[code(a.names[0]), meaning_cell(a, words)] for a in command.positionals], words)
    text += arguments("Options", "Option", [[option_cell(o), meaning_cell(o, words)] for o in command.options], words)
    if command.words and len(command.words) == 1 and examples(command):
        text += heading(words("Examples"), "-") + "\n" + block(examples(command))
    return text + words("This page is made from what the program prints with --help.") + "\n"


def pages(commands, words):
    made = {f"commands/{file_name(c)}.rst": page(c, words) for c in commands}
    codes = words("0 done, 1 other, 2 usage, 3 bad input, 4 no such device, 5 out of memory, 6 not finite, 7 disk, 8 stopped with a checkpoint, 130 and 143 after a signal")
    made["commands/index.rst"] = (heading(words("Commands")) + "\n" + words("All commands of netwright-cli. Results go to standard output, messages to standard error.")
                                  + "\n\n" + heading(words("Exit codes"), "-") + f"\n{codes}\n\n" + heading(words("Commands"), "-") + "\n"
                                  + table([words("Command"), words("Meaning")], [[f":doc:`{file_name(c)}`", escaped(words.of_help(c.summary))] for c in commands], "35 65")
                                  + contents(file_name(c) for c in commands).replace(":maxdepth: 1\n", ":maxdepth: 1\n   :hidden:\n"))
    return made
