"""Measured statistics: the numbers of facts of each relation in real states, stored in a text file.

`RULES.stats.json`, in the folder of `RULES.horn`, is an object:
- `theory`: The name of the theory.
- `states`: The number of measured states.
- `relations`: A list of objects. Each has `relation` (the name of a predicate, or of a game as in `take by
  move is`), `moment` (`before`, `after`, or null), `rows` (the average number of facts in a state) and
  `distinct` (the average numbers of different values in each column).

Relations are identified by name, so a file stays usable when the theory changes. Entries of unknown relations
or with another number of columns are ignored. Statistics affect the speed of matching, never the
consequences.
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
from hornbook.matcher.program.coded import PredicateId
from hornbook.matcher.program.engine import Measure, Statistics


def statistics_path(rules: Path) -> Path:
    """Return the path of the statistics for a file of rules."""
    return rules.with_name(f"{rules.stem}.stats.json")


def average(measured: Iterable[Statistics]) -> dict[PredicateId, Measure]:
    """Return the mean of the statistics of several states. A state without a predicate does not
    count for it.
    """
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
    """Return the statistics of a file, or none if it does not exist. Raises TheoryError if its format is
    wrong.
    """
    if not path.exists():
        return {}
    return parse_statistics(read_text(path), str(path), coding)


def parse_statistics(text: str, name: str, coding: Coding) -> dict[PredicateId, Measure]:
    """Return the statistics of a text, which messages call `name`. Raises TheoryError if its
    format is wrong.
    """
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
    """Write the statistics of some states atomically."""
    write_text(path, statistics_text(statistics, coding, theory=theory, states=states))


def statistics_text(statistics: Statistics, coding: Coding, *, theory: str, states: int) -> str:
    """Return the statistics of some states as text."""
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
