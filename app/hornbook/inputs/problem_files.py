"""Files of examples and problems on a command line. They are checked before anything is opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hornbook.kb.ast.declarations import Example, Expect, Import, TheoryName
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.files import read_text
from hornbook.terminal.failure import ArgumentError

SUFFIX = ".horn"


def problem_files(
    theory: str, named: Sequence[Path] | None, more: Sequence[Path] | None, *, of_one_kind: bool
) -> list[Path]:
    """Return the files that follow `--problems`, which may be given once or several times.

    Raises ArgumentError in three cases: a file is given without the option; a file of examples is given as
    the theory; or `of_one_kind` is set and there are files of examples and of problems.
    """
    if more and not named:
        raise ArgumentError(
            f"`{more[0]}` is a second theory; name files of examples or problems with --problems"
        )
    files = [*(named or ()), *(more or ())]
    examples = [file for file in files if file.suffix == SUFFIX]
    problems = [file for file in files if file.suffix not in ("", SUFFIX)]
    if of_one_kind and examples and problems:
        raise ArgumentError(
            f"`{examples[0]}` has examples and `{problems[0]}` has problems:"
            " learn from one kind, then from the other"
        )
    about = _has_only_examples_of(Path(theory)) if files else None
    if about is not None:
        suggestion = " ".join(f"--problems {file}" for file in [*files, Path(theory)])
        raise ArgumentError(
            f"`{theory}` has examples of `{about}` and no rules, but is given as the theory:"
            f" write `{about}`, or another theory, and `{suggestion}`"
        )
    return files


def _has_only_examples_of(path: Path) -> str | None:
    """Return the imported theory if a file has only examples of it.

    Return None if the file defines anything else or is not such a file.
    """
    if path.suffix != SUFFIX or not path.is_file():
        return None
    clauses = parse(read_text(path)).clauses
    imported = [clause for clause in clauses if isinstance(clause, Import)]
    others = [c for c in clauses if not isinstance(c, Import | TheoryName)]
    if not imported or not others or not all(isinstance(c, Example | Expect) for c in others):
        return None
    return imported[0].name
