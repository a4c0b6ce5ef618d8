"""The walls around a jailed process (Linux, x86_64 or aarch64; as root or as an ordinary user), standard library only.

    enter()      once, by the warm parent before it imports anything large: new user (if not root), mount, pid, net, ipc
                 and uts namespaces; a root of read-only binds; nothing of the course, the home or the host is in it
    next_child_apart()   by the warm parent before each fork: the child will be pid 1 of a namespace of its own
    apart()      in that fork: its own mount, net and ipc namespaces
    furnish()    there: empty /scratch (also /tmp) and /dev/shm of limited size and its own /proc
    lock()       last: rlimits, Landlock, no user id, no capability, no_new_privs, seccomp

SECURITY.md says what each wall is for. System calls that Python lacks are made with ctypes; numbers are those of the
kernel's syscall tables, the BPF instructions those of linux/filter.h, the Landlock structures those of linux/landlock.h.
"""
from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
from collections.abc import Iterable
from dataclasses import dataclass

NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
PDEATHSIG, DUMPABLE, SECCOMP, CAPBSET_DROP, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 22, 24, 38, 47  # of prctl
NOBODY = 60001  # first of the user ids that jobs of a grader who is root run as

# Names of system calls -> (x86_64, aarch64); None where there is no such call. Refused with EPERM: looking into or
# steering other processes, mounts and namespaces, the kernel's configuration, and interfaces known for escapes.
DENIED = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "fsopen": (430, 430), "fsmount": (432, 432), "move_mount": (429, 429),
    "open_tree": (428, 428), "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "sethostname": (170, 161), "setdomainname": (171, 162),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "personality": (135, 92), "quotactl": (179, 60), "acct": (163, 89),
    "syslog": (103, 116), "settimeofday": (164, 170), "adjtimex": (159, 171), "clock_settime": (227, 112),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "vhangup": (153, 58), "memfd_secret": (447, 447),
    "memfd_create": (319, 279),  # memory that no process and no file system answers for
}  # fmt: skip
MACHINE = platform.machine()
COLUMN = {"x86_64": 0, "aarch64": 1}.get(MACHINE)
ARCH, SOCKET, CLONE, CLONE3, IOCTL, PIVOT_ROOT = [
    None if COLUMN is None else pair[COLUMN]
    for pair in ((0xC000003E, 0xC00000B7), (41, 198), (56, 220), (435, 435), (16, 29), (155, 41))
]

libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Limits:
    """What one jailed process and its children may use."""

    memory_mb: int = 1500
    processes: int = 64
    disk_mb: int = 256
    cpu_seconds: int = 900
    walls: bool = True  # False: no namespaces, only rlimits and what of Landlock and seccomp the machine has


