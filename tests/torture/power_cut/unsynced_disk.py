# SPDX-License-Identifier: Apache-2.0
"""A disk that loses at a power cut what was not synchronized. It follows the calls of a program below one folder and
writes the states that a cut may leave: POSIX promises the content of a file only after fsync of the file, and its name only
after fsync of the folder."""
import hashlib, os, re
from dataclasses import dataclass
from pathlib import Path


class File:
    def __init__(self, content=b""):
        self.content, self.synced = bytearray(content), bytes(content)
        self.history = []  # (place in the trace, content) of changes since the last synchronization


class Folder:
    def __init__(self):
        self.entries, self.synced = {}, {}


@dataclass
class Opened:
    node: object
    at: int = 0
    appends: bool = False


class Unknown(Exception):
    """A call that the model does not follow; a test that meets it must not pass."""


def number(text):
    return int(str(text), 0)


class Disk:
    """What lies below `root`; `tree` (as of read()) is there and synchronized when the calls begin."""

    def __init__(self, root, tree):
        self.root, self.tree = Path(root), synced_folder(tree)
        self.opened = {}   # (process, descriptor): Opened
        self.closed_by_exec = set()  # (process, descriptor)
        self.written = []  # texts to standard output, as far as the trace went

    # what a path or a descriptor names
    def path(self, call, text, folder="AT_FDCWD"):
        name = os.fsdecode(text)
        if not name.startswith("/"):
            if folder != "AT_FDCWD":
                opened = self.opened.get((call.process, number(folder)))
                return (opened.node, name) if opened else None
            name = os.path.join(os.getcwd(), name)
        name = os.path.normpath(name)
        if not name.startswith(str(self.root) + "/"):
            return (None, self.tree) if name == str(self.root) else None
        parts = name[len(str(self.root)) + 1:].split("/")
        folder = self.tree
        for part in parts[:-1]:
            folder = folder.entries.get(part) if isinstance(folder, Folder) else None
        return (folder, parts[-1]) if isinstance(folder, Folder) else None

    def node(self, place):
        if place is None:
            return None
        folder, name = place
        return name if folder is None else folder.entries.get(name)

    def of_descriptor(self, call, index=0):
        return self.opened.get((call.process, number(call.arguments[index])))

    # the calls
    def apply(self, call):
        """True if the call changed what a power cut may leave."""
        handler = getattr(self, "on_" + call.name, None)
        if handler is None:
            raise Unknown(f"{call.name} is not followed")
        return bool(handler(call))

    def names(self, call, descriptor, opened, closed_by_exec):
        """From now on the descriptor names `opened`; None: something that is not in the folder."""
        place = call.process, descriptor
        self.opened.pop(place, None)
        self.closed_by_exec.discard(place)
        if opened:
            self.opened[place] = opened
        if opened and closed_by_exec:
            self.closed_by_exec.add(place)

    def open_at(self, call, place, flags):
        if place is None:
            self.names(call, call.result, None, False)
            return False
        changed, node = False, self.node(place)
        if node is None:
            if "O_CREAT" not in flags:
                return False
            node = place[0].entries[place[1]] = File()
            changed = True
        elif "O_TRUNC" in flags and isinstance(node, File) and node.content:
            self.change(call, node, b"")
            changed = True
        self.names(call, call.result, Opened(node, 0, "O_APPEND" in flags), "O_CLOEXEC" in flags)
        return changed

    def on_open(self, call):
        return self.open_at(call, self.path(call, call.arguments[0]), call.arguments[1])

    def on_openat(self, call):
        return self.open_at(call, self.path(call, call.arguments[1], call.arguments[0]), call.arguments[2])

    def on_creat(self, call):
        return self.open_at(call, self.path(call, call.arguments[0]), "O_CREAT|O_TRUNC")

    def on_close(self, call):
        self.names(call, number(call.arguments[0]), None, False)

    def on_close_range(self, call):
        first, last = number(call.arguments[0]), number(call.arguments[1])
        for process, descriptor in list(self.opened):
            if process == call.process and first <= descriptor <= last:
                self.names(call, descriptor, None, False)

    def on_dup(self, call):
        self.names(call, call.result, self.of_descriptor(call), "CLOEXEC" in str(call.arguments[1:]))

    on_dup2 = on_dup3 = on_dup

    def on_fcntl(self, call):
        if "F_DUPFD" in call.arguments[1]:
            self.on_dup(call)
        elif call.arguments[1] == "F_SETFD":
            self.names(call, number(call.arguments[0]), self.of_descriptor(call), "FD_CLOEXEC" in call.arguments[2])

    def on_pipe(self, call):
        for descriptor in re.findall(r"\d+", call.arguments[-1 if call.name == "socketpair" else 0]):
            self.names(call, int(descriptor), None, False)

    on_pipe2 = on_socketpair = on_pipe

    def on_socket(self, call):
        self.names(call, call.result, None, False)

    on_accept = on_accept4 = on_eventfd2 = on_epoll_create1 = on_socket
    on_memfd_create = on_inotify_init1 = on_timerfd_create = on_pidfd_open = on_socket

    def on_clone(self, call):
        for (process, descriptor), opened in list(self.opened.items()):
            if process == call.process:
                self.opened[call.result, descriptor] = opened
                if (process, descriptor) in self.closed_by_exec:
                    self.closed_by_exec.add((call.result, descriptor))

    on_clone3 = on_fork = on_vfork = on_clone

    def on_execve(self, call):
        for process, descriptor in list(self.closed_by_exec):
            if process == call.process:
                self.names(call, descriptor, None, False)

    def on_lseek(self, call):
        if opened := self.of_descriptor(call):
            opened.at = call.result

    def change(self, call, file, content):
        file.content = bytearray(content)
        file.history.append((call.ends, bytes(content)))

    def put(self, call, opened, data, at):
        file = opened.node
        content = file.content
        if len(content) < at:
            content.extend(bytes(at - len(content)))
        content[at:at + len(data)] = data
        file.history.append((call.ends, bytes(content)))
        return True

    def on_write(self, call):
        opened = self.of_descriptor(call)
        if opened is None:
            if number(call.arguments[0]) == 1:
                self.written.append(call.arguments[1][:call.result].decode(errors="replace"))
            return False
        at = len(opened.node.content) if opened.appends else opened.at
        opened.at = at + call.result
        return self.put(call, opened, call.arguments[1][:call.result], at)

    def on_pwrite64(self, call):
        opened = self.of_descriptor(call)
        return opened is not None and self.put(call, opened, call.arguments[1][:call.result], number(call.arguments[3]))

    def unless_of_this_disk(self, call):
        if self.of_descriptor(call) is not None:
            raise Unknown(f"{call.name} of a file of the folder is not followed")

    on_pwritev = on_pwritev2 = on_fallocate = on_sync_file_range = unless_of_this_disk

    def on_writev(self, call):
        opened = self.of_descriptor(call)
        if opened is None:
            return False
        raise Unknown("writev to a file of the folder is not followed")

    def on_copy_file_range(self, call):
        if self.of_descriptor(call, 2) is not None:
            raise Unknown("copy_file_range into the folder is not followed")

    def on_sendfile(self, call):
        self.unless_of_this_disk(call)

    def on_ftruncate(self, call):
        opened = self.of_descriptor(call)
        if opened is None:
            return False
        size = number(call.arguments[1])
        self.change(call, opened.node, bytes(opened.node.content[:size]).ljust(size, b"\0"))
        return True

    def on_fsync(self, call):
        opened = self.of_descriptor(call)
        if opened is None:
            return False
        node = opened.node
        if isinstance(node, Folder):
            node.synced = dict(node.entries)
        else:
            # What was written while the call ran may be lost.
            before = [content for at, content in node.history if at < call.begins]
            if before:
                node.synced = before[-1]
            node.history = [(at, content) for at, content in node.history if at >= call.begins]
        return True

    on_fdatasync = on_fsync

    def on_sync(self, call):
        raise Unknown("sync is not followed")

    on_syncfs = on_truncate = on_link = on_linkat = on_symlink = on_symlinkat = on_sync

    def move(self, source, target):
        node = self.node(source)
        if node is None and target is None:
            return False
        if node is None or target is None:
            raise Unknown("a rename into or out of the folder is not followed")
        target[0].entries[target[1]] = node
        if (source[0], source[1]) != (target[0], target[1]):
            del source[0].entries[source[1]]
        return True

    def on_rename(self, call):
        return self.move(self.path(call, call.arguments[0]), self.path(call, call.arguments[1]))

    def on_renameat(self, call):
        a = call.arguments
        return self.move(self.path(call, a[1], a[0]), self.path(call, a[3], a[2]))

    def on_renameat2(self, call):
        if "EXCHANGE" in call.arguments[4]:
            raise Unknown("an exchange of two names is not followed")
        return self.on_renameat(call)

    def remove(self, place):
        return place is not None and place[0].entries.pop(place[1], None) is not None

    def on_unlink(self, call):
        return self.remove(self.path(call, call.arguments[0]))

    on_rmdir = on_unlink

    def on_unlinkat(self, call):
        return self.remove(self.path(call, call.arguments[1], call.arguments[0]))

    def make(self, place):
        if place is None:
            return False
        place[0].entries[place[1]] = Folder()
        return True

    def on_mkdir(self, call):
        return self.make(self.path(call, call.arguments[0]))

    def on_mkdirat(self, call):
        return self.make(self.path(call, call.arguments[1], call.arguments[0]))

    # what a cut leaves
    def states(self, random):
        """(name, tree) of states that a power cut may leave now."""
        yield "only what was synchronized", tree_of(self.tree, lambda _: True, lambda f: f.synced)
        yield "all names, content that was synchronized", tree_of(self.tree, lambda _: False, lambda f: f.synced)
        yield "names by chance, content cut by chance", tree_of(self.tree, lambda _: random.random() < 0.5, lambda f: torn(f, random))

    def now(self):
        return tree_of(self.tree, lambda _: False, lambda f: bytes(f.content))


