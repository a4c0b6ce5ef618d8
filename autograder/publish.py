"""Publish: all that students get, in one folder that becomes the public repository.

    chapters/ release/   notebooks as Colab opens them (blob/BRANCH/chapters/...), with figures, font and reviews
    docs/                the site; GitHub Pages serves this folder of the branch, so one repository is enough
    version.json         what a notebook reads to learn whether a newer one is out
    SHA256SUMS           every other file; by it the next publication knows what is ours to replace

The folder is put together in memory and searched for answers; a file is written only when all of it may be seen.
"""
from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat

from autograder import CourseError, leaks, notebooks, views
from autograder.assemble import outdated
from autograder.book.site import build, toc_pages
from autograder.course import Course

SITE, VERSIONS, SUMS = "docs", "version.json", "SHA256SUMS"
BESIDE = ("figures", "fonts", "data")  # folders of chapters/ that notebooks use; what they download there lies one deeper
NOT_OURS = (".git", f"{SITE}/CNAME")  # GitHub writes the second one for a domain of one's own

Files = dict[str, bytes]  # path in the published folder -> content


def publish(course: Course, dest: Path, progress: Callable[[str], None], *, pdf: bool = False) -> tuple[int, int]:
    """Make DEST hold exactly what students get (`pdf`: the PDFs, too); how many files were written and removed.

    Raises CourseError, and leaves DEST as it was, when a page does not build, something is secret, a changed release has
    no new version, or DEST holds a file that no publication wrote.
    """
    _require_place(dest)  # a wrong folder is known before minutes of building
    _require_outside(course, dest)
    if outdated(course):
        raise CourseError("source/와 release/가 지금의 장과 다릅니다. ./course assemble을 먼저 실행하세요.")
    files = everything(course, build(course, progress, pdf=pdf, fresh=True))  # nothing of earlier builds
    require_clean(course, files, progress)
    return put(dest, files)


def student_files(course: Course) -> Files:
    """Notebooks of the pages and of the assignments, and the files that they use."""
    files = {}
    for name in _chapters(course):
        view = views.colab_view(course, notebooks.chapter(course, name), name)
        nbformat.validate(view)
        files[f"chapters/{name}.ipynb"] = notebooks.dumps(view).encode()
    for folder in BESIDE:
        paths = [path for path in (course.chapters / folder).glob("[!.]*") if path.is_file()]
        files |= {f"chapters/{folder}/{path.name}": path.read_bytes() for path in paths}
    for name in course.assignments:
        path = f"release/{name}/{name}.ipynb"
        if (course.root / path).is_file():
            files[path] = (course.root / path).read_bytes()
    return dict(sorted(files.items()))


def everything(course: Course, html: Path) -> Files:
    """What the published folder holds: notebooks, site, and what explains and lists them."""
    licence = course.root / "LICENSE"
    if not licence.is_file():
        raise CourseError("LICENSE 파일이 없습니다. 공개하는 글과 코드를 어떻게 써도 되는지 적은 파일을 교재 폴더에 두세요.")
    files = student_files(course)
    files |= {f"{SITE}/{path.relative_to(html).as_posix()}": path.read_bytes() for path in html.rglob("*") if path.is_file()}
    files[f"{SITE}/.nojekyll"] = b""  # Pages would leave out _static and _images
    files[".gitattributes"] = b"* -text\n"  # checksums hold on Windows, too
    files["LICENSE"] = licence.read_bytes()
    files[VERSIONS] = (json.dumps({"notebooks": versions(files)}, indent=1, sort_keys=True) + "\n").encode()
    files["README.md"] = readme(course).encode()
    return listed(files)


def listed(files: Files) -> Files:
    """FILES with the list of them, as sha256sum reads it."""
    sums = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items()) if path != SUMS]
    return files | {SUMS: "".join(sums).encode()}


def versions(files: Files) -> dict[str, dict]:
    """Path -> {version, hash} of every notebook. A release counts its versions (course.yml), a chapter is its text."""
    found = {}
    for path, data in files.items():
        if path.endswith(".ipynb") and not path.startswith(SITE):
            course = json.loads(data)["metadata"]["course"]
            version = int(course["version"]) if "version" in course else course["hash"]
            found[path] = {"version": version, "hash": course["hash"]}
    return found


