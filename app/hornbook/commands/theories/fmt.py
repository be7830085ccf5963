"""The command `hornbook fmt`: the formatter for theory files."""

from __future__ import annotations

import difflib
from io import StringIO
from pathlib import Path
from typing import Annotated

from hornbook.commands.options import argument, flag
from hornbook.kb.format.formatter import format_text
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.locate import locate
from hornbook.kb.text.streams import STANDARD_INPUT, is_stream, stream_named
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.screen import print_exactly

FilesArgument = Annotated[
    list[str],
    argument("FILE", "Theory files, or folders that hold one; `-` reads one from the standard input."),
]
CheckOption = Annotated[bool, flag("--check", "Write nothing; list the files that would change.")]
DiffOption = Annotated[bool, flag("--diff", "Write nothing; show what would change.")]
JsonOption = Annotated[
    bool, flag("--json", "Print a list of `{file, changed, diagnostics}`; of `-` also its text.")
]


def fmt(
    files: FilesArgument,
    check: CheckOption = False,
    diff: DiffOption = False,
    json_output: JsonOption = False,
) -> None:
    """Format theory files in the one common style.

    The comments and the meaning of a file are preserved. A file with syntax errors is not changed, and its
    errors are shown. Text from standard input goes to standard output. The exit code is 1 if a file has
    errors, or with `--check` if a file would change.
    """
    outcomes = [_format(name) for name in files]
    for outcome in outcomes:
        if outcome.changed and not (check or diff):
            outcome.write()
    if json_output:
        print_json([outcome.as_json() for outcome in outcomes])
    else:
        for outcome in outcomes:
            outcome.show(check=check, diff=diff)
    if any(outcome.problem is not None or (check and outcome.changed) for outcome in outcomes):
        raise ReportedError(1)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A file with its current and its formatted text, or with its error."""

    file: str
    text: str = ""
    formatted: str = ""
    problem: TheoryError | None = None

    @property
    def changed(self) -> bool:
        return self.formatted != self.text

    @property
    def called(self) -> str:
        return "<stdin>" if self.file == "-" else self.file

    def write(self) -> None:
        if self.file != "-":
            write_text(Path(self.file), self.formatted)

    def show(self, *, check: bool, diff: bool) -> None:
        """Print the result on standard output and remarks on the error stream."""
        if self.problem is not None:
            warn(str(self.problem))
            return
        if diff and self.changed:
            print_line(_difference(self.called, self.text, self.formatted), end="")
        if check and self.changed:
            warn(f"{self.called} is not in the common layout")
        if check or diff:
            return
        if self.file == "-":
            print_exactly(self.formatted)
        elif self.changed:
            warn(f"laid out {self.file}")

    def as_json(self) -> dict[str, object]:
        diagnostics = [] if self.problem is None else [d.to_dict() for d in self.problem.diagnostics]
        found: dict[str, object] = {"file": self.called, "changed": self.changed, "diagnostics": diagnostics}
        return found | ({"text": self.formatted} if self.file == "-" else {})


def _in_folder(folder: str) -> str:
    """Return the theory file in a folder, but never an installed theory with the folder's name."""
    found = locate(folder)
    return str(found) if found.parent == Path(folder) else folder


def _format(name: str) -> _Outcome:
    # Text from a pipe is printed, as for the standard input.
    name = "-" if stream_named(Path(name)) == STANDARD_INPUT else name
    outcome = _Outcome(name)
    try:
        if name != "-" and is_stream(Path(name)):
            text = read_text(Path(name))
            return _Outcome("-", text, format_text(text, name))
        if name != "-" and Path(name).is_dir():
            name = _in_folder(name)
            outcome = _Outcome(name)
        text = read_text(Path(name))
        return _Outcome(name, text, format_text(text, outcome.called))
    except TheoryError as problem:
        return _Outcome(name, problem=problem)


def _difference(name: str, text: str, formatted: str) -> str:
    old, new = (list(StringIO(each, newline="\n")) for each in (text, formatted))
    lines = difflib.unified_diff(old, new, f"{name} (as it is)", f"{name} (laid out)")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
