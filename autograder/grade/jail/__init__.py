"""Where student code runs, and where it is judged: jailed processes forked from one warm parent.

values   what may cross between processes: plain data and raw tensor bytes, never pickled
walls    what a jailed process cannot do (namespaces, rlimits, Landlock, seccomp)
shell    IPython without a kernel: runs one cell, returns its outputs
random   random states that travel with a call
student  runs a hand-in's cells and answers the judge's calls; everything it says is a claim
judge    runs given cells and checks from the source, with stand-ins for the student's names
standins the stand-ins: a function, an object or an nn.Module that lives in the student's process
warm     the warm parent: imports once, forks one jailed child per request
client   the grader's end of the line: starts the warm parent, asks for children, watches and ends them

Nothing here imports nbgrader or knows a course. Modules up to `warm` are loaded inside the walls.
"""
