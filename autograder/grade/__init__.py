"""Grading: hand-ins in, records and graded notebooks out.

records       what is known about one hand-in afterwards
folder        an nbgrader course folder: its settings, its paths, its hand scores
totals        a record and hand scores, added up
hand          which answer a person's score was given for
preprocessors small steps between nbgrader's own: the run, the meaning of outputs, hand-ins cut short
converters    nbgrader's converters, cut at the seam between executing and book-keeping
blueprint     what grading needs to know of an assignment, and nothing of any student
handin        what arrived: copied in, or refused with a reason
scores        from executed notebooks to a record
worker        executes hand-ins, each in a process of its own
engine        the seam: hand-in in, record and graded notebooks out; another engine can take its place
run           the class: many hand-ins at a time, one writer of the gradebook

Only records, folder and totals import quickly; the others import nbgrader, which takes seconds.
"""
