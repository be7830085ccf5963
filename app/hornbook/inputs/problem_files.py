"""The files of examples and problems that a command line names, told from the theory before anything is opened or made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from hornbook.kb.ast.declarations import Example, Expect, Import, TheoryName
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.files import read_text

SUFFIX = ".horn"


def problem_files(
    theory: str, named: Sequence[Path] | None, more: Sequence[Path] | None, *, of_one_kind: bool
) -> list[Path]:
    """The files that follow `--problems`, which may stand once or several times.

    Raises BadParameter where a file stands without the option, one stands in the theory's place, or there are files of
    examples and of problems where all must be `of_one_kind`.
    """
    if more and not named:
        raise typer.BadParameter(
            f"`{more[0]}` is no second theory; files of examples or problems follow --problems"
        )
    files = [*(named or ()), *(more or ())]
    examples = [file for file in files if file.suffix == SUFFIX]
    problems = [file for file in files if file.suffix not in ("", SUFFIX)]
    if of_one_kind and examples and problems:
        raise typer.BadParameter(
            f"`{examples[0]}` has examples and `{problems[0]}` has problems: learn from one kind, then from the other"
        )
    about = _has_only_examples_of(Path(theory)) if files else None
    if about is not None:
        told = " ".join(f"--problems {file}" for file in [*files, Path(theory)])
        raise typer.BadParameter(
            f"`{theory}` has examples of `{about}` and no rules, and stands where the theory is named:"
            f" write `{about}`, or the theory that is meant, and `{told}`"
        )
    return files


def _has_only_examples_of(path: Path) -> str | None:
    """The theory of whose examples a file consists; None where it has something of its own, or is no such file."""
    if path.suffix != SUFFIX or not path.is_file():
        return None
    clauses = parse(read_text(path)).clauses
    imported = [clause for clause in clauses if isinstance(clause, Import)]
    others = [c for c in clauses if not isinstance(c, Import | TheoryName)]
    if not imported or not others or not all(isinstance(c, Example | Expect) for c in others):
        return None
    return imported[0].name
