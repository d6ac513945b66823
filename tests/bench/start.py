#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the time from the start of netwright's process to the first pixel of its window, on a separate X display (Xvfb).

Cold: the page cache is dropped first (needs permission to write /proc/sys/vm/drop_caches). Warm: a second start. The X server is
started before the measurement. Prints a JSON line for each start; there is no pass or fail.

    python tests/bench/start.py [--program build/release/bin/netwright] [--rounds 5]
"""
import argparse
import ctypes
import ctypes.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT, PATIENCE_S = 1600, 1000, 60


class Screen:
    """The display's root window, black until a program paints on it."""

    def __init__(self, name):
        self.x = ctypes.CDLL(ctypes.util.find_library("X11"))
        for function, result in (("XOpenDisplay", ctypes.c_void_p), ("XDefaultRootWindow", ctypes.c_ulong), ("XGetImage", ctypes.c_void_p), ("XGetPixel", ctypes.c_ulong)):
            getattr(self.x, function).restype = result
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(name.encode()))
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))

    def painted(self):
        image = self.x.XGetImage(self.display, self.root, WIDTH // 2, HEIGHT // 2, 1, 1, ctypes.c_ulong(0xFFFFFFFF), 2)
        pixel = self.x.XGetPixel(ctypes.c_void_p(image), 0, 0) & 0xFFFFFF
        self.x.XDestroyImage(ctypes.c_void_p(image))
        return pixel != 0


def forget():
    """Drops the page cache. False: no permission."""
    os.sync()
    try:
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")
    except OSError:
        return False
    return True


def start(program, display, screen, home):
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "HOME": home, "XDG_RUNTIME_DIR": home}
    for place in ("CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME"):
        environment["XDG_" + place] = home
    begin = time.monotonic()
    window = subprocess.Popen([program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not screen.painted() and time.monotonic() < begin + PATIENCE_S and window.poll() is None:
        time.sleep(0.002)
    took = time.monotonic() - begin
    seen = screen.painted()
    window.kill()
    window.wait()
    while screen.painted():
        time.sleep(0.01)
    return round(1000 * took) if seen else None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default="build/release/bin/netwright")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    display = f":{os.getpid() % 20000 + 100}"
    server = subprocess.Popen(["Xvfb", display, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists("/tmp/.X11-unix/X" + display[1:]) and server.poll() is None:
            time.sleep(0.02)
        screen = Screen(display)
        with tempfile.TemporaryDirectory() as home:
            for _ in range(chosen.rounds):
                cold = start(chosen.program, display, screen, home) if forget() else None
                print(json.dumps({"cold_ms": cold, "warm_ms": start(chosen.program, display, screen, home)}), flush=True)
    finally:
        server.kill()
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
