"""A hand-in that tries to do something in the browser of whoever looks at it, and an honest one."""
from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from tests.grade.small_course import filled

NAME = "<img src=x onerror=hit('student')>"  # a folder may be called so
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
EVIL = "http://evil.invalid"
MARKDOWN = {
    "script": "<script>hit('script')</script>",
    "upper": "<SCRIPT>hit('upper')</SCRIPT >",
    "img": "<img src=x onerror=\"hit('img')\">",
    "unquoted": "<img/src=x/onerror=hit('unquoted')>",
    "svg": "<svg onload=\"hit('svg')\"><script>hit('svg')</script></svg>",
    "frame": "<iframe srcdoc=\"<script>parent.hit('frame')</script>\"></iframe>",
    "frame-src": f"<iframe src='{EVIL}/frame-src'></iframe>",
    "details": "<details open ontoggle=\"hit('details')\">x</details>",
    "focus": "<input autofocus onfocus=\"hit('focus')\">",
    "video": "<video><source onerror=\"hit('video')\"></video>",
    "marquee": "<marquee onstart=\"hit('marquee')\">x</marquee>",
    "mutation": "<math><mtext><table><mglyph><style><img src=x onerror=\"hit('mutation')\"></style></mglyph></table></mtext></math>",
    "noscript": "<noscript><p title=\"</noscript><img src=x onerror=hit('noscript')>\"></noscript>",
    "comment": "<!--><img src=x onerror=hit('comment')>-->",
    "link": "[클릭](javascript:hit('link'))",
    "entity": "<a href=\"java&#x73;cript:hit('entity')\">클릭</a>",
    "newline": "<a href=\"java\nscript:hit('newline')\">클릭</a>",
    "data-link": "<a href=\"data:text/html,<script>parent.hit('data-link')</script>\">클릭</a>",
    "config-link": "[클릭](/formgrader/?path=/tmp)",
    "remote": f"![그림]({EVIL}/remote)",
    "css": f"<link rel=stylesheet href={EVIL}/css>",
    "import": f"<style>@import '{EVIL}/import';</style>",
    "cover": f"<div style=\"position:fixed;inset:0;z-index:9999;background:url({EVIL}/cover)\">덮개</div>",
    "refresh": f"<meta http-equiv=refresh content='0;url={EVIL}/refresh'>",
    "base": f"<base href={EVIL}/>",
    "form": f"<form action={EVIL}/form><button class='full-credit'>만점</button></form>",
    "object": f"<object data='{EVIL}/object'></object><embed src='{EVIL}/embed'>",
    "imitate": "<span class=\"full-credit score\" id=\"essay\" data-link=\"x\">만점</span>",
    "fence": "```html\"><img src=x onerror=hit('fence')>\n<script>hit('fence')</script>\n```",
    "title": "[글](http://example.org \"\\\" onmouseover=hit('title') x=\\\"\")",
    "math-link": r"$\href{javascript:hit('math-link')}{x}$",
    "math-token": r"$\mmlToken{mi}[href=javascript:hit('math-token') class=full-credit id=essay style=position:fixed]{x}$",
    "math-class": r"$\class{full-credit}{x}\cssId{essay}{y}\style{position:fixed}{z}\require{html}$",
    "math-html": r"$<img src=x onerror=hit('math-html')>$",
}  # fmt: skip
OUTPUTS = {
    "out-html": {"text/html": "<script>hit('out-html')</script><img src=x onerror=hit('out-html')>"},
    "out-js": {"application/javascript": "hit('out-js')"},
    "out-svg": {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload=\"parent.hit('out-svg')\"><script>parent.hit('out-svg')</script></svg>"},
    "out-markdown": {"text/markdown": "<img src=x onerror=hit('out-markdown')>"},
    "out-latex": {"text/latex": "<img src=x onerror=hit('out-latex')>"},
    "out-png": {"image/png": "\"><img src=x onerror=hit('out-png')>"},
    "out-plain": {"text/plain": "<img src=x onerror=hit('out-plain')>"},
    "out-widget": {"application/vnd.jupyter.widget-view+json": {"model_id": "</script><img src=x onerror=hit('out-widget')>"}},
    "out-mermaid": {"text/vnd.mermaid": "<img src=x onerror=hit('out-mermaid')>"},
    "out-unknown": {"text/x<img src=x onerror=hit('out-unknown')>": "x"},
}  # fmt: skip
CODE = {
    "out-isolated": "display({'text/html': \"<script>parent.hit('out-isolated')</script>\"}, raw=True, metadata={'text/html': {'isolated': True}})",
    "out-size": f"display({{'image/png': '{PIXEL}'}}, raw=True, metadata={{'image/png': {{'width': \"1 onload=hit('out-size')\", 'alt': '\"<img>'}}}})",
    "out-print": "print(\"\\x1b[31m<img src=x onerror=hit('out-print')>\")",
    "out-error": "raise ValueError(\"<img src=x onerror=hit('out-error')>\")",
}


def attack(root) -> nbformat.NotebookNode:
    """A hand-in with every payload, to be run and filed by the real grading."""
    notebook = filled(
        root,
        add="def add(a, b):\n    raise RuntimeError(\"<img src=x onerror=hit('message')>\")",
        essay="\n\n".join(MARKDOWN.values()),
    )
    cells = [new_markdown_cell(text) for text in MARKDOWN.values()]
    cells += [new_code_cell(f"display({bundle!r}, raw=True)") for bundle in OUTPUTS.values()] + [
        new_code_cell(text) for text in CODE.values()
    ]
    cells.append(new_raw_cell("<script>hit('raw')</script>", metadata={"raw_mimetype": "text/html"}))
    attached = new_markdown_cell("![x](attachment:a.png)![y](attachment:b.png)")
    attached.attachments = {
        "a.png": {"image/png": "\"><img src=x onerror=hit('attached')>"},
        "b.png": {"image/png\" onerror=\"hit('attached')": PIXEL},
    }
    tagged = new_markdown_cell(
        "태그",
        metadata={
            "tags": ["\"><img src=x onerror=hit('tag')>"],
            "nbgrader": {"grade_id": "x\"><img src=x onerror=hit('grade-id')>", "grade": True},
        },
    )
    notebook.cells += [*cells, attached, tagged]
    notebook.metadata.title = "</title><script>hit('name')</script>"
    notebook.metadata.widgets = {
        "application/vnd.jupyter.widget-state+json": {"state": {"x": "</script><script>hit('state')</script>"}}
    }
    notebook.metadata.language_info = {"name": "\"><script>hit('language')</script>"}
    return notebook


HONEST = """덧셈은 **교환**되고 $a + b = b + a$입니다. vector<int>

$$\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d}}\\right)V$$

| 값 | 뜻 |
|---:|----|
| 1 | 하나 |

![곡선](attachment:그림.png)

```python
def f(x):
    return x
```

자세한 것은 [이곳](https://example.org)에 있습니다. <script>1</script>"""
