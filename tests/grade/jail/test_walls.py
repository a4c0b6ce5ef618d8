"""What jailed code can see and do. The same attempts as root and as an ordinary user."""
from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from autograder.grade.jail.client import Child, Ended, WarmParent, descendants, packages
from autograder.grade.jail.walls import Limits
from tests.grade.jail.conftest import LIMITS, run

# name -> an expression that must raise, or return a value that the test below expects
MUST_FAIL = {
    "new user namespace": "call(272, 0x10000000)", "mount": "mount(b'x', b'/scratch', b'tmpfs')", "remount": "mount(None, b'/', None, 32)",
    "ptrace": "call(101, 0, 0, 0, 0)", "chroot": "os.chroot('/scratch')", "setns": "call(308, 0, 0)", "bpf": "call(321, 0, 0, 0)",
    "io_uring": "call(425, 1, 0)", "userfaultfd": "call(323, 0)", "keyctl": "call(250, 0, 0)", "perf": "call(298, 0, 0, 0, 0)",
    "clone3": "call(435, 0, 0)", "clone into a namespace": "call(56, 0x10000000 | 17, 0, 0, 0, 0)", "x32": "call(0x40000000 | 39)",
    "memory of another process": "call(310, 1, 0, 0, 0, 0, 0)", "kernel module": "call(175, 0, 0, 0)", "clock": "call(227, 0, 0)",
    "setuid": "os.setuid(0)", "setgid": "os.setgid(0)", "internet socket": "socket.socket()", "internet 6 socket": "socket.socket(10)",
    "netlink": "socket.socket(16, 3, 0)", "vsock": "socket.socket(40, 1, 0)", "packet": "socket.socket(17, 3, 0)",
    "write to Python": "open(os.path.dirname(os.__file__) + '/x', 'w')", "write to /usr": "open('/usr/x', 'w')", "write to /": "open('/x', 'w')",
    "write to /etc": "open('/etc/x', 'w')", "chmod": "os.chmod('/usr/bin/env', 0o4755)", "device node": "os.mknod('/scratch/d', 0o60666, os.makedev(254, 0))",
    "disk": "open('/dev/vda', 'rb')", "memory device": "open('/dev/mem', 'rb')", "another root": "os.listdir('/proc/1/root/home')",
    "core pattern": "open('/proc/sys/kernel/core_pattern', 'w').write('|/x')", "sysrq": "open('/proc/sysrq-trigger', 'w')", "sysfs": "os.listdir('/sys')",
    "cgroups": "os.listdir('/sys/fs/cgroup')", "raise a limit": "resource.setrlimit(resource.RLIMIT_NPROC, (10**6, 10**6))", "home": "os.listdir('/home')",
    "the project": "open(PROJECT + '/course.yml')", "answers": "os.listdir(PROJECT + '/chapters')", "the grader's code": "os.listdir(PROJECT + '/autograder')",
    "other students": "os.listdir(OUTSIDE)", "kill the parent": "os.kill(os.getppid() or 10**6, 9)",
    "big file": "open('/scratch/big', 'wb').write(bytes(40 << 20))", "much memory": "bytearray(1200 << 20)", "terminal injection": "fcntl.ioctl(0, 0x5412, b'x')",
    "message queue": "os.open('/dev/mqueue', 0)", "memory without a file": "os.memfd_create('x')", "shared memory of the host": "[1 / 0 for n in os.listdir('/dev/shm')] or 1 / 0",
}  # fmt: skip
SEEN = {
    "processes": "sorted(p for p in os.listdir('/proc') if p.isdigit())",
    "root": "sorted(set(os.listdir('/')) - {'bin', 'sbin', 'lib', 'lib32', 'lib64', 'usr', 'etc', 'dev', 'proc', 'scratch', 'tmp'} - {path.split('/')[1] for path in PYTHON})",
    "devices": "sorted(os.listdir('/dev'))",
    "interfaces": "[line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]]",
    "environment": "sorted(os.environ)",
    "descriptors": "sorted(os.readlink('/proc/self/fd/' + f).split(':')[0] for f in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + f))",
    "user": "os.getuid() != 0 and os.geteuid() != 0 and os.getgroups() in ([], [65534])",
    "capabilities": "[line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'CapBnd'))]",
    "seccomp": "[line.split()[1] for line in open('/proc/self/status') if line.startswith(('NoNewPrivs', 'Seccomp:'))]",
    "own files": "open('data/reviews.txt').read(), os.getcwd(), os.access('data/reviews.txt', os.W_OK)",
    "files of the user": "[p for p in ('/etc/passwd', '/etc/shadow', '/etc/hostname', '/var', '/run', '/opt', '/srv', '/mnt', '/boot') if os.path.exists(p)]",
    "scratch is tmp": "os.path.samefile('/tmp', '/scratch') if not any(path.startswith('/tmp/') for path in PYTHON) else True",
}  # fmt: skip
CODE = """
import ctypes, fcntl, json, os, resource, socket
PROJECT, PYTHON, OUTSIDE = {places!r}
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def call(*numbers):
    return checked(libc.syscall(*numbers))
def mount(source, target, kind, flags=0):
    return checked(libc.mount(source, target, kind, ctypes.c_ulong(flags), None))
found = {{}}
for name, text in json.loads({texts!r}).items():
    try:
        found[name] = ['done', eval(text)]
    except BaseException as error:
        found[name] = ['refused', type(error).__name__ + ': ' + str(error)[:80]]
print(json.dumps(found, default=str))
"""
PROJECT = Path(__file__).resolve().parents[3]


