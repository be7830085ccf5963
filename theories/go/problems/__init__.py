"""Problems of Go: capture a block, or save it. Sets of problems as files, scoring, and generation.

The file `train.jsonl` has 448 problems generated for this project, and `hundred.jsonl` the first hundred of
them that a capture solves.
"""

from hornbook.theories.go.problems.files import read_problems, shipped, write_problems
from hornbook.theories.go.problems.problem import CaptureProblem, Value

__all__ = ["CaptureProblem", "Value", "read_problems", "shipped", "write_problems"]
