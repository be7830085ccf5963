"""Learned, proved rules as features of allocation in checkers: their benefit, including their own cost.

RULES are the rules that `hornbook learn checkers` learned from the positions of
`hornbook problems generate checkers -n 129 --seed 7 --depths 3`: gains of a piece or a king, and won games,
after a forced reply. Trees for the utility of a deeper search are learned from `--boards` boards, with shares
and
values of the leaves from `--refill` others, and no leaf with fewer than `--least`. They decide by dynamic
programming 8 times in 40 moves. Each recipe is used with and without rules. A row has `--games` games against
a player that never searches deeper, in ten parts with separate seeds.

The column `nodes` counts those of all searches of a game, `us` is the processor time for deciding. The column
`cost` includes both: the nodes of playing, and the nodes that a player without decisions would search in the
time of deciding. The column `static` is the score of static rows of moves at the same cost, by linear
interpolation. The column `sigma` is the difference in standard errors of both. The column `found` is the
share of all utility on the fifth of other boards that the tree prefers.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import hornbook
from benchmarks.games.policies import PolicyRow, interpolated, row_of
from benchmarks.study import Study, options
from hornbook.api.learned_rules import read_rules
from hornbook.play.allocation.learning import RECIPES, learn_classifier, training_boards
from hornbook.play.allocation.native import Allocation, AllocationTally, Classifier, allocation_of
from hornbook.play.allocation.rules import Conditions, conditions_of
from hornbook.theories.checkers.domain import DOMAIN

PARTS = 10
STATIC = ((15, 8), (12, 16), (10, 24), (1, 40))
"""First move and number of consecutive deep searches of static rows."""
TAKEN = ("searched-utility", "utility", "rules")


def main() -> int:
    parser = options(__doc__, games=6000, boards=100_000, refill=500_000, least=100, seed=1)
    parser.add_argument("rules", metavar="RULES", type=Path)
    study = Study(__file__, parser.parse_args())
    given = study.given
    native = allocation_of(DOMAIN)
    certified = read_rules(given.rules, hornbook.load("checkers")).certified
    conditions = conditions_of(native, certified, DOMAIN.write(DOMAIN.starts()[0]))
    head = f"{'strategy':<34}{'score':>7}{'error':>8}{'deep':>7}{'cost':>9}{'us':>6}{'nodes':>9}"
    lines = [head]
    print(head, flush=True)
    for line in rows(native, conditions, given):
        lines.append(line)
        print(line, flush=True)
    return study.finish("\n".join(lines) + "\n")


def rows(native: Allocation, conditions: Conditions, given: Namespace) -> Iterator[str]:
    seeds = [(given.games // PARTS, given.seed * 1000 + part) for part in range(PARTS)]
    start, setting = DOMAIN.write(DOMAIN.starts()[0]), native.Setting()
    never = [native.play(start, setting, "never", 0.0, *each) for each in seeds]
    # Both sides search equally deep.
    speed = 2 * sum(each.shallow_nodes for each in never) / sum(each.seconds for each in never) / 1e6
    static = [costing("never", never, speed)]
    yield shown(static[0], never)
    for first, number in STATIC:
        used = native.Setting(searches=number)
        tallies = [native.play(start, used, "row", float(first), *each) for each in seeds]
        static.append(costing(f"{number} in a row from move {first}", tallies, speed))
        yield shown(static[-1], tallies)
    taught = training_boards(native, start, setting, given.boards, given.refill, given.seed)
    for recipe in TAKEN:
        for rules in (conditions, {}):
            if not rules and recipe == "rules":
                continue
            sizes = {"least": given.least, "sample": 10_000, "seed": given.seed}
            tree = learn_classifier(native, RECIPES[recipe], taught, setting, **sizes, rules=rules)
            tallies = [native.play(start, setting, tree.classifier, *each) for each in seeds]
            name = f"{recipe}, {len(tree.rules)} rules" if rules else recipe
            row = costing(name, tallies, speed)
            yield f"{shown(row, tallies)}{interpolated(row, static)}   found {found(tree.classifier):.3f}"
    yield f"% {len(conditions)} rules learned, {speed:.2f} nodes in a microsecond"


def costing(name: str, tallies: Sequence[AllocationTally], speed: float) -> PolicyRow:
    """Return a row with its cost instead of its nodes."""
    row = row_of(name, tallies)
    games = sum(each.won + each.lost + each.drawn for each in tallies)
    playing = sum(each.shallow_nodes + each.deep_nodes for each in tallies) / games
    return replace(row, nodes=playing + row.us * speed)


def shown(row: PolicyRow, tallies: Sequence[AllocationTally]) -> str:
    return f"{row.text}{row_of('', tallies).nodes:>9,.0f}"


def found(classifier: Classifier) -> float:
    """Return the share of all utility on the fifth of the boards that a tree prefers."""
    leaves = sorted(
        ((worth, share) for feature, *_, share, worth in classifier.rows if feature < 0), reverse=True
    )
    left, best = 0.2, 0.0
    for worth, share in leaves:
        best += worth * min(left, share)
        left -= min(left, share)
    return best / sum(worth * share for worth, share in leaves)


if __name__ == "__main__":
    sys.exit(main())
