"""Entry point of the experiment: `python -m benchmarks.go.learning`."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import benchmarks.go.learning as experiment
import hornbook
from benchmarks.go.learning import causes, cost, plot, report
from benchmarks.go.learning.course import (
    LEVELS,
    QUICK,
    UNSEEN_SEED,
    AnsweredSet,
    LearningPoint,
    Size,
    ask,
    course,
    fresh,
    rest,
    unseen,
)
from benchmarks.go.learning.stages import PROGRAM, ROOT, Stages
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.text.counts import counted

OTHERS = "the shipped problems after the first hundred captures"

_LEARNED = """\
Learning. Each point continues with the rules of the previous one; seconds are processor time from the
beginning.
"""
_ANSWERED = "Answers of the rules to unseen problems.\n"
_SEEDS = """\
Right answers to new problems with the {rules} rules of `{label}`, in one match, the attacker first: the
set above, and others, each with its own seed and without problems learned from. PP: nothing captures, and
there is no answer.{additional}"""
_ADDITIONAL = """
These figures are reached with {own}. The figures for the shipped problems alone are in
the tables above, under `100` and `all`.
"""
_COST = """\
Cost of an answer {of}: {each} new problems of each depth, the attacker first. The microseconds are
those of the first evaluation of each problem, and the median of {later} repeated ones. If nothing captures,
finding nothing counts as right, although rules only answer that they do not know.
"""
_CAUSES = """\
Causes of unanswered new problems {of}: the first {each} failures of each depth, tried again.
"""


def main() -> int:
    options = _options()
    size = QUICK if options.quick else Size()
    given = {name: getattr(options, name) for name in ("own", "failures")}
    size = replace(size, **{name: number for name, number in given.items() if number is not None})
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        import matplotlib as mpl  # noqa: F401, PLC0415 - fails before the work if missing, not after it
    stages = Stages(options.work)
    learned, answered, again, text = run(stages, size)
    changed = "" if stages.is_unchanged() else "THE PROGRAM CHANGED WHILE THIS RAN\n"
    text = "".join(f"{line.rstrip()}\n" for line in f"{_head(size)}{changed}\n{text}".splitlines())
    print(text, end="")
    if options.output is not None:
        (options.output / "go-learning.txt").write_text(text, encoding="utf-8")
        plot.write(learned, answered, options.output / "go-learning.svg")
    return 1 if any(each.wrong for each in [*answered, *again]) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.go.learning",
        description=experiment.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="Where the results go.")
    parser.add_argument("--work", type=Path, metavar="FOLDER", default=ROOT / "build" / "go-learning")
    for name in ("own", "failures"):
        parser.add_argument(f"--{name}", type=int, metavar="N", help=f"{getattr(Size(), name)} if not given.")
    parser.add_argument("--quick", action="store_true", help="A few problems, to see that it runs.")
    return parser.parse_args()


def run(stages: Stages, size: Size) -> tuple[list[LearningPoint], list[AnsweredSet], list[AnsweredSet], str]:
    """Return the learning results, the answers, the answers to further sets, and the report as text."""
    new, others = unseen(stages, size), rest(stages, size)
    learned: list[LearningPoint] = []
    answered: list[AnsweredSet] = []
    for point in course(stages, size, others, new):
        learned.append(point)
        for levels in (0, LEVELS):
            if not point.point.label.startswith("all"):
                answered.append(ask(stages, point.point, OTHERS, "rest", others, levels))
            if len(learned) >= len(size.parts):
                answered.append(ask(stages, point.point, _new_set(size), "unseen", new, levels))
    parts = [_LEARNED, report.learned_table(learned), _ANSWERED, report.answers_table(answered)]
    last = learned[-1]
    (first,) = [
        each for each in answered if (each.point, each.set, each.levels) == (last.point, _new_set(size), 0)
    ]
    again = [
        ask(stages, last.point, f"seed {seed}", f"fresh-{seed}", path, 0)
        for seed, path in fresh(stages, size)
    ]
    own = counted(size.own, "additional problem")
    additional = _ADDITIONAL.format(own=own) if size.own else "\n"
    parts.append(_SEEDS.format(rules=last.rules, label=last.point.label, additional=additional))
    parts.append(report.seeds_table([replace(first, set=f"seed {UNSEEN_SEED}"), *again]))
    parts.append(report.wrong_answers([*answered, *again]))
    for point in (learned[len(size.parts) - 1], learned[-1]):
        of_point = [each for each in answered if (each.point, each.set) == (point.point, _new_set(size))]
        parts += _looked_into(stages, size, point, new, of_point)
    parts.append(causes_explained())
    return learned, answered, again, "\n".join(parts)


def _looked_into(
    stages: Stages, size: Size, point: LearningPoint, new: Path, answered: Sequence[AnsweredSet]
) -> list[str]:
    """Return lines on the cost of answers with the rules of a point, and on the causes of missing answers."""
    rules = point.point.rules
    inputs = [rules, proofs_path(rules), new]
    paid = stages.compute(
        f"cost-{rules.stem}",
        inputs,
        partial(cost.measured, rules, new, size.cost, LEVELS, size.repeat),
        f"{size.cost} {size.repeat}",
    )
    found = stages.compute(
        f"causes-{rules.stem}",
        inputs,
        partial(causes.tried, rules, new, [each.answers for each in answered], LEVELS, size.failures),
        str(size.failures),
    )
    of = f"with the {point.rules} rules of `{point.point.label}`"
    return [
        _COST.format(of=of, each=size.cost, later=size.repeat - 1),
        report.cost_table(paid.result),
        _CAUSES.format(of=of, each=size.failures),
        report.causes_table(found.result),
    ]


def causes_explained() -> str:
    """Return the explanation of the causes from the docstring of the module that decides them."""
    text = causes.__doc__ or ""
    return text[text.index("- `levels`") : text.index("Each problem is learned from")].rstrip() + "\n"


def _new_set(size: Size) -> str:
    return f"{size.unseen} new problems, made from a seed of their own"


def _head(size: Size) -> str:
    commit = _git("log", "-1", "--format=%h", "--", *PROGRAM) or "unknown"
    changes = " with changes" if _git("status", "--porcelain", "--untracked-files=no", "--", *PROGRAM) else ""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return (
        "Captures in Go: rules learned from problems, and what they answer of problems that nobody taught "
        "them.\n\n"
        f"command: python -m benchmarks.go.learning --own {size.own} --failures {size.failures}\n"
        f"hornbook {hornbook.__version__}, program of commit {commit}{changes}, Python "
        f"{platform.python_version()},"
        f" {platform.machine()}, {os.cpu_count()} cores; other work at the same time: load {load} in the "
        "last 1, 5 and"
        " 15 minutes\n"
    )


def _git(*words: str) -> str:
    """Return the output of git in the checkout, or nothing if there is none."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
