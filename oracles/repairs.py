"""Random states of the theory `repair`: a machine, its parts, spares, technicians, and a repair.

`python -m oracles.repairs INTO.parquet --states 10000` writes a table of them, with the columns `id` and
`state`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.sources.extras import extra_module

KINDS = ("pump", "seal", "motor", "filter")
SKILLS = (("tom", "seal"), ("tom", "pump"), ("ann", "filter"), ("ann", "motor"))


def repair_state(random: Random) -> list[GroundFact]:
    """Return the facts of one machine with two to five parts, and an action on one of them."""
    kinds = {f"p{number}": random.choice(KINDS) for number in range(random.choice([2, 2, 3, 3, 4, 5]))}
    states = {part: random.choices(["good", "worn", "broken"], [7, 2, 1])[0] for part in kinds}
    facts = [
        GroundFact("parts", ("m1", len(kinds))),
        GroundFact("pressure", ("m1", random.randint(2, 9))),
        GroundFact("needs", ("m1", 6)),
        GroundFact("power", ("m1", random.choice(["no", "no", "yes"]))),
    ]
    for part, kind in kinds.items():
        facts += [
            GroundFact("has", ("m1", part)),
            GroundFact("kind", (part, kind)),
            GroundFact("state", (part, states[part])),
        ]
    facts += [GroundFact("spares", (kind, random.randint(0, 2))) for kind in KINDS]
    facts += [GroundFact("skilled", skill) for skill in SKILLS]
    part = random.choice([part for part in kinds if states[part] != "good"] or list(kinds))
    technician = next(name for name, kind in SKILLS if kind == kinds[part])
    is_cleaned = kinds[part] == "filter" and states[part] == "worn" and random.random() < 0.6
    return [*facts, GroundFact("clean" if is_cleaned else "replace", (technician, part))]


def state_text(facts: Sequence[GroundFact]) -> str:
    """Return facts in the language, on one line."""
    atoms = (Atom(each.relation, tuple(map(Constant, each.values))) for each in facts)
    return " ".join(f"{print_condition(each)}." for each in atoms)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a table of random states."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("into", type=Path, help="the table, a Parquet file")
    parser.add_argument("--states", type=int, default=10_000, help="the number of states")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    random = Random(given.seed)
    texts = [state_text(repair_state(random)) for _ in range(given.states)]
    table = extra_module("pyarrow", "data").table({"id": list(range(given.states)), "state": texts})
    extra_module("pyarrow.parquet", "data").write_table(table, given.into)


if __name__ == "__main__":
    main()
