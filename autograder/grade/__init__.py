"""Grading: hand-ins in, records and graded notebooks out.

records       what is known about one hand-in afterwards
folder        an nbgrader course folder: its settings, its paths, its hand scores
totals        a record and hand scores, added up
hand          which answer a person's score was given for
settings      how hand-ins are run: limits and choices
programme     what the judge runs: the source's cells without its answers
jail          where student code runs and where it is judged: jailed processes, and what may cross between them
trial         one notebook: the student's process, the judge, and what happens when one of them ends
preprocessors small steps between nbgrader's own: the run, the meaning of outputs, hand-ins cut short
seam          nbgrader's lists of steps with ours in them, for nbgrader_config.py
converters    nbgrader's converters, cut at the seam between executing and book-keeping
blueprint     what grading needs to know of an assignment, and nothing of any student
handin        what arrived: copied in, or refused with a reason
scores        from executed notebooks to a record
worker        grades hand-ins, each in a fork of its own
engine        the seam: hand-in in, record and graded notebooks out; another engine can take its place
doctor        which walls this machine can build
early         starts what takes longest to start, before anything else is imported
run           the class: many hand-ins at a time, one writer of the gradebook

Only records, folder, totals, settings, doctor, early and jail import quickly; the others import nbgrader, which takes a second.
"""
