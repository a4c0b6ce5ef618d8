"""nbgrader's two lists of preprocessors with ours in them, as names, for nbgrader_config.py: `nbgrader autograde` then runs
hand-ins as `./course grade` does. Imports nothing."""

_NBGRADER, _OURS = "nbgrader.preprocessors.", "autograder.grade.preprocessors."
SANITIZE = [
    f"{_OURS}ClearOtherOutput",
    *(_NBGRADER + name for name in ("DeduplicateIds", "OverwriteKernelspec", "OverwriteCells", "CheckCellMetadata")),
]
AUTOGRADE = [
    *(_OURS + name for name in ("Run", "Settle")),
    f"{_NBGRADER}IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    f"{_NBGRADER}LimitOutput",
    f"{_OURS}SaveAtOnce",
    *(_NBGRADER + name for name in ("AssignLatePenalties", "CheckCellMetadata")),
]