def attempt(student: Child, texts: dict[str, str], outside: str) -> dict[str, list]:
    code = CODE.format(places=(str(PROJECT), [sys.prefix, sys.base_prefix, *packages()], outside), texts=json.dumps(texts))
    outputs = run(student, code)
    return json.loads("".join(output["text"] for output in outputs))


@pytest.mark.skipif("x86_64" not in os.uname().machine, reason="the numbers of the calls are those of x86_64")
def test_attempts_fail(student, tmp_path):
    (tmp_path / "answers.txt").write_text("secret")
    found = attempt(student, MUST_FAIL, str(tmp_path))
    assert {name: what for name, what in found.items() if what[0] != "refused"} == {}


def test_what_is_seen(student, tmp_path):
    found = {name: what[1] for name, what in attempt(student, SEEN, str(tmp_path)).items()}
    assert found["processes"] == ["1"] and found["root"] == [] and found["interfaces"] == ["lo"]
    assert found["devices"] == ["fd", "full", "null", "random", "shm", "urandom", "zero"]
    assert set(found["environment"]) <= {
        "PATH", "LANG", "LD_LIBRARY_PATH", "HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "TOKENIZERS_PARALLELISM", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "HF_HUB_OFFLINE", "MPLBACKEND",
        "KMP_DUPLICATE_LIB_OK", "KMP_INIT_AT_FORK", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "LC_CTYPE",
    }  # fmt: skip
    assert set(found["descriptors"]) <= {"/dev/null", "socket", "/scratch/#", "/proc/1/fd"} | {d for d in found["descriptors"] if "deleted" in d or d.startswith("/scratch")}
    assert found["user"] is True and set(found["capabilities"]) == {"0000000000000000"} and found["seccomp"] == ["1", "2"]
    assert found["own files"] == ["글", "/scratch", True] and found["files of the user"] == [] and found["scratch is tmp"] is True


def test_processes_and_threads_are_counted(student):
    code = "import os, time\nn = 0\ntry:\n    while n < 500:\n        if os.fork() == 0:\n            time.sleep(9); os._exit(0)\n        n += 1\nexcept OSError:\n    pass\nprint(n)"
    assert int(run(student, code)[0]["text"]) < LIMITS.processes
    family = descendants(student.pid)
    assert len(family) > 20
    student.end()
    assert [pid for pid in family if Path(f"/proc/{pid}").exists() and b"start.py" in Path(f"/proc/{pid}/cmdline").read_bytes()] == []


# Each process may hold its own limit; together they may not. Shared mappings count, too.
@pytest.mark.parametrize("how", ["fork", "mmap"])
def test_memory_is_watched(endpoint, how):
    child = Child(endpoint, "student", slot=3, seed=1, output_bytes=1000)
    code = "import mmap, time\nm = mmap.mmap(-1, 1500 << 20)\nfor i in range(0, len(m), 4096):\n    m[i] = 1\ntime.sleep(20)"
    code = code if how == "mmap" else "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n        b = bytearray(400 << 20)\n        time.sleep(20); os._exit(0)\ntime.sleep(20)"
    with pytest.raises(EOFError):
        run(child, code)
    assert child.reason == "memory"
    child.end()