def require_clean(course: Course, files: Files, progress: Callable[[str], None]) -> None:
    """Raises CourseError, having named every place, when FILES hold an answer or a hidden check."""
    if found := leaks_in(course, files):
        for leak in found:
            progress(f"   {leak}")
        raise CourseError("학생에게 보이면 안 되는 내용이 있어 공개하지 않았습니다. 위의 자리를 고친 뒤 다시 실행하세요.")


def leaks_in(course: Course, files: Files) -> list[leaks.Leak]:
    """Answers and hidden checks in FILES; only the site may show the answers that course.yml allows."""
    chapters = {path.stem: notebooks.read(path) for path in sorted(course.chapters.glob("*.ipynb"))}
    shown = [name for name in chapters if course.answers_allowed(name)]
    closed = leaks.secrets([nb for name, nb in chapters.items() if name not in shown], [chapters[name] for name in shown])
    always = leaks.secrets(list(chapters.values())) if shown else closed
    return [
        leak
        for path, data in sorted(files.items())
        for leak in leaks.scan_bytes(path, data, closed if path.startswith(f"{SITE}/") else always)
    ]


def put(dest: Path, files: Files) -> tuple[int, int]:
    """Make DEST hold exactly FILES, or raise CourseError and change nothing; how many were written and removed."""
    _require_place(dest)
    held = _held(dest)
    _require_ours(dest, held, files)
    _require_new_versions(held, files)
    return _replace(dest, held, files)


def readme(course: Course) -> str:
    """The front page of the public repository, for students."""
    pages = [
        f"| [{_title(course, name)}]({course.site_url}chapters/{name}.html) | [열기]({course.colab(f'chapters/{name}.ipynb')}) |"
        for name in _chapters(course)
    ]
    tasks = [
        f"| {a.title} | {a.version} | [열기]({course.colab(f'release/{name}/{name}.ipynb')}) |" for name, a in course.assignments.items()
    ]
    return README.format(title=course.title, site=course.site_url, pages="\n".join(pages), tasks="\n".join(tasks))


README = """# {title}

이 교재는 [사이트]({site})에서 읽습니다. 노트북은 아래 링크를 누르면 Colab에서 열리고, 설치할 것이 없습니다.

| 쪽 | Colab |
| --- | --- |
{pages}

| 과제 | 버전 | Colab |
| --- | --- | --- |
{tasks}

과제는 먼저 **파일 > Drive에 사본 저장**을 누르고 풉니다. 그러지 않으면 창을 닫을 때 답이 사라집니다.
노트북은 실행할 때 여기 있는 `version.json`을 읽고, 더 새로운 노트북이 있으면 알려 줍니다. 그때 보내는 정보는 없습니다.

## 이 저장소에 있는 것

| 자리 | 내용 |
| --- | --- |
| `chapters/` | 사이트의 쪽마다 노트북 하나와, 노트북이 쓰는 그림, 글꼴, 리뷰([데이터 카드](chapters/data/README.md)) |
| `release/` | 과제 노트북 |
| `docs/` | 사이트. GitHub Pages가 이 폴더를 보여 줍니다. |
| `version.json` | 지금 공개된 노트북의 버전 |
| `SHA256SUMS` | 모든 파일의 체크섬. `sha256sum -c SHA256SUMS`로 확인합니다. |

모두 `./course publish`가 만든 파일이라 여기에서는 고치지 않습니다. 글, 그림, 코드, 리뷰, 글꼴의 라이선스는 [LICENSE](LICENSE)에 있습니다.
"""


def _chapters(course: Course) -> list[str]:
    """Chapters that are pages of the site, in its order; a draft that _toc.yml does not name stays at home."""
    return [Path(page).name for page in toc_pages(course) if (course.root / f"{page}.ipynb").is_file()]


def _title(course: Course, name: str) -> str:
    return views.HEADING.search(notebooks.chapter(course, name).cells[0].source).group(0).lstrip("# ")


def _require_place(dest: Path) -> None:
    """DEST is new, empty or an earlier publication; told without reading what may be somebody's home."""
    if dest.exists() and not dest.is_dir():
        raise CourseError(f"{dest}은 폴더가 아닙니다. 공개할 파일을 쓸 폴더를 적으세요.")
    names = sorted(path.name for path in dest.glob("*") if path.name not in (*NOT_OURS, _half(Path(SUMS)).name))
    if names and SUMS not in names:
        raise _strange(dest, names)


