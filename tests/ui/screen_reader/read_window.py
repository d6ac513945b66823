#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""read_window.py NETWRIGHT: opens the window on a separate X display and inspects it through AT-SPI, as Orca does.

Exit code 77 with a message if a required program or package is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

warnings.simplefilter("ignore", DeprecationWarning)   # libatspi renamed functions; both names work
SKIPPED = 77
NEEDED = {"Xvfb": "xvfb", "dbus-run-session": "dbus"}
LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
PATIENCE_S = 60
CONTROLS = {"push button", "toggle button", "check box", "radio button", "combo box", "spin button", "slider", "text", "entry", "list",
            "tree", "tree table", "table", "page tab list", "page tab", "menu item"}


def skip(sentence):
    print("skipped: " + sentence)
    sys.exit(SKIPPED)


def check_needs():
    for program, package in NEEDED.items():
        if not shutil.which(program):
            skip(f"{program} is missing (package {package})")
    if not os.path.exists(LAUNCHER):
        skip("the accessibility bus is missing (package at-spi2-core)")
    try:
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi  # noqa: F401
    except (ImportError, ValueError):
        skip("Python cannot read AT-SPI (packages python3-gi and gir1.2-atspi-2.0)")


def display(folder):
    """Starts a virtual X display; returns its process and its name."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1680x1050x24", "-nolisten", "tcp", "-noreset"], pass_fds=[write],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        return server, ":" + pipe.readline().strip()


def window_environment(folder, shown):
    places = {name: os.path.join(folder, name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    for place in places.values():
        os.makedirs(place)
    return dict(os.environ, DISPLAY=shown, QT_QPA_PLATFORM="xcb", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", LANG="C.UTF-8",
                NETWRIGHT_DATA=os.path.join(folder, "data"), NETWRIGHT_RUNS=os.path.join(folder, "runs"), **places)


class Reader:
    """The accessible objects and events of one program, as a screen reader receives them."""

    def __init__(self):
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, GLib
        self.atspi, self.glib = Atspi, GLib
        self.heard = []
        Atspi.set_timeout(5000, 30000)
        self.listener = Atspi.EventListener.new(lambda event: self.heard.append((event.type, self.name(event.any_data if "children" in event.type else event.source))))
        for kind in ("object:state-changed:focused", "object:children-changed:add", "object:children-changed:remove"):
            self.listener.register(kind)

    def name(self, part):
        try:
            return part.get_name() if part is not None and hasattr(part, "get_name") else ""
        except self.glib.Error:
            return ""   # the object was destroyed meanwhile

    def until(self, what, condition):
        """Processes bus events until the condition holds; returns the condition's value."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                found = condition()
            except self.glib.Error:
                found = None   # an object was destroyed during the query
            if found:
                return found
            while self.glib.MainContext.default().iteration(False):
                pass
            time.sleep(0.02)
        sys.exit(f"failed: {what} did not come; heard {self.heard[-8:]}")

    def application(self):
        desktop = self.atspi.get_desktop(0)
        return next((app for app in self.children(desktop) if app.get_name() == "netwright"), None)

    def children(self, part):
        return [child for child in (part.get_child_at_index(i) for i in range(part.get_child_count())) if child is not None]

    def has(self, part, state):
        return part.get_state_set().contains(getattr(self.atspi.StateType, state))

    def walk(self, part):
        """All accessible objects below `part`, without the contents of lists, trees and tables."""
        yield part
        if part.get_role_name() in ("list", "tree", "tree table", "table"):
            return
        for child in self.children(part):
            if self.has(child, "SHOWING") or child.get_role_name() in ("frame", "filler"):
                yield from self.walk(child)

    def find(self, root, role, start):
        return next((part for part in self.walk(root) if part.get_role_name() == role and part.get_name().startswith(start)), None)

    def act(self, part, action):
        actions = {part.get_action_name(i): i for i in range(part.get_n_actions())}
        assert action in actions, f"{part.get_name()} can only {list(actions)}"
        assert part.do_action(actions[action])


