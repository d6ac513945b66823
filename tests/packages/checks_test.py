#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The long part that holds packages to other programs' checks (installer/long.sh): it passes only where each check ran and found nothing, and
what the checks need is among the packages that are installed before."""
import subprocess
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PLAY = """source installer/lib.sh; source installer/parts.sh; source installer/long.sh
install_missing() {{ :; }}
all_packages_checked() {{ {checks}; }}
checked_packages
"""
PROGRAMS = {"lintian": "lintian", "piuparts": "piuparts", "mmdebstrap": "mmdebstrap", "xdotool": "xdotool", "Xvfb": "xvfb", "appstreamcli": "appstream",
            "desktop-file-validate": "desktop-file-utils", "shellcheck": "shellcheck", "sphinx-build": "python3-sphinx", "groff": "groff-base",
            "zsh": "zsh", "fish": "fish", "the module venv": "python3-venv"}


def played(checks):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", PLAY.format(checks=checks)], cwd=TOP, capture_output=True, text=True)


class Checks(unittest.TestCase):
    def test_passes_where_all_have_run(self):
        done = played("held_to a true && held_to b true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a: no findings", done.stderr)

    def test_is_skipped_where_one_could_not_run(self):
        for checks in ("held_to a true; held_to b no-such-program", "held_to a bash -c 'exit 77'; held_to b true"):
            done = played(checks)
            self.assertEqual(done.returncode, 77, done.stderr)
            self.assertIn(": skipped", done.stderr)

    def test_fails_where_one_finds_something(self):
        done = played("held_to a no-such-program; held_to b false || return; held_to c true")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("b: FAILED", done.stderr)
        self.assertNotIn("c: ", done.stderr)

    def test_what_a_long_part_has_found_is_known_at_the_end(self):
        lost = """source installer/lib.sh; source installer/parts.sh; source installer/long.sh
            part() { tried+=("$1"); }
            for name in "${long_parts[@]}"; do tried=(); "long_$name"; (( ${#tried[@]} )) || echo "$name"; done"""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", lost], cwd=TOP, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""), "these parts note their failure in a shell of their own: " + done.stderr)

    def test_what_checks_need_is_installed_before(self):
        groups = subprocess.run(["bash", "-c", "source installer/lib.sh; packages_of test package checks"], cwd=TOP, capture_output=True, text=True,
                                check=True).stdout
        listed = {line.split("|")[0] for line in groups.splitlines()}
        self.assertEqual([f"{program}: {package}" for program, package in PROGRAMS.items() if package not in listed], [])

    def test_a_standard_run_skips_nothing_that_it_can_install(self):
        groups = subprocess.run(["bash", "-c", "source installer/lib.sh; packages_of test"], cwd=TOP, capture_output=True, text=True, check=True).stdout
        listed = {line.split("|")[0] for line in groups.splitlines()}
        self.assertLessEqual({"python3-sphinx", "appstream", "desktop-file-utils", "groff-base", "zsh", "fish", "shellcheck"}, listed)


if __name__ == "__main__":
    unittest.main()