def enter(visible: Iterable[str]) -> None:
    """Return as pid 1 of new namespaces whose root holds only the `visible` paths, read only. The process that called
    stays outside, waits, and takes the inner one down with it. Raises OSError naming the wall that cannot be built."""
    if os.getuid():
        _become_root_of_own_namespace()
    _unshare(NEWNS | NEWIPC | NEWUTS | NEWPID | NEWNET)
    if inner := os.fork():
        _, status = os.waitpid(inner, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 255)
    libc.prctl(PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _mount(None, "/", None, REC | PRIVATE)
    root = "/mnt"  # any folder that exists: what lies under it is out of sight afterwards
    _mount("tmpfs", root, "tmpfs", NOSUID | NODEV, "mode=755,size=4m")
    for path in visible:
        _show(path, root)
    for folder in ("proc", "dev/shm", "scratch", "old"):
        os.makedirs(f"{root}/{folder}")
    if not os.path.lexists(f"{root}/tmp"):  # this Python may lie below it
        os.symlink("/scratch", f"{root}/tmp")
    for device in ("null", "zero", "full", "random", "urandom"):
        os.close(os.open(f"{root}/dev/{device}", os.O_CREAT, 0o644))
        _mount(f"/dev/{device}", f"{root}/dev/{device}", None, BIND)
    os.symlink("/proc/self/fd", f"{root}/dev/fd")
    _mount("proc", f"{root}/proc", "proc", NOSUID | NODEV | NOEXEC)
    os.chdir(root)
    _check(libc.syscall(PIVOT_ROOT, b".", b"old"), "pivot_root")
    os.chdir("/")
    _check(libc.umount2(b"/old", 2), "umount2")
    os.rmdir("/old")
    _mount(None, "/", None, REMOUNT | BIND | RDONLY | NOSUID | NODEV)
    _mount("tmpfs", "/scratch", "tmpfs", NOSUID | NODEV, "mode=1777,size=16m")  # for what libraries write while imported


def next_child_apart(home: int) -> None:
    """Make a pid namespace for the next fork. `home`: a descriptor of our own, which has to be chosen again in between."""
    _check(libc.setns(home, NEWPID), "setns")
    _unshare(NEWPID)


def apart() -> None:
    """Leave the warm parent's other namespaces. The network namespace is for abstract sockets, which jobs could share."""
    _unshare(NEWNS | NEWIPC | NEWNET)


def furnish(limits: Limits) -> None:
    """Empty places to write to; they count as memory of the machine, so they are small."""
    for folder in ("/scratch", "/dev/shm"):
        _mount("tmpfs", folder, "tmpfs", NOSUID | NODEV, f"mode=1777,size={limits.disk_mb}m,nr_inodes=20000")
    _mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC, "hidepid=2")


def lock(limits: Limits, user: int, place: str = "/scratch") -> None:
    """Give up everything that the code of a hand-in has no use for. `user`: the id to run as when we are root; `place`:
    where it may write."""
    megabytes = 1 << 20
    for kind, most in {
        resource.RLIMIT_DATA: limits.memory_mb * megabytes,
        resource.RLIMIT_FSIZE: limits.disk_mb * megabytes,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_MEMLOCK: 1 << 16,
    }.items():
        resource.setrlimit(kind, (most, most))
    landlock(readable=("/",), writable=(place, *(("/dev/shm",) if limits.walls else ()), "/dev/null", "/dev/zero"))
    for capability in range(64):
        libc.prctl(CAPBSET_DROP, capability, 0, 0, 0)
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    libc.prctl(CAP_AMBIENT, 4, 0, 0, 0)
    _check(libc.capset(struct.pack("II", 0x20080522, 0), bytes(24)), "capset")
    libc.prctl(DUMPABLE, 1, 0, 0, 0)  # or its own /proc/self would belong to root
    seccomp()


