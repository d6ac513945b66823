# SPDX-License-Identifier: Apache-2.0
"""Two machines in one: two network namespaces with host names of their own, joined by a link that delays, loses or stops
packets. It needs neither netem nor a network device of the host: each side's TUN device is read and written here.

    with Link(delay_s=0.002, loss=0.001) as link:
        subprocess.run(link.on(0) + ["ping", "-c", "3", link.addresses[1]])
        link.cut()
"""
import ctypes, fcntl, heapq, os, random, select, signal, socket, struct, subprocess, threading, time

CLONE_NEWUTS, CLONE_NEWUSER, CLONE_NEWNET = 0x04000000, 0x10000000, 0x40000000
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
PACKET_BYTES, QUEUE_PACKETS = 65536, 20000


def leave_namespaces(which):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(which) != 0:
        raise OSError(ctypes.get_errno(), "unshare")


def become_root_of_new_users():
    """In a user namespace of its own a process may make network namespaces."""
    user, group = os.getuid(), os.getgid()
    leave_namespaces(CLONE_NEWUSER)
    for file, line in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{file}", "w") as out:
            out.write(line)


def open_device(own, other):
    """The TUN device of this namespace, with its address; it stays readable from any namespace."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"link0", IFF_TUN | IFF_NO_PI))
    for words in (["addr", "add", own, "peer", other, "dev", "link0"], ["link", "set", "link0", "up"], ["link", "set", "lo", "up"]):
        subprocess.run(["ip", *words], check=True)
    return device


class Link:
    addresses = ("10.213.0.1", "10.213.0.2")
    names = ("node-a", "node-b")

    def __init__(self, delay_s=0.0, loss=0.0, seed=1):
        self.delay_s, self.loss, self.dice = delay_s, loss, random.Random(seed)
        self.passed = self.lost = 0
        self.is_cut = self.leaving = False
        self.keepers, self.devices, self.thread = (), (), None

    def __enter__(self):
        here, there = socket.socketpair()
        self.parent = os.fork()  # of both sides' processes: one user namespace, so that each may enter the other
        if self.parent == 0:
            try:
                become_root_of_new_users()
                for side in (0, 1):
                    if os.fork() == 0:
                        self.keep_side(side, there)
                while True:
                    signal.pause()
            finally:
                os._exit(1)
        there.close()
        found = {}
        while len(found) < 2:
            words, devices, _, _ = socket.recv_fds(here, 64, 1)
            if not devices:
                self.__exit__()
                raise OSError("no TUN device: the kernel, or the container, does not allow it")
            side, keeper = map(int, words.split())
            found[side] = keeper, devices[0]
        here.close()
        self.keepers, self.devices = zip(*(found[side] for side in (0, 1)))
        self.thread = threading.Thread(target=self.relay, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.leaving = True
        if self.thread:
            self.thread.join()
        for process in (*self.processes(), self.parent):  # also what mpirun left on a machine that was cut off
            os.kill(process, signal.SIGKILL)
        os.waitpid(self.parent, 0)
        for device in self.devices:
            os.close(device)

    def processes(self):
        """Those on either machine."""
        networks = {os.readlink(f"/proc/{keeper}/ns/net") for keeper in self.keepers}
        found = []
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and os.readlink(f"/proc/{entry}/ns/net") in networks:
                    found.append(int(entry))
            except OSError:  # it has ended
                pass
        return found

    def keep_side(self, side, there):
        """A process that keeps a machine's namespaces alive, and sends back its device."""
        try:
            leave_namespaces(CLONE_NEWNET | CLONE_NEWUTS)
            socket.sethostname(self.names[side])
            device = open_device(self.addresses[side], self.addresses[1 - side])
            socket.send_fds(there, [f"{side} {os.getpid()}".encode()], [device])
            os.close(device)
            there.close()
            while True:
                signal.pause()
        except OSError:
            socket.send_fds(there, [b"failed"], [])
        finally:
            os._exit(1)

    def on(self, side, inside=False):
        """The first words of a command that runs on one of the machines; `inside`: started by the other one."""
        return ["nsenter", "-t", str(self.keepers[side]), *(() if inside else ("-U", "--preserve-credentials")), "-n", "-u"]

    def cut(self):
        self.is_cut = True

    def relay(self):
        """Packets in the order in which they are due."""
        waiting, number = [], 0
        while not self.leaving:
            due_in = waiting[0][0] - time.monotonic() if waiting else 0.1
            ready, _, _ = select.select(self.devices, [], [], max(0.0, min(0.1, due_in)))
            for device in ready:
                packet = os.read(device, PACKET_BYTES)
                if self.is_cut or len(waiting) >= QUEUE_PACKETS or self.dice.random() < self.loss:
                    self.lost += 1
                    continue
                number += 1
                to = self.devices[1 - self.devices.index(device)]
                heapq.heappush(waiting, (time.monotonic() + self.delay_s, number, to, packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(waiting)
                if self.is_cut:
                    continue
                try:
                    os.write(to, packet)
                    self.passed += 1
                except OSError:  # its queue is full, or the packet is for a device that is not up yet
                    self.lost += 1
