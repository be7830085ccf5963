"""The command `hornbook problems demo`: it learns from shipped Go problems and solves others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.options import option
from hornbook.compiler.rules import rulebase
from hornbook.games.demonstration import LEVELS, Demonstration, ShownProblem, demonstrate
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.writing import new_folder, require_writable, write_texts
from hornbook.matcher.compiled.processors import processors
from hornbook.terminal.failure import ERROR, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.theories.boards.marks import legend
from hornbook.theories.go.pictures.marked_board import marked_svg, marked_text
from hornbook.theories.go.pictures.marks import says_what_is_meant
from hornbook.theories.go.problems.files import read_problems, shipped
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.problems.score import OUTCOMES, tally

LEARNED_FROM, ALL = "hundred", "train"
PROCESSES = 2
RULES = "rules.horn"
"""The name of the file of rules, in the folder that `--into` names."""


def demo(
    into: Annotated[
        Path | None, option("--into", "DIR", "Write the rules, the answers and a picture of each position.")
    ] = None,
    seed: Annotated[int, option("--seed", "N", "Selects the positions to show.")] = 1,
    json_output: options.Json = False,
) -> None:
    """Learn from Go problems that ship, and solve others; show three of them with rule and proof.

    It learns from a hundred problems and answers 348 others, which takes one to two minutes on two cores.
    The exit code is 1 if an answer is wrong.
    """
    with nullcontext() if into is None else new_folder(into):
        if into is not None:
            require_writable(into / RULES)
        learn_from, others = problems()
        done = demonstrate(
            learn_from,
            others,
            seed=seed,
            workers=min(PROCESSES, processors()),
            file=f"{LEARNED_FROM}.jsonl",
            report=_say,
        )
        written = [] if into is None else _write(done, into)
    if json_output:
        print_json(_as_json(done, written))
    else:
        print_line("\n".join(_text(done, written)))
    if done.wrong:
        raise ReportedError(ERROR)


def problems() -> tuple[list[CaptureProblem], list[CaptureProblem]]:
    """Return the problems to learn from, and the problems to answer."""
    learn_from = read_problems(shipped(LEARNED_FROM))
    seen = {problem.id for problem in learn_from}
    return learn_from, [problem for problem in read_problems(shipped(ALL)) if problem.id not in seen]


def _say(what: str) -> None:
    """Print the current stage if no progress bar is drawn."""
    if not sys.stderr.isatty():
        warn(what)


def _text(done: Demonstration, written: list[Path]) -> Iterator[str]:
    learned = done.learned
    yield (
        f"Learned {counted(len(done.base), 'rule')} from {counted(str(learned['problems']), 'problem')}"
        " of Go, each with a"
        f" proof that holds on every board; {learned['proved']} of the problems were proved."
    )
    yield from _score(done)
    for number, shown in enumerate(done.shown, 1):
        yield from _position(number, shown, done)
    yield ""
    if written:
        yield f"wrote {', '.join(map(str, written))}"
    seconds = done.seconds
    yield f"{seconds['learning']:.0f} s to learn, {seconds['all']:.0f} s in all"


def _score(done: Demonstration) -> Iterator[str]:
    number = len(next(iter(done.judged.values())))
    yield f"Answered {counted(number, 'other')}, which it had never seen, by these rules alone:"
    yield ""
    by_way = [tally(judged) for judged in done.judged.values()]
    titles = (f"{f'{way}, attacker first':>27}" for way in LEVELS)
    yield "                " + "   ".join(titles)
    yield "depth  problems" + "   ".join("".join(f"{outcome:>9}" for outcome in OUTCOMES) for _ in by_way)
    of_depths = [rows for rows in zip(*by_way, strict=True) if rows[0].value is None]
    not_captured = [rows for rows in zip(*by_way, strict=True) if rows[0].value == "PP"]
    for rows in (*of_depths[:-1], *not_captured, of_depths[-1]):
        first = rows[0]
        name = "none" if first.value == "PP" else "all" if first.depth is None else str(first.depth)
        counts = ("".join(f"{row.attacker_first[outcome]:>9}" for outcome in OUTCOMES) for row in rows)
        yield f"{name:>5}  {first.problems:>8}" + "   ".join(counts)
    yield ""
    yield (
        "Depth is in plies, `none` of blocks that are not captured."
        " Two levels: two moves are tried, and matched again."
    )
    for each in done.wrong:
        yield f"wrong: {each.problem.id}: {each.problem.value}, said {each.answer.value}: {each.why}"


def _position(number: int, shown: ShownProblem, done: Demonstration) -> Iterator[str]:
    problem, rule = shown.problem, shown.entry.rule
    yield ""
    yield f"Position {number} of {len(done.shown)}: {_task(shown)}, in {_plies(problem)}"
    yield ""
    yield from lines_of(marked_text(problem.board, shown.marks))
    yield ""
    yield from legend(shown.marks)
    yield ""
    yield f"Answer: {_move(shown)}. The rule that says so{_origin(shown)}:"
    yield ""
    short = tuple(condition for condition in rule.body if not says_what_is_meant(condition))
    yield print_rule(replace(rule, body=short)).rstrip("\n")
    left_out = len(rule.body) - len(short)
    if left_out:
        yield (
            f"    % and {counted(left_out, 'condition that says', 'conditions that say')} which things are"
            " meant, and that they differ"
        )
    certificate = shown.entry.certificate
    assert certificate is not None
    steps = len(certificate.all_steps)
    yield ""
    yield f"What its proof plays here ({counted(steps, 'step')}, rank {certificate.rank}):"
    yield ""
    yield from (f"  {line}" for line in shown.lines)


def _task(shown: ShownProblem) -> str:
    problem = shown.problem
    return f"problem {problem.id}, {problem.attacker} to play captures {problem.board.name(problem.target)}"


def _plies(problem: CaptureProblem) -> str:
    assert problem.depth is not None  # the block is captured
    return counted(problem.depth, "ply", "plies")


def _move(shown: ShownProblem) -> str:
    by = shown.conclusion.of_game.by
    assert by is not None
    return print_condition(by)


def _origin(shown: ShownProblem) -> str:
    origin = shown.entry.provenance
    return "" if origin is None else f", learned from problem {origin.example}"


def _write(done: Demonstration, into: Path) -> list[Path]:
    """Write the rules with their proofs, the answers, and the pictures: all files or none."""
    rules = into / RULES
    files = {
        into / f"answers-{way.replace(' ', '-')}.jsonl": "".join(f"{line}\n" for line in lines)
        for way, lines in done.answers.items()
    }
    for number, shown in enumerate(done.shown, 1):
        title = f"{_task(shown)}: {_move(shown)}"
        files[into / f"position-{number}.svg"] = marked_svg(shown.problem.board, shown.marks, title)
    write_texts([*rulebase.written(done.base, rules), *files.items()])
    return [rules, *files]


def _as_json(done: Demonstration, written: list[Path]) -> dict[str, Any]:
    return {
        "learned": {**done.learned, "rules": len(done.base)},
        "scores": {
            way: [
                {"value": r.value, "depth": r.depth, "problems": r.problems, **dict(r.attacker_first)}
                for r in tally(judged)
            ]
            for way, judged in done.judged.items()
        },
        "wrong": [each.problem.id for each in done.wrong],
        "positions": [_position_as_json(shown) for shown in done.shown],
        "written": list(map(str, written)),
        "seconds": {part: round(seconds, 3) for part, seconds in done.seconds.items()},
    }


def _position_as_json(shown: ShownProblem) -> dict[str, Any]:
    return {
        "problem": shown.problem.id,
        "depth": shown.problem.depth,
        "move": _move(shown),
        "rule": shown.entry.rule.name,
        "text": print_rule(shown.entry.rule),
        "marks": [{"role": m.name, "points": m.places, "asks": m.asks} for m in shown.marks],
        "lines": shown.lines,
    }
