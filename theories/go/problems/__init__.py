"""Problems of Go: capture a block, or save it. Sets of them as files, scoring, and the making of new ones.

`train.jsonl` holds 448 problems made for this project, `hundred.jsonl` the first hundred of them that a capture
solves.
"""

from hornbook.theories.go.problems.files import read_problems, shipped, write_problems
from hornbook.theories.go.problems.problem import Problem, Value

__all__ = ["Problem", "Value", "read_problems", "shipped", "write_problems"]