def torn(file, random):
    """One of the file's contents since it was synchronized; or, if it grew since then, a part of what was added."""
    contents = [file.synced] + [content for _, content in file.history]
    chosen = random.choice(contents)
    if chosen.startswith(file.synced) and random.random() < 0.5:
        return chosen[:random.randint(len(file.synced), len(chosen))]
    return chosen


def tree_of(folder, names_are_synced, content_of):
    entries = folder.synced if names_are_synced(folder) else folder.entries
    return {name: tree_of(node, names_are_synced, content_of) if isinstance(node, Folder) else content_of(node)
            for name, node in entries.items()}


def synced_folder(tree):
    folder = Folder()
    for name, node in tree.items():
        folder.entries[name] = synced_folder(node) if isinstance(node, dict) else File(node)
    folder.synced = dict(folder.entries)
    return folder


def read(path):
    return {e.name: read(e) if e.is_dir() else e.read_bytes() for e in path.iterdir() if e.is_dir() or e.is_file()}


def write(tree, path):
    path.mkdir(mode=0o700)
    for name, node in tree.items():
        if isinstance(node, dict):
            write(node, path / name)
        else:
            (path / name).write_bytes(node)


def digest(tree):
    found = hashlib.sha256()
    for name in sorted(tree):
        node = tree[name]
        found.update(repr((name, digest(node) if isinstance(node, dict) else hashlib.sha256(node).hexdigest())).encode())
    return found.hexdigest()
