"""What a finished page does without: files that no page asks for, icons that no page shows, lines without a height.

The themes bring 2,000 icons and source maps of their scripts; a reader's phone would fetch the icons on every first visit,
and the leak check would read all of it at every build.
"""
from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from fontTools import subset
from PIL import Image

# The icons come from a web font; fontawesome.js is a second copy of them.
UNUSED = ("**/*.map", "scripts/fontawesome.js", "scripts/fontawesome.js.L*", "images", "locales", "vendor/**/fa-[brv]*", "vendor/**/*.ttf")
ICON_RULE = re.compile(r'((?:\.fa-[\w-]+:before,)*\.fa-[\w-]+:before)\{content:"\\[0-9a-f ]+"\}')
SOLID = "vendor/fontawesome/webfonts/fa-solid-900"
FACES = re.compile(r"@font-face\{[^}]*fa-(?:regular|brands|v4compatibility)[^}]*\}")
IMAGE = re.compile(r'<img (?P<rest>(?:(?! width=)[^>])*?src="\.\./_images/(?P<name>[^"]+)"(?:(?! width=)[^>])*?)(?P<end> ?/?)>')


def shed(html: Path) -> None:
    """Take away what no page of the site in HTML uses. A second run changes nothing."""
    pages = "".join(page.read_text(encoding="utf-8") for page in sorted(html.rglob("*.html")))
    for image in (html / "_images").glob("*"):  # figures of earlier builds
        if image.name not in pages:
            image.unlink()
    for path in {path for pattern in UNUSED for path in (html / "_static").glob(pattern)}:
        path.unlink() if path.is_file() else shutil.rmtree(path)
    _shed_icons(html / "_static", pages + "".join(path.read_text(encoding="utf-8") for path in (html / "_static").rglob("*.js")))


def _shed_icons(static: Path, shown: str) -> None:
    """Leave the rules and glyphs of icons that the text SHOWN names, and of those that other rules draw."""
    names = set(re.findall(r"fa-[\w-]+", shown))
    style = static / "styles" / "pydata-sphinx-theme.css"
    css = ICON_RULE.sub(lambda rule: rule[0] if names & set(re.findall(r"fa-[\w-]+", rule[1])) else "", style.read_text(encoding="utf-8"))
    css = re.sub(rf"url\(\.\./{SOLID}\.woff2\)[^}}]*", f'url(../{SOLID}.woff) format("woff")', FACES.sub("", css))
    style.write_text(css, encoding="utf-8")
    drawn = css + "".join(path.read_text(encoding="utf-8") for path in static.rglob("*.css") if path != style)
    codes = {int(code, 16) for code in re.findall(r'"\\([ef][0-9a-f]{3})"', drawn)}
    codes |= {ord(letter) for letter in drawn if "\ue000" <= letter <= "\uf8ff"}  # those of admonitions are written as they are
    (static / f"{SOLID}.woff2").unlink(missing_ok=True)
    (static / f"{SOLID}.woff").write_bytes(_icons(codes))


def _icons(codes: set[int]) -> bytes:
    """The theme's icon font with the glyphs of CODES only, as WOFF (WOFF2 needs one more package for a few bytes)."""
    theme = Path(find_spec("pydata_sphinx_theme").origin).parent
    options = subset.Options(flavor="woff", layout_features=[], name_IDs=[13, 14], notdef_outline=True)  # keeps the licence
    font = subset.load_font(str(theme / f"theme/pydata_sphinx_theme/static/{SOLID}.ttf"), options)
    font.recalcTimestamp = False  # the same bytes tomorrow
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    font.flavor, data = "woff", BytesIO()
    font.save(data)
    return data.getvalue()


def size_images(page: str, images: Path) -> str:
    """A page whose figures name their size, so that the text below does not jump when they arrive."""

    def sized(match: re.Match) -> str:
        size = _size(images / match["name"], match["rest"])
        if size is None:
            return match[0]
        width, height = size
        rest = re.sub(r' style="width: [^"]*"', "", match["rest"])
        return f'<img {rest.rstrip()} width="{width}" height="{height}"{match["end"]}>'

    return IMAGE.sub(sized, page)


def _size(image: Path, attributes: str) -> tuple[str, str] | None:
    """Width and height in CSS pixels: myst-nb writes those of a plot, a drawing has them in its viewBox; None, if it has none."""
    styled = re.search(r"width: (\d+)px; height: (\d+)px", attributes)
    if styled:
        return styled[1], styled[2]
    if image.suffix.lower() != ".svg":
        with Image.open(image) as picture:
            return str(picture.width), str(picture.height)
    box = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', image.read_text(encoding="utf-8")[:2000])
    return (box[1], box[2]) if box else None