def test_a_disk_is_small(student):
    code = "try:\n    for n in range(9):\n        open(f'{n}', 'wb').write(bytes(8 << 20))\nexcept OSError as error:\n    print(n, error.strerror)"
    assert "No space left" in run(student, code)[0]["text"]


# Nothing is inherited: jobs of one parent have no file, socket, process or state in common.
def test_jobs_share_nothing(endpoint):
    leave = "import socket\nopen('/dev/shm/x', 'w').write('1'); open('/scratch/x', 'w').write('1')\ns = socket.socket(1); s.bind('\\0hole'); s.listen()\nimport torch; torch.hole = 1"
    look = "import os, socket, torch\nfound = os.listdir('/dev/shm') + [n for n in os.listdir('/scratch') if n == 'x'] + ['torch'] * hasattr(torch, 'hole')\ntry:\n    socket.socket(1).connect('\\0hole'); found.append('socket')\nexcept OSError:\n    pass\nprint(found)"
    one, other = (Child(endpoint, "student", slot=slot, seed=1, output_bytes=1000) for slot in (0, 2))
    try:
        assert run(one, leave) == []
        assert run(other, look)[0]["text"] == "[]\n"
    finally:
        one.end()
        other.end()


def test_every_child_draws_its_own_numbers(endpoint):
    drawn = []
    for seed in (1, 2, 1):
        child = Child(endpoint, "student", slot=0, seed=seed, output_bytes=1000)
        drawn.append(run(child, "import torch, random, numpy\nprint(torch.rand(1), random.random(), numpy.random.rand())")[0]["text"])
        child.end()
    assert drawn[0] == drawn[2] != drawn[1]


# When the grader is killed, everything it had started goes with it.
def test_nothing_outlives_its_owner(tmp_path):
    code = textwrap.dedent("""
        import os, sys, time
        from autograder.grade.jail.client import Child, WarmParent
        parent = WarmParent(["math"])
        child = Child(parent.__enter__(), "student", slot=0, seed=1, output_bytes=1000)
        child.channel.send({"do": "run", "code": "import time\\nwhile True: pass"})
        print(child.pid, flush=True)
        time.sleep(60)
    """)
    owner = subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    pid = int(owner.stdout.readline())
    owner.kill()
    owner.wait()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


# A command that ends with an error must not wait for imports that nobody needs.
def test_a_parent_that_is_still_importing_goes_at_once():
    parent, began = WarmParent(["torch", "pandas"]), time.monotonic()
    parent.start()
    time.sleep(0.3)
    family = descendants(parent.process.pid)
    parent.close()
    assert time.monotonic() - began < 2
    states = ["R"]
    while set(states) - {"Z"} and time.monotonic() - began < 5:  # a dead process that nobody has buried is no process
        states = [path.read_text().rpartition(")")[2].split()[0] for pid in family if (path := Path(f"/proc/{pid}/stat")).exists()]
    assert not set(states) - {"Z"}


def test_a_wall_that_cannot_be_built_is_named():
    with WarmParent([], Limits(disk_mb=-1)) as endpoint, pytest.raises(Ended, match="mount /scratch"):
        Child(endpoint, "student", slot=0, seed=1, output_bytes=1000)


# The whole folder once more as somebody without rights, with the system's Python: root's own may be closed to others.
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
@pytest.mark.skipif(not Path("/usr/bin/python3.11").exists() or sys.version_info[:2] != (3, 11), reason="needs the system's python3.11")
@pytest.mark.long
def test_as_an_ordinary_user(tmp_path):
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    script = f"""
        set -e
        mount -t tmpfs -o mode=755 tmpfs /media
        mkdir /media/site-packages /media/project
        mount --bind {packages} /media/site-packages
        cp -r {PROJECT}/autograder {PROJECT}/tests {PROJECT}/pyproject.toml {PROJECT}/course.yml /media/project
        mkdir -m 777 /media/home
        cd /media/project
        exec setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin HOME=/media/home LANG=C.UTF-8 \
            PYTHONPATH=/media/site-packages:/media/project PYTHONDONTWRITEBYTECODE=1 \
            /usr/bin/python3.11 -m pytest tests/grade/jail -q -n0 -p no:cacheprovider -p no:randomly
    """
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]

