"""Courseware for 어텐션을 손으로 만들기: chapters to site, chapters to assignment, hand-ins to grades.

Modules are listed in the order in which data flows; none imports one that comes later.
course, browser, notebooks, exercises, handins, views, assemble, wordpiece, execute, book, preview, leaks, publish,
language, lint, tables, grade.folder, intake, grade, feedback, report, export, desk, prove, demo, colab, verbs, cli
"""
import sys

# jsonschema, below nbformat, would build 38 grammars (more than a second of every start) for formats that no notebook has.
sys.modules.setdefault("rfc3987_syntax", None)


class CourseError(Exception):
    """A problem that the person at the keyboard can solve. The text is Korean and says what to do."""
