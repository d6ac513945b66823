# SPDX-License-Identifier: Apache-2.0
"""zsh in a terminal of its own, to press Tab in."""
import os
import pty
import re
import select
import signal

LIMIT_S = 60  # without output: the shell hangs


class Zsh:
    """An interactive zsh without the user's settings whose completions are those of `folder`. Use with `with`."""

    def __init__(self, folder):
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "PS1": "", "HOME": str(folder)})
        # without what the terminal could show differently
        self._send(f"PROMPT= RPROMPT=; unsetopt prompt_sp zle; fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -d {folder}/dump; setopt zle\n")
        self.line_after("print -r -- 'REA''DY'\n", r"^READY\s*$")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def _send(self, text):
        os.write(self._terminal, text.encode())

    def line_after(self, text, pattern):
        """The first match of a line that comes after this was typed."""
        self._send(text)
        read = ""
        while select.select([self._terminal], [], [], LIMIT_S)[0]:
            read += os.read(self._terminal, 4096).decode(errors="replace")
            if found := re.search(pattern, read.replace("\r", ""), re.M):
                return found
        raise AssertionError(f"zsh shows nothing more after {read[-500:]!r}")

    def completed(self, words):
        """The command line after Tab."""
        # Ctrl+A leads to the line's beginning: it is printed, not run.
        return self.line_after(f"{words}\t\x01print -r -- DONE \n", r"^DONE (.*?)\s*$")[1]
