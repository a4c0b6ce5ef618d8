"""First line of the warm parent: `python -I start.py SETTINGS STUDENTS JUDGES OWNER`; finds the package without an environment."""
import json
import sys

sys.path += json.loads(sys.argv[1])["path"]

from autograder.grade.jail.warm import main  # noqa: E402

main(json.loads(sys.argv[1]), *map(int, sys.argv[2:]))
