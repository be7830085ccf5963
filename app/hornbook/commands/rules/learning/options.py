"""Options of the commands that learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, flag, option
from hornbook.commands.states_option import backend_of
from hornbook.inputs.problem_files import problem_files
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError

if TYPE_CHECKING:
    from hornbook.spread.places import BackendOpener

Into = Annotated[
    Path | None,
    option(
        "--into",
        "RULES",
        "The file or store for the rules; existing rules stay. Default: the store given as THEORY.",
    ),
]
Problems = Annotated[
    list[Path] | None,
    option(
        "--problems",
        "FILE",
        "Files with examples or problems (Go: .jsonl or .sgf, chess: .jsonl). Default: the"
        " theory's examples.",
    ),
]
MoreFiles = Annotated[
    list[Path] | None, argument("FILE", "Further files for --problems.", show_default=False)
]
Proofs = Annotated[
    int,
    option("--proofs", "N", "Proofs to try for each goal; the most general rule is kept.", min=1),
]
Explain = Annotated[bool, flag("--explain", "Print every rule with the proof it generalises.")]


Goals = Annotated[
    list[str] | None,
    option(
        "--goal",
        "PREDICATE",
        "With --states: cover the conclusions with this predicate; several may be given. Default: those"
        " that the theory's `expect` clauses name.",
    ),
]


@dataclass(frozen=True, slots=True)
class LearningFileOptions:
    """The destination of rules, and the files of examples or problems."""

    into: Into = None
    problems: Problems = None
    more: MoreFiles = None

    def files(self, theory: str, *, of_one_kind: bool = True) -> list[Path]:
        return problem_files(theory, self.problems, self.more, of_one_kind=of_one_kind)


@dataclass(frozen=True, slots=True)
class ExampleOptions:
    """The processes that learn from examples, the proofs that they try, and the report."""

    on: options.Backend = None
    workers: options.Workers = None
    proofs: Proofs = 1
    explain: Explain = False

    def backend(self) -> BackendOpener | None:
        """Return the backend, or None for this process alone."""
        return None if self.on is None and self.workers in (None, 1) else backend_of(self.on, self.workers)


@dataclass(frozen=True, slots=True)
class CoverageOptions:
    """The table of states that rules are to cover."""

    states: options.TableOfStates = None
    goals: Goals = None
    skip_bad: options.SkipBad = False

    def require_states(self) -> None:
        """Raise ArgumentError if an option is given that needs a table of states."""
        for name, value in (("--goal", self.goals), ("--skip-bad", self.skip_bad)):
            if value and self.states is None:
                raise ArgumentError("it needs a table of states (`--states`)", name)
