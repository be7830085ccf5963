"""Measured statistics: how many facts of each relation real states have, kept as text beside the rules.

`RULES.stats.json`, beside `RULES.horn`, is an object:

- `theory`: the name of the theory, `states`: how many states were measured;
- `relations`: a list of objects with `relation` (a predicate's name, or a game's as in `take by move is`),
  `moment` (`before`, `after`, or null for what does not change), `rows` (facts of a state, on the average) and
  `distinct` (different words or numbers in each column, on the average).

Relations stand by name, so the file outlives changes to a theory: what it says of a relation that is gone, or
has other columns now, is left out. Statistics change how fast rules are matched, never what follows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from hornbook.kb.ast.terms import Span
from hornbook.kb.lower.coding import Coding
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.writing import write_text
from hornbook.matcher.compiled.engine import Measure, Statistics
from hornbook.matcher.program.coded import PredicateId


def statistics_path(rules: Path) -> Path:
    """Where the statistics for the rules of a file stand."""
    return rules.with_name(f"{rules.stem}.stats.json")


def average(measured: Iterable[Statistics]) -> dict[PredicateId, Measure]:
    """The mean of the statistics of several states; a state that lacks a predicate does not count for it."""
    by_predicate: dict[PredicateId, list[Measure]] = {}
    for statistics in measured:
        for predicate, measure in statistics.items():
            by_predicate.setdefault(predicate, []).append(measure)
    return {
        predicate: Measure(
            fmean(measure.rows for measure in measures),
            tuple(fmean(column) for column in zip(*(m.distinct for m in measures), strict=True)),
        )
        for predicate, measures in by_predicate.items()
    }


def read_statistics(path: Path, coding: Coding) -> dict[PredicateId, Measure]:
    """The statistics of a file; none where it is not there. Raises TheoryError where it is something else."""
    if not path.exists():
        return {}
    return parse_statistics(read_text(path), str(path), coding)


def parse_statistics(text: str, name: str, coding: Coding) -> dict[PredicateId, Measure]:
    """The statistics that a text states, called `name` in messages. Raises TheoryError where it is something else."""
    try:
        return dict(_known(json.loads(text)["relations"], coding))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as problem:
        message = f"these are no statistics of rules: {problem}"
        help_ = "delete the file, and measure again with `hornbook theory profile --write-statistics`"
        raise TheoryError([error("HB005", message, Span(name, 1, 1, 1, 2), help_)], {name: text}) from None


def _known(relations: list[Mapping[str, Any]], coding: Coding) -> Iterable[tuple[PredicateId, Measure]]:
    numbers = {(r.template.relation, r.template.tense): number for number, r in enumerate(coding.relations)}
    for each in relations:
        measure = Measure(float(each["rows"]), tuple(map(float, each["distinct"])))
        number = numbers.get((each["relation"], each["moment"]))
        if number is not None and len(measure.distinct) == len(coding.relations[number].columns):
            yield number, measure


def write_statistics(path: Path, statistics: Statistics, coding: Coding, *, theory: str, states: int) -> None:
    """Writes the statistics of some states, whole or not at all."""
    write_text(path, statistics_text(statistics, coding, theory=theory, states=states))


def statistics_text(statistics: Statistics, coding: Coding, *, theory: str, states: int) -> str:
    """The statistics of some states as text."""
    relations = [
        {
            "relation": coding.relations[number].template.relation,
            "moment": coding.relations[number].template.tense,
            "rows": round(measure.rows, 3),
            "distinct": [round(column, 3) for column in measure.distinct],
        }
        for number, measure in sorted(statistics.items())
    ]
    lines = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in relations)
    head = json.dumps({"theory": theory, "states": states}, ensure_ascii=False)[:-1]
    return f'{head}, "relations": [\n{lines}\n]}}\n'
