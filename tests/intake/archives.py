"""Archives made by code, honest ones and others."""
from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path


def zipped(entries: dict[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items() if isinstance(entries, dict) else entries:
            archive.writestr(name, content)
    return out.getvalue()


def zipped_as(name: str, content: bytes, encoding: str) -> bytes:
    """A zip whose name is in another encoding, without the flag that says UTF-8."""
    raw = name.encode(encoding)
    return zipped({"N" * len(raw): content}).replace(b"N" * len(raw), raw)


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, 0o120777 << 16
    return info


def locked(archive: bytes) -> bytes:
    """The first entry flagged as encrypted."""
    data = bytearray(archive)
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def tarred(entries: list[tuple[str, bytes | None]], mode: str = "w:gz", encoding: str = "utf-8") -> bytes:
    """A tar file; None as content makes a link to /etc/passwd."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, encoding=encoding, format=tarfile.GNU_FORMAT) as archive:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            else:
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content or b""))
    return out.getvalue()


def put(path: Path, content: bytes, when: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if when is not None:
        os.utime(path, (when, when))
    return path
