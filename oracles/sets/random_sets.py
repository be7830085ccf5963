"""Random theories whose actions add members to closed sets, remove them or exchange them.

A box has things. It is full if all of its things satisfy a random condition. The actions put a thing into a
box, take one out, exchange two, or only touch one. They have random conditions and side effects.
"""

from __future__ import annotations

from random import Random

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text

DECLARED = """theory made.
sort box. sort thing. sort level = low | high.
fluent in(box, thing). fluent size(box -> int) counts in.
fluent f(thing). fluent g(thing). fluent level(thing -> level). fluent open(box).
derived ok(thing). derived full(box). derived fine(box).
action put(thing, box). action take(box, thing). action swap(thing, thing, box). action touch(thing).
"""
OF_THINGS = ("f(?x)", "f(?x), g(?x)", "level(?x, high)", "level(?x, low), g(?x)")
OF_MEMBERS = (
    "ok(?x)",
    "level(?x, high)",
    "f(?x)",
    "(ok(?x), level(?x, high))",
    "(ok(?x), g(?x))",
    "(f(?x), ok(?x))",
)
OF_PUT = ("before f(?x)", "before g(?x)", "before open(?b)")
OF_TAKE = ("before g(?x)", "before open(?b)")
SIDE_EFFECTS = (
    "after g(?y) :- put(?x, ?b), before in(?b, ?y).",
    "after f(?y) :- take(?b, ?x), before in(?b, ?y), before g(?y).",
    "after f(?y) :- swap(?x, ?y, ?b).",
    "after g(?x) :- take(?b, ?x).",
    "after f(?y) :- touch(?x), before in(?b, ?x), before in(?b, ?y), before g(?y).",
)
GOALS = ("full", "fine")


class RandomSetTheory:
    """A random theory with its states."""

    def __init__(self, random: Random) -> None:
        clauses = [f"ok(?x) :- {each}." for each in random.sample(OF_THINGS, random.randint(1, 3))]
        for of_members in random.sample(OF_MEMBERS, random.choice((1, 1, 1, 2))):
            least = random.choice(("", "", ", ?n >= 1", ", ?n >= 2"))
            is_open = random.choice(("", "open(?b), "))
            clauses.append(f"full(?b) :- {is_open}size(?b, ?n){least}, all ?x in in(?b, ?x): {of_members}.")
        clauses.append("fine(?b) :- full(?b), open(?b).")
        put, take = (
            "".join(f", {each}" for each in random.sample(of, random.randint(0, 2)))
            for of in (OF_PUT, OF_TAKE)
        )
        clauses += [
            f"after in(?b, ?x) :- put(?x, ?b){put}.",
            f"after size(?b, ?k) :- put(?x, ?b){put}, before size(?b, ?n), ?k = ?n + 1.",
            f"after size(?b, ?k) :- take(?b, ?x), before in(?b, ?x){take}, before size(?b, ?n), ?k = ?n - 1.",
            f"after in(?b, ?x) :- swap(?y, ?x, ?b), before in(?b, ?y){put}.",
            *random.sample(SIDE_EFFECTS, random.randint(0, 3)),
        ]
        changing = random.sample(("put(?x, _)", "touch(?x)", "take(_, ?x)"), random.randint(0, 2))
        clauses += [f"after level(?x, high) :- {each.replace('_', '?other')}." for each in changing]
        lines = [f"clause_{number}: {each}" for number, each in enumerate(clauses)]
        unless = f" unless {'; '.join(changing)}" if changing else ""
        lines += [
            "persists in(?b, ?x) unless take(?b, ?x); swap(?x, _, ?b).",
            "persists size(?b, _) unless put(_, ?b); take(?b, _).",
            f"persists level(?x, _){unless}.",
            *(f"persists {each}(_)." for each in ("f", "g", "open")),
        ]
        self.text = DECLARED + "\n".join(lines) + "\n"
        self.theory: Theory = load_text(self.text, "made.horn")

    @staticmethod
    def state(random: Random, least: int, most: int, *, usual: bool = True) -> list[GroundFact]:
        """Return a state of two boxes with `least` to `most` members each, and an action.

        In a `usual` state, a thing that is put is not in the box, and a thing that is taken is.
        """
        boxes = {box: [f"{box}{i}" for i in range(random.randint(least, most))] for box in "ab"}
        others = [f"c{i}" for i in range(2)]
        things = [*others, *(thing for each in boxes.values() for thing in each)]
        facts = [GroundFact("size", (box, len(each)), "before") for box, each in boxes.items()]
        facts += [GroundFact("in", (box, thing), "before") for box, each in boxes.items() for thing in each]
        facts += [GroundFact("open", (box,), "before") for box in boxes if random.random() < 0.8]
        for thing in things:
            facts += [GroundFact(name, (thing,), "before") for name in "fg" if random.random() < 0.8]
            facts.append(
                GroundFact("level", (thing, random.choice(("high", "high", "high", "low"))), "before")
            )
        box = random.choice("ab")
        inside = boxes[box] if usual else things
        outside = others if usual else things
        one, other = (random.choice(each) if each else None for each in (inside, outside))
        kind = random.choice(("put", "take", "swap", "touch"))
        if one is None or kind == "put":
            return [*facts, GroundFact("put", (other, box))]
        values = {"take": (box, one), "swap": (one, other, box), "touch": (random.choice(things),)}
        return [*facts, GroundFact(kind, values[kind])]