def _require_outside(course: Course, dest: Path) -> None:
    """DEST is in no folder that a build reads or clears: a clone there would lose its .git."""
    ours = [course.chapters, course.root / "source", course.root / "release", course.build / "site", course.build / "html"]
    if any(dest.resolve().is_relative_to(folder) for folder in ours):
        raise CourseError(f"{dest}은 교재가 읽거나 지우는 폴더라 여기에 공개할 수 없습니다. 교재 밖의 폴더를 적으세요.")


def _strange(dest: Path, names: list[str]) -> CourseError:
    some = ", ".join(names[:5]) + (f" 외 {len(names) - 5}개" if len(names) > 5 else "")
    return CourseError(
        f"{dest}에 publish가 쓰지 않았거나 그 뒤에 고쳐진 파일이 있어 아무것도 바꾸지 않았습니다: {some}\n"
        "필요한 것이면 다른 곳으로 옮기고, 아니면 지운 뒤 다시 실행하세요. 새 저장소는 README 없이 만드세요."
    )


def _held(dest: Path) -> dict[str, bytes | None]:
    """Files that DEST holds now, None for a link. What is not ours is left out."""
    held: dict[str, bytes | None] = {}
    for folder, folders, names in os.walk(dest):
        if Path(folder) == dest and ".git" in folders:
            folders.remove(".git")
        for path in (Path(folder, name) for name in [*names, *folders]):
            if path.is_symlink() or path.is_file():
                held[path.relative_to(dest).as_posix()] = None if path.is_symlink() else path.read_bytes()
    return {path: data for path, data in held.items() if path not in NOT_OURS}


def _require_ours(dest: Path, held: dict[str, bytes | None], files: Files) -> None:
    """Every file in DEST is as a publication left it, as this one will, or a half that one could not finish."""
    written = set((held.get(SUMS) or b"").decode(errors="replace").splitlines())
    halves = {_half(Path(path)).as_posix() for path in [*files, *(line.partition("  ")[2] for line in written)]}
    strange = [
        path
        for path, data in sorted(held.items())
        if path != SUMS and path not in halves
        and (data is None or f"{hashlib.sha256(data).hexdigest()}  {path}" not in written and files.get(path) != data)
    ]
    if strange:
        raise _strange(dest, strange)


def _require_new_versions(held: dict[str, bytes | None], files: Files) -> None:
    """Students who hold a release learn of a new one by its version, so a changed release has a higher one."""
    before = json.loads(held.get(VERSIONS) or b'{"notebooks": {}}')["notebooks"]
    for path, now in versions(files).items():
        old = before.get(path, now)
        if isinstance(now["version"], int) and now["hash"] != old["hash"] and now["version"] <= old["version"]:
            raise CourseError(
                f"{path}가 공개된 것과 다른데 버전이 올라가지 않았습니다(공개된 버전 {old['version']}, 지금 {now['version']}). "
                f"course.yml에서 이 과제의 version을 \"{old['version'] + 1}\"로 바꾸고 ./course assemble을 실행한 뒤 다시 공개하세요."
            )


def _replace(dest: Path, held: dict[str, bytes | None], files: Files) -> tuple[int, int]:
    """A run that was interrupted can be repeated, by then with other files, too: until all else is done, the list names
    what the last publication wrote and what this one writes."""
    written = [path for path in sorted(files) if held.get(path) != files[path]]
    if written:
        _write(dest / SUMS, files[SUMS] + (held.get(SUMS) or b""))
    for path in written:
        if path != SUMS:
            _write(dest / path, files[path])
    stale = sorted(held.keys() - files.keys())
    for path in stale:
        (dest / path).unlink(missing_ok=True)  # a half was just finished
        for folder in Path(path).parents[:-1]:
            if not any((dest / folder).iterdir()):
                (dest / folder).rmdir()
    if written:
        _write(dest / SUMS, files[SUMS])
    return len(written), len(stale)


def _half(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def _write(path: Path, data: bytes) -> None:
    """Written beside and renamed: nobody sees, or commits, half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = _half(path)
    try:
        half.write_bytes(data)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)
