# SPDX-License-Identifier: Apache-2.0
"""The system calls of a command that change files, as strace saw them: nothing that a program does to a disk escapes it,
whichever library does it."""
import re, subprocess
from dataclasses import dataclass

NAMES = ("open,openat,creat,close,dup,dup2,dup3,fcntl,lseek,write,writev,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,"
         "fsync,fdatasync,sync_file_range,sync,syncfs,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,"
         "rmdir,mkdir,mkdirat,copy_file_range,sendfile,clone,clone3,fork,vfork,execve,pipe,pipe2,socket,socketpair,accept,"
         "accept4,eventfd2,epoll_create1,memfd_create,inotify_init1,timerfd_create,pidfd_open,close_range")
LONGEST_WRITE_BYTES = 1 << 25


@dataclass
class Call:
    process: int
    name: str
    arguments: list   # texts as bytes, everything else as written
    result: int
    begins: int       # its place among the beginnings and ends of all calls
    ends: int


def trace(command, log, env):
    """Runs the command; returns (its completed process, its calls in the order in which they took effect)."""
    words = ["strace", "-f", "-qq", "-xx", "-s", str(LONGEST_WRITE_BYTES), "-e", "trace=" + NAMES, "-e", "signal=none", "-o", str(log)]
    done = subprocess.run(words + command, env=env, capture_output=True, text=True, timeout=600)
    with open(log, encoding="ascii") as lines:
        return done, calls_of(lines)


def calls_of(lines):
    begun, calls = {}, []
    for at, line in enumerate(lines):
        thread, text = line.rstrip("\n").split(None, 1)
        if text.startswith("<... "):
            start, first = begun.pop(thread)
            text = start + text[text.index(" resumed>") + len(" resumed>"):]
        elif text.endswith(" <unfinished ...>"):
            begun[thread] = (text[:-len(" <unfinished ...>")], at)
            continue
        else:
            first = at
        call = call_of(int(thread), text, first, at)
        if call:
            calls.append(call)
    return processes_of(calls)


def call_of(thread, text, begins, ends):
    match = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", text, re.S)
    if not match:
        return None  # it did not return, or ended with the process
    return Call(thread, match[1], [value_of(a) for a in split(match[2])], int(match[3]), begins, ends)


def split(arguments):
    """At the commas outside brackets; a text holds none, since all of its bytes are written as \\xHH."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[\[{(]|[\]})]|, ", arguments):
        if match[0] == ", ":
            if depth == 0:
                parts.append(arguments[start:match.start()])
                start = match.end()
        else:
            depth += 1 if match[0] in "[{(" else -1
    return parts + [arguments[start:]]


def value_of(argument):
    if argument.startswith('"'):
        end = argument.rindex('"')
        if argument[end + 1:]:
            raise ValueError("a text of more than LONGEST_WRITE_BYTES was cut")
        return bytes.fromhex(argument[1:end].replace("\\x", ""))
    return argument


STARTS = ("clone", "clone3", "fork", "vfork")


def place_of(call):
    """A thread or process may run, and a descriptor may be used again, before the call that starts or closes it returns."""
    return call.begins if call.name in (*STARTS, "close") else call.ends


def processes_of(calls):
    """Names threads by their process; of calls that start another one only those are kept that start a process."""
    process_of, kept = {}, []
    for call in sorted(calls, key=place_of):
        call.process = process_of.setdefault(call.process, call.process)
        starts = call.name in STARTS
        is_thread = starts and any("CLONE_THREAD" in str(a) for a in call.arguments)
        if starts and call.result > 0:
            process_of[call.result] = call.process if is_thread else call.result
        if call.result >= 0 and not is_thread and not (starts and call.result == 0):
            kept.append(call)
    return kept
