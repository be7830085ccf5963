"""Cost of additions to a knowledge base with many rules: a fact and a rule, as text.

The fastest of some runs counts. The existing rules are similar (`alike`), or each reads its own
relations (`different`).

Usage:

    python -m benchmarks.rules.adding > benchmarks/results/adding_rules.txt
"""

from __future__ import annotations

import platform
import time
from random import Random

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text

SIZES = (1_000, 10_000, 30_000)
REPEATED = 7
RELATIONS = 40


def theory_text() -> str:
    declared = " ".join(f"static f{n}(s, s). derived p{n}(s, s)." for n in range(RELATIONS))
    return f"theory many.\nsort s.\n{declared}\n"


def existing(rules: int, *, different: bool) -> str:
    random = Random(1)

    def number() -> int:
        return random.randrange(RELATIONS) if different else 0

    return "\n".join(
        f"r{n}: p{number()}(?x, ?z) :- f{number()}(?x, c{n}), f{number()}(?z, ?x), f{number()}(?x, ?z)."
        for n in range(rules)
    )


def fastest(base: KnowledgeBase, text: str) -> float:
    found = []
    for n in range(REPEATED):
        started = time.perf_counter()
        base.add_text(text.format(n))
        found.append(time.perf_counter() - started)
    return min(found)


def main() -> None:
    print(f"Python {platform.python_version()}; milliseconds, the fastest of {REPEATED}")
    print("rules      standing     a fact   a rule")
    for different in (False, True):
        for rules in SIZES:
            base = KnowledgeBase(load_text(theory_text()))
            base.add_text(existing(rules, different=different))
            fact = fastest(base, "f0(a, b).")
            rule = fastest(base, "q{}: p0(?x, ?y) :- f0(?y, ?x), f1(?x, ?y).")
            kind = "different" if different else "alike"
            print(f"{rules:<10} {kind:<10} {1000 * fact:>8.2f} {1000 * rule:>8.2f}")


if __name__ == "__main__":
    main()
