"""Intake: whatever arrives is understood, kept, and explained.

archives   every file of the sources: files, folders, zip and tar archives, each entry checked by itself
listings   what learning platforms say: in the names of files, in their tables
roster     who takes the course
whose      whose a file is; nobody is guessed
attempts   the raw bytes of everything that came, never changed
rules      due dates, grace, extensions; which attempt counts
matches    the table of what went to whom and why, which the instructor edits
reading    a notebook from raw bytes, or a Korean reason why there is none
sources    what the text of a cell says
newer      syntax newer than ours, told in ours
offline    lines that cannot run where grading happens
notes      what repair says of a hand-in
matching   which cell of a hand-in stands for which cell of the release
repair     a hand-in mended against the release, with notes on what was mended
identify   which assignment and which of its notebooks a hand-in is, by its content
submitted  submitted/, made from attempts
collect    all of it in order: sources to attempts/ and submitted/
"""