def read_canvas(reader, app):
    canvas = reader.until("the canvas", lambda: reader.find(app, "list", "Network"))
    parts = reader.until("a network of thirteen layers", lambda: (found := reader.children(canvas)) and len(found) >= 25 and found)
    conv = reader.until("the shape of conv1", lambda: (name := parts[1].get_name()).startswith("Conv2d conv1") and name.endswith("output 6×28×28") and parts[1])
    assert conv.get_role_name() == "list item", conv.get_role_name()
    ports = reader.children(conv)
    assert [port.get_role_name() for port in ports] == ["push button", "push button"], ports
    assert ports[1].get_name() == "Output of conv1, 6×28×28, to relu1", ports[1].get_name()
    assert ports[0].get_parent().get_name() == conv.get_name()
    names = [part.get_name() for part in parts]
    assert "Connection from conv1 to relu1, 6×28×28" in names, names
    box = conv.get_extents(reader.atspi.CoordType.SCREEN)
    assert box.width > 50 and box.height > 20, (box.width, box.height)
    reader.act(conv, "SetFocus")
    reader.until("the selection", lambda: reader.has(conv, "SELECTED"))
    reader.until("the focus on conv1", lambda: any(kind.startswith("object:state-changed:focused") and name.startswith("Conv2d conv1") for kind, name in reader.heard))
    return canvas


def press(reader, app, name):
    reader.act(reader.until(name, lambda: reader.find(app, "push button", name)), "Press")


def choose(reader, app, name):
    """Presses or toggles the control of this name; returns it."""
    part = reader.until(name, lambda: next((p for p in reader.walk(app) if p.get_name() == name and p.get_n_actions()), None))
    names = [part.get_action_name(i) for i in range(part.get_n_actions())]
    reader.act(part, "Press" if "Press" in names else names[0])
    return part


def edits_are_announced(reader, app, canvas):
    before = canvas.get_child_count()
    reader.act(next(part for part in reader.children(canvas) if part.get_name().startswith("ReLU relu1")), "Delete")
    reader.until("fewer parts", lambda: canvas.get_child_count() < before)
    reader.until("news of the removal", lambda: any(kind.startswith("object:children-changed:remove") for kind, _ in reader.heard))
    press(reader, app, "Undo")
    reader.until("all parts", lambda: canvas.get_child_count() == before)
    reader.until("news of the return", lambda: any(kind.startswith("object:children-changed:add") and name.startswith("ReLU relu1") for kind, name in reader.heard))


def nameless(reader, app):
    """Controls without an accessible name, which a screen reader cannot distinguish."""
    return [f"{part.get_role_name()} in {part.get_parent().get_name() or part.get_parent().get_role_name()}"
            for top in reader.children(app) for part in reader.walk(top) if part.get_role_name() in CONTROLS and not part.get_name()]


def read_pages(reader, app):
    problems = []
    for page in ("Design", "Train", "Predict", "Runs", "Deploy"):
        tab = choose(reader, app, page)
        reader.until(page + " to be chosen", lambda: reader.has(tab, "CHECKED") or reader.has(tab, "SELECTED"))
        problems += [f"{page}: {problem}" for problem in nameless(reader, app)]
    return problems


def lane(reader, app, device):
    return reader.until("the lane of " + device, lambda: reader.find(app, "filler", "Lane " + device)).get_name()


def read_lanes(reader, app):
    choose(reader, app, "Placement")
    stages = choose(reader, app, "Split into stages")
    reader.until("stages to be chosen", lambda: reader.has(stages, "CHECKED"))
    first, second = (lane(reader, app, device) for device in ("CPU 0", "CPU 1"))
    assert "conv1" in first and "loss" in second and "idle" in first, (first, second)
    reader.until("the step's timeline", lambda: reader.find(app, "filler", "One step: 4 micro-batches in 1F1B order"))
    card = reader.until("the card of conv1", lambda: reader.find(app, "push button", "Conv2d conv1, on CPU 0"))
    assert reader.has(card, "FOCUSABLE") and "micro-batch" in card.get_description(), card.get_description()
    choose(reader, app, "Same copy on every device")
    reader.until("stages to be left", lambda: not reader.has(stages, "CHECKED"))


def main(program):
    check_needs()
    if os.environ.get("NW_SCREEN_READER") != "1":
        os.environ["NW_SCREEN_READER"] = "1"
        os.execvp("dbus-run-session", ["dbus-run-session", "--", sys.executable, *sys.argv])
    with tempfile.TemporaryDirectory() as folder:
        server, shown = display(folder)
        os.environ["DISPLAY"] = shown
        window = subprocess.Popen([program, "--template", "lenet5"], env=window_environment(folder, shown))
        try:
            reader = Reader()
            app = reader.until("the window on the accessibility bus", reader.application)
            canvas = read_canvas(reader, app)
            edits_are_announced(reader, app, canvas)
            problems = read_pages(reader, app)
            choose(reader, app, "Design")
            read_lanes(reader, app)
        finally:
            window.kill()
            window.wait()
            server.kill()
            server.wait()
    for problem in problems:
        print("has no name: " + problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main(sys.argv[1])
