# SPDX-License-Identifier: Apache-2.0
"""Man pages of netwright-cli: one for the program and one for each of its commands (man(7))."""


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def heading(c, version, date):
    title = "-".join(("netwright-cli", *c.words)).upper()
    return [f'.TH "{escaped(title)}" 1 "{date}" "Netwright {version}" "User Commands"',
            ".SH NAME", f"{escaped('-'.join(('netwright-cli', *c.words)))} \\- {escaped(c.summary[:1].lower() + c.summary[1:])}",
            ".SH SYNOPSIS", f".B {escaped(c.name)}", escaped(c.usage.removeprefix(c.name).strip())]


def listed(title, arguments, bold_value=False):
    lines = [f".SH {title}"] if arguments else []
    for a in arguments:
        names = ", ".join(f"\\fB{escaped(n)}\\fR" for n in a.names)
        lines += [".TP", f"{names} \\fI{escaped(a.value)}\\fR" if a.value else names, escaped(a.text)]
    return lines


def footer(c):
    lines = [line for line in c.footer if line.strip()]
    return [".SH EXAMPLES AND EXIT CODES", ".nf", *map(escaped, lines), ".fi"] if lines else []


def others(c, commands):
    """The pages of the commands below, or of the program."""
    below = [o for o in commands if o.words[:-1] == c.words and o.words != c.words]
    names = ["-".join(("netwright-cli", *o.words)) for o in below] or ["netwright-cli"]
    return [".SH SEE ALSO", ", ".join(f"\\fB{escaped(n)}\\fR(1)" for n in names)]


def page(c, commands, version, date):
    lines = heading(c, version, date) + listed("ARGUMENTS", c.positionals) + listed("OPTIONS", c.options)
    return "\n".join(lines + listed("COMMANDS", c.subcommands) + footer(c) + others(c, commands)) + "\n"


WINDOW = """.TH NETWRIGHT 1 "{date}" "Netwright {version}" "User Commands"
.SH NAME
netwright \\- draw a neural network, train it, see why
.SH SYNOPSIS
.B netwright
[\\fIFILE\\fR | \\fIRUN_DIR\\fR] [\\fB\\-\\-template\\fR \\fINAME\\fR] [\\fB\\-\\-safe\\-mode\\fR]
.SH DESCRIPTION
Opens the window: networks are drawn by drag and drop, trained on the devices of this computer, watched while they train, and examined with the
images that they get wrong. It opens the project \\fIFILE\\fR, the run of the folder \\fIRUN_DIR\\fR, or what was open last.
.SH OPTIONS
.TP
\\fB\\-h\\fR, \\fB\\-\\-help\\fR
Names the options; \\fB\\-\\-help\\-all\\fR also those of Qt.
.TP
\\fB\\-v\\fR, \\fB\\-\\-version\\fR
Names the version.
.TP
\\fB\\-\\-template\\fR \\fINAME\\fR
A new project of this template, such as lenet5; \\fBnetwright\\-cli new \\-\\-list\\fR names them.
.TP
\\fB\\-\\-safe\\-mode\\fR
No project is opened and no run followed, and settings have their defaults; those of the user stay as they are.
.SH WITHOUT A DISPLAY
Each of these is the first argument, and no window opens.
.TP
\\fB\\-\\-thumbnail\\fR \\fISIDE FILE PNG\\fR
The drawing of a project, or of the network in a run's \\fIrun.json\\fR, as a picture of at most \\fISIDE\\fR pixels; file managers call it.
.TP
\\fB\\-\\-key\\-card\\fR \\fBen\\fR|\\fBzh\\fR \\fIFILE\\fR
The card of keys and gestures as a PDF.
.TP
\\fB\\-\\-report\\-pdf\\fR \\fBen\\fR|\\fBzh\\fR
A PDF of the report that it reads; \\fBnetwright\\-cli runs report\\fR calls it.
.SH SEE ALSO
\\fBnetwright\\-cli\\fR(1)
"""


def pages(commands, version, date):
    """{file name: text}"""
    made = {"-".join(("netwright-cli", *c.words)) + ".1": page(c, commands, version, date) for c in commands}
    return made | {"netwright.1": WINDOW.format(version=version, date=date)}
