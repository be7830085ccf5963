"""The command `hornbook problems generate`: new problems from a seed."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.inputs.domains import domain_argument
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line
from hornbook.theories.domain import Domain
from hornbook.theories.problems import ProblemRequest

LARGEST_SIDE = 19
_DEPTHS: dict[str, int | None] = {**{str(depth): depth for depth in (1, 3, 5, 7, 9)}, "none": None}


def generate(
    theory: Annotated[str, argument("THEORY", "The theory of the problems, such as `go`.")],
    number: Annotated[int, option("--number", "N", "The number of problems.", "-n", min=1)],
    into: Annotated[Path, option("--into", "FILE", "The file to write or replace: JSON lines, or .sgf.")],
    seed: Annotated[int, option("--seed", "N", "The seed of the random generator.")] = 1,
    size: Annotated[
        list[int] | None,
        option(
            "--size", "N", "Points to a side; may be given several times; 7 and 9.", min=3, max=LARGEST_SIDE
        ),
    ] = None,
    depths: Annotated[
        str, option("--depths", "N,…", "The depths of the problems; `none`: not captured.")
    ] = "1,3,5,7,none",
    engine: Annotated[
        str, option("--engine", "COMMAND", "A Go program with GTP whose games are also used.")
    ] = "",
    variations_of: Annotated[
        Path | None, option("--variations-of", "FILE", "Change the boards of these problems instead.")
    ] = None,
    workers: options.Workers = None,
) -> None:
    """Generate problems with their solutions, which exhaustive search finds.

    Each Go problem is a block to capture, solved with either side first.

    The same seed gives the same problems. Ctrl-C writes the problems made so far (exit code 130).
    """
    domain = domain_argument(open_theory(theory, unchanged=True), "how problems of it are made")
    sources = () if variations_of is None else _sources(domain, variations_of)
    plan = ProblemRequest(
        number, seed, tuple(size or ()), _depths(depths), _words(engine), sources, workers or 1
    )
    require_writable(into)
    started = time.perf_counter()
    generated, interrupted = _made(domain, plan)
    domain.write_problems(generated, into)
    seconds = time.perf_counter() - started
    counts = Counter(problem.value for problem in generated)
    order = [value for value in domain.values if value != "unknown"] or sorted(counts)
    values = ", ".join(f"{counts[value]} {value}" for value in order)
    print_line(
        f"{counted(len(generated), 'problem')} in {into} ({values}); {seconds:.1f} s,"
        f" {len(generated) / seconds:.1f} a second"
    )
    if interrupted:
        raise ReportedError(130)


def _made(domain: Domain, plan: ProblemRequest) -> tuple[list[Any], bool]:
    """Generate the problems. Return them, and whether an interruption ended the work."""
    generated: list[Any] = []
    with progress("making", plan.number) as update_progress:
        try:
            for problem in domain.make_problems(plan):
                generated.append(problem)
                update_progress(advance=1)
        except KeyboardInterrupt:
            return generated, True
    return generated, False


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as problem:
        message = str(problem).lower()
        raise ArgumentError(f"`{command}` is no command: {message}", "--engine") from None


def _sources(domain: Domain, file: Path) -> tuple[Any, ...]:
    found = tuple(domain.read_problems(file))
    if not found:
        raise ArgumentError(f"{file} holds no problem to change", "--variations-of")
    return found


def _depths(text: str) -> tuple[int | None, ...]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in _DEPTHS:
            known = ", ".join(_DEPTHS)
            raise ArgumentError(f"`{name}` is not a depth; they are {known}", "--depths")
    return tuple(dict.fromkeys(_DEPTHS[name] for name in names))
