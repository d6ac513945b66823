#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and completions say what the built program's help says: pages_test.py NETWRIGHT_CLI."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "installer/pages"))
import command_help  # noqa: E402
import completions  # noqa: E402
import man  # noqa: E402
import protocol  # noqa: E402
from zsh_terminal import Zsh  # noqa: E402

CLI = sys.argv.pop(1)
PROTOCOL = (TOP / "docs/protocol.md").read_text(encoding="utf-8")
COMMANDS = command_help.read_all(CLI)
TRY = """source {file}
COMP_WORDS=({words}) COMP_CWORD={last} COMPREPLY=()
_netwright_cli
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def command(*words):
    return next(c for c in COMMANDS if c.words == words)


class Help(unittest.TestCase):
    def test_every_command_is_read_with_its_arguments(self):
        self.assertEqual(command("runs", "export").positionals[0].names, ["DIR"])
        precision = next(o for o in command("train").options if "--precision" in o.names)
        self.assertEqual(precision.choices, ["automatic", "fp32", "bf16", "fp16", "tf32"])
        self.assertTrue(precision.text)
        self.assertIn("Exit codes: 0 done", "\n".join(command().footer))

    def test_a_description_of_several_lines_is_one_text(self):
        read = command_help.read((), "Does it\nUsage: p\n\nOptions:\n  --far INT:INT in [0 - 9]\n" + 30 * " " + "How far;\n" + 30 * " " + "or not\n  -q,--quiet                  Quiet\n")
        self.assertEqual([o.text for o in read.options], ["How far; or not", "Quiet"])
        self.assertEqual(read.options[1].names, ["-q", "--quiet"])


    def test_a_head_that_fills_its_column_is_followed_by_its_text(self):
        seconds = next(o for o in command("estimate").options if "--seconds" in o.names)
        self.assertEqual(seconds.value, "FLOAT:NONNEGATIVE")
        self.assertTrue(seconds.text.startswith("Seconds of training"), seconds.text)
        self.assertEqual([c.name for c in COMMANDS for o in c.options if not o.text], [])


class ManPages(unittest.TestCase):
    def test_each_command_has_one_that_names_all_its_options(self):
        pages = man.pages(COMMANDS, "1", "2026-01-01")
        for c in COMMANDS:
            page = pages["-".join(("netwright-cli", *c.words)) + ".1"]
            for option in c.options:
                for name in option.names:
                    self.assertIn("\\fB" + name.replace("-", "\\-") + "\\fR", page)

    def test_lines_that_begin_with_a_dot_are_text(self):
        self.assertEqual(man.escaped(".netwright files"), "\\&.netwright files")

    def test_that_of_the_window_names_its_options(self):
        window = Path(CLI).with_name("netwright")
        if not window.exists():
            self.skipTest("the window is not built")
        told = subprocess.run([window, "--help"], check=True, capture_output=True, text=True).stdout
        reads = "".join(p.read_text(encoding="utf-8") for p in (TOP / "ui").rglob("*.cpp"))
        options = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", told.split("Arguments:")[0])
        filters = re.findall(r'argv\[1\]\) == "(--[a-z-]+)"', reads)
        self.assertGreaterEqual(len(filters), 3)
        named = re.findall(r"\\fB(--?[a-z-]+)\\fR", man.pages(COMMANDS, "1", "2026-01-01")["netwright.1"].replace("\\-", "-"))
        self.assertEqual(set(named), set(options) | set(filters))

    def test_the_protocols_page_has_every_operation_and_field(self):
        page = protocol.page(PROTOCOL, "1", "2026-01-01")
        self.assertEqual(re.findall(r"^\.SS (.*)$", page, re.M), re.findall(r"^## (.*)$", PROTOCOL, re.M))
        rows = re.findall(r"^\| `(\w+)`.*\| (.*) \|$", PROTOCOL, re.M)
        self.assertGreater(len(rows), 200)
        entries = re.findall(r"^\.TP\n\\fB(\w+)\\fR.*\n(.*)$", page, re.M)
        self.assertEqual(entries, [(name, protocol.inline(meaning)) for name, meaning in rows])

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_complaint(self):
        pages = man.pages(COMMANDS, "1", "2026-01-01") | {"protocol": protocol.page(PROTOCOL, "1", "2026-01-01")}
        for name, page in pages.items():
            done = subprocess.run(["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-Z"], input=page, capture_output=True, text=True)
            self.assertEqual(done.stderr, "", name)


class Completions(unittest.TestCase):
    def completed(self, *words):
        with tempfile.NamedTemporaryFile("w", suffix=".bash") as file:
            file.write(completions.bash(COMMANDS))
            file.flush()
            script = TRY.format(file=file.name, words=" ".join(f"'{w}'" for w in ("netwright-cli", *words)), last=len(words))
            return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=TOP).stdout.split()

    def test_bash_offers_commands_options_values_and_files(self):
        self.assertEqual(self.completed("tr"), ["train"])
        self.assertEqual(self.completed("runs", "ex"), ["export"])
        self.assertEqual(self.completed("train", "--prec"), ["--precision"])
        self.assertEqual(self.completed("train", "--precision", "b"), ["bf16"])
        self.assertEqual(self.completed("train", "READ"), ["README.md"])
        self.assertEqual(self.completed("--vers"), ["--version"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_commands_options_and_values(self):
        with tempfile.NamedTemporaryFile("w", suffix=".fish") as file:
            file.write(completions.fish(COMMANDS))
            file.flush()
            for words, offered in (("netwright-cli tra", "train"), ("netwright-cli runs ex", "export"), ("netwright-cli train --prec", "--precision"),
                                   ("netwright-cli train --precision b", "bf16")):
                done = subprocess.run(["fish", "--no-config", "-c", f"source {file.name}; complete -C '{words}'"], capture_output=True, text=True)
                self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], [offered], done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_offers_commands_options_and_values(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "_netwright-cli").write_text(completions.zsh(COMMANDS), encoding="utf-8")
            with Zsh(folder) as shell:
                for words, whole in (("tra", "train"), ("runs ex", "runs export"), ("train --prec", "train --precision"),
                                     ("train --precision b", "train --precision bf16")):
                    self.assertEqual(shell.completed(f"netwright-cli {words}"), f"netwright-cli {whole}")

    def test_other_shells_accept_theirs(self):
        for shell, text in (("zsh", completions.zsh(COMMANDS)), ("fish", completions.fish(COMMANDS))):
            with self.subTest(shell), tempfile.NamedTemporaryFile("w") as file:
                if not shutil.which(shell):
                    self.skipTest(f"{shell} is not installed")
                file.write(text)
                file.flush()
                self.assertEqual(subprocess.run([shell, "-n", file.name], capture_output=True, text=True).stderr, "")


if __name__ == "__main__":
    unittest.main()
