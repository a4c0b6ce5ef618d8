"""Which walls this machine can build. The answer comes from building them, not from version numbers."""
from __future__ import annotations

import functools
import os
import sys
from dataclasses import dataclass

from autograder import CourseError

LINUX_ONLY = (
    "학생 코드를 가두는 벽은 리눅스에만 있습니다. Windows와 macOS에서는 저장소의 Containerfile로 만든 컨테이너 안에서 채점하세요. "
    "방법은 SECURITY.md에 있습니다."
)
MISSING = (
    "학생 코드를 가두는 벽을 세울 수 없어 숨은 점검을 돌리지 않습니다. ./course doctor가 무엇이 모자라는지 말해 줍니다. "
    "모두 믿을 수 있는 제출이면 --weak로 벽 없이 채점할 수 있습니다. ({missing})"
)


@dataclass(frozen=True)
class Finding:
    """One thing that grading needs. `need` is False for a second wall, which grading can do without."""

    name: str
    good: bool
    advice: str
    need: bool = True


def examine() -> list[Finding]:
    """Everything that `./course doctor` tells, in order."""
    if sys.platform != "linux":
        return [Finding("리눅스", False, LINUX_ONLY)]
    from autograder.grade.jail import walls

    namespaces = _tried(_build_namespaces)
    landlock = walls.libc.syscall(444, None, 0, 1)
    return [
        Finding("프로세서 종류", walls.COLUMN is not None, "x86_64나 aarch64 컴퓨터가 필요합니다."),
        Finding("이름공간(파일, 프로세스, 네트워크를 가림)", not namespaces, _namespace_advice(namespaces)),
        Finding("seccomp(위험한 시스템 호출을 막음)", not _tried(walls.seccomp), "CONFIG_SECCOMP_FILTER가 켜진 커널이 필요합니다."),
        Finding("pidfd(프로세스를 확실히 끝냄)", not _tried(lambda: os.close(os.pidfd_open(os.getpid()))), "리눅스 5.3 이상이 필요합니다."),
        Finding(f"Landlock(둘째 벽, 버전 {max(landlock, 0)})", landlock >= 1, "리눅스 5.13 이상이면 생깁니다. 없어도 채점할 수 있습니다.", need=False),
    ]


@functools.cache
def missing() -> tuple[str, ...]:
    """Names of the walls that grading needs and this machine cannot build."""
    return tuple(finding.name for finding in examine() if finding.need and not finding.good)


def walls_or_weak(weak: bool, hidden: bool) -> bool:
    """Whether walls are built. Raises CourseError where they cannot be and hidden tests would be at risk."""
    if sys.platform != "linux":
        raise CourseError(LINUX_ONLY)
    if missing() and hidden and not weak:
        raise CourseError(MISSING.format(missing=", ".join(missing())))
    return not missing()


def _build_namespaces() -> None:
    from autograder.grade.jail import walls

    walls.enter([])
    walls.apart()
    if os.fork() == 0:
        walls.furnish(walls.Limits())
        walls.lock(walls.Limits(), walls.NOBODY)
        os._exit(0)
    os._exit(os.waitstatus_to_exitcode(os.wait()[1]) & 255)


def _tried(build) -> str:
    """Build a wall in a fork; what went wrong, or ""."""
    read, write = os.pipe()
    if not (child := os.fork()):
        try:
            os.close(read)
            build()
            os._exit(0)
        except BaseException as error:
            os.write(write, f"{error}".encode()[:500])
        finally:
            os._exit(1)
    os.close(write)
    with os.fdopen(read, "rb") as said:
        text = said.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    return text or ("" if status == 0 else f"{status}")


def _namespace_advice(error: str) -> str:
    return (
        f"이 컴퓨터가 이름공간을 허락하지 않습니다({error}). 컨테이너 안이면 --privileged로 시작하고, Ubuntu 24.04이면 "
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0을 실행하거나 root로 채점하세요."
    )
