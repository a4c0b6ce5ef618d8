"""Grading by hand: nbgrader's formgrader as a desk of its own, for hand-ins that nobody needs to trust.

safe      what students wrote, as HTML that does nothing
handlers  nbgrader's pages and requests, each with a gradebook of its own and strict headers; ours in place of a few
server    a Jupyter server that has these pages and nothing else: no kernels, terminals or files
"""