def landlock(readable: Iterable[str], writable: Iterable[str]) -> int:
    """Files may be read and run below `readable` and changed below `writable` only; no TCP, no signals or abstract
    sockets outside. Returns the kernel's ABI version, 0 where there is none (before Linux 5.13)."""
    create, add, restrict = 444, 445, 446
    version = libc.syscall(create, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return 0
    everything = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0) | (1 << 15 if version >= 5 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = struct.pack("QQQ", everything, 3, 3)[:size]  # files; TCP bind and connect; abstract sockets and signals
    ruleset = _check(libc.syscall(create, rules, ctypes.c_size_t(size), 0), "landlock")
    run_and_read, of_a_file = 1 | 4 | 8, 1 | 2 | 4 | 1 << 14 | 1 << 15
    for paths, access in ((readable, run_and_read), (writable, everything)):
        for path in paths:
            try:
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            allowed = access if os.path.isdir(path) else access & of_a_file & everything
            _check(libc.syscall(add, ruleset, 1, struct.pack("=Qi", allowed, place), 0), f"landlock {path}")
            os.close(place)
    _no_new_privileges()
    _check(libc.syscall(restrict, ruleset, 0), "landlock")
    os.close(ruleset)
    return version


def seccomp() -> None:
    """A filter over all later system calls of this process and its children."""
    _no_new_privileges()
    code = b"".join(struct.pack("HBBI", *step) for step in _filter())
    steps = ctypes.create_string_buffer(code, len(code))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

    program = Program(len(code) // 8, ctypes.cast(steps, ctypes.c_void_p))
    _check(libc.prctl(SECCOMP, 2, ctypes.byref(program), 0, 0), "seccomp")


def _filter() -> list[tuple[int, int, int, int]]:
    """BPF: (operation, steps to skip if true, if false, value). Loads are of seccomp_data: 0 the call, 4 the machine,
    16 and 24 the low halves of the first and second argument."""
    load, equal, any_bit, at_least, answer = 0x20, 0x15, 0x45, 0x35, 0x06
    allow, kill, refuse = 0x7FFF0000, 0x80000000, 0x00050000
    new_namespace = NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET
    steps = [(load, 0, 0, 4), (equal, 1, 0, ARCH), (answer, 0, 0, kill), (load, 0, 0, 0)]
    if MACHINE == "x86_64":  # x32 calls have numbers of their own
        steps += [(at_least, 0, 1, 0x40000000), (answer, 0, 0, refuse | errno.EPERM)]
    for numbers in DENIED.values():
        if numbers[COLUMN] is not None:
            steps += [(equal, 0, 1, numbers[COLUMN]), (answer, 0, 0, refuse | errno.EPERM)]
    # clone3 takes its flags from memory, where a filter cannot look: say that it does not exist and libc uses clone.
    steps += [(equal, 0, 1, CLONE3), (answer, 0, 0, refuse | errno.ENOSYS)]
    steps += [(equal, 0, 4, SOCKET), (load, 0, 0, 16), (equal, 0, 1, 1), (answer, 0, 0, allow), (answer, 0, 0, refuse | errno.EACCES)]  # AF_UNIX
    steps += [(equal, 0, 4, CLONE), (load, 0, 0, 16), (any_bit, 0, 1, new_namespace), (answer, 0, 0, refuse | errno.EPERM), (answer, 0, 0, allow)]
    steps += [(equal, 0, 4, IOCTL), (load, 0, 0, 24), (equal, 1, 0, 0x5412), (equal, 0, 1, 0x541C), (answer, 0, 0, refuse | errno.EPERM)]  # TIOCSTI, TIOCLINUX
    return steps + [(answer, 0, 0, allow)]


def _no_new_privileges() -> None:
    _check(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def _become_root_of_own_namespace() -> None:
    user, group = os.getuid(), os.getgid()
    _unshare(NEWUSER)
    for name, text in {"setgroups": "deny", "uid_map": f"1000 {user} 1", "gid_map": f"1000 {group} 1"}.items():
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _show(path: str, root: str) -> None:
    """Bind `path` read only at the same place below `root`; folders above it are ours, empty and open to all."""
    if not os.path.lexists(path) or os.path.lexists(root + path):
        return
    os.makedirs(os.path.dirname(root + path), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), root + path)
        return
    if os.path.isdir(path):
        os.mkdir(root + path)
    else:
        os.close(os.open(root + path, os.O_CREAT, 0o644))
    _mount(path, root + path, None, BIND | REC)
    # In a user namespace the flags that a mount has already must be named again.
    flags = os.statvfs(root + path).f_flag
    kept = flags & (NOEXEC | os.ST_NOATIME | os.ST_NODIRATIME) | (1 << 21 if flags & os.ST_RELATIME else 0)
    _mount(None, root + path, None, REMOUNT | BIND | RDONLY | NOSUID | NODEV | kept)


def _unshare(flags: int) -> None:
    _check(libc.unshare(flags), "unshare")


def _mount(source: str | None, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    texts = [text.encode() if text else None for text in (source or "none", target, kind)]
    _check(libc.mount(*texts, ctypes.c_ulong(flags), options.encode() if options else None), f"mount {target}")


def _check(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result
