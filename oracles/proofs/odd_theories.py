"""Random small theories of games with replies, as unusual as the checker allows, and their states."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hornbook.kb.ast.theory import GroundFact

THINGS = ("a", "b", "any t", "any u")
"""Constants, some of which have the names of arbitrary things."""
DECLARED = """
sort thing. sort side = left | right.
static spoken_of(thing). static foe(side -> side). static near(thing, thing).
fluent f(thing). fluent good. fluent n(thing -> thing). fluent k(thing -> int).
fluent m(thing, thing). fluent ms(thing -> int) counts m. fluent of(thing -> side).
fluent r(thing, thing, side). fluent rs(thing -> int) counts r.
meta odd(thing).
action act(thing). action pair(side, thing). action put(thing, int). action rest.
derived d(thing) operational. derived e(thing, thing). derived bad(thing) operational.
derived tag(thing -> thing).
game win. game own(side).
foe(left, right). foe(right, left).
"""
COLUMNS = {
    "near": "TT", "foe": "SS", "f": "T", "good": "", "n": "TT", "k": "TN", "m": "TT", "ms": "TN", "of": "TS",
    "r": "TTS", "rs": "TN", "d": "T", "e": "TT", "bad": "T", "tag": "TT",
}  # fmt: skip
STATICS = ("near", "foe")
ACTIONS = {"act": "T", "pair": "ST", "put": "TN", "rest": ""}
CONSTANTS = {"T": ("a", "'any t'"), "S": ("left", "right"), "N": ("0", "1", "2")}


@dataclass
class OddBody:
    """A body under construction: conditions, and the existing variables, by sort."""

    random: Random
    conditions: list[str] = field(default_factory=list)
    bound: dict[str, list[str]] = field(default_factory=lambda: {"T": [], "S": [], "N": []})

    def term(self, sort: str) -> str:
        if self.bound[sort] and self.random.random() < 0.6:
            return self.random.choice(self.bound[sort])
        if self.random.random() < 0.25:
            return self.random.choice((*CONSTANTS[sort], "_"))
        name = f"?{sort.lower()}{len(self.bound[sort])}"
        self.bound[sort].append(name)
        return name

    def terms(self, columns: str) -> str:
        return f"({', '.join(map(self.term, columns))})" if columns else ""

    def statement(self, tense: str = "", names: tuple[str, ...] = tuple(COLUMNS)) -> str:
        name = self.random.choice(names)
        return f"{'' if name in STATICS else tense}{name}{self.terms(COLUMNS[name])}"

    def comparison(self) -> str:
        sort = self.random.choice([s for s in "TTSNN" if self.bound[s]] or ["T"])
        one, other = self.term(sort), self.term(sort)
        if sort == "N":
            left = self.random.choice((one, f"{one} + 1", f"{one} * 2", f"{one} - {other}"))
            operator = self.random.choice(("=", "!=", "<", ">="))
            return f"{left} {operator} {self.random.choice((other, '1', f'{other} + 1'))}"
        return f"{one} {self.random.choice(('=', '!=', '!='))} {other}"

    def fill(self, size: int, tense: str = "", names: tuple[str, ...] = tuple(COLUMNS)) -> None:
        for _ in range(size):
            kind = self.random.randrange(8)
            if kind == 0:
                self.conditions.append(self.comparison())
            elif kind == 1 and self.bound["T"]:
                key = self.random.choice(self.bound["T"])
                inner = self.random.choice(
                    (f"{tense}f(?q)", f"?q != {key}", f"{tense}n(?q, {key})", f"{tense}d(?q)")
                )
                self.conditions.append(f"all ?q in {tense}m({key}, ?q): {inner}")
            elif kind == 2 and self.bound["T"]:
                self.conditions.append(self.count(tense))
            elif kind == 3 and self.bound["T"]:
                key = self.random.choice(self.bound["T"])
                inner = self.random.choice((f"{tense}of(?q, ?w)", f"?q != {key}", f"{tense}m({key}, ?q)"))
                self.conditions.append(f"all ?q, ?w in {tense}r({key}, ?q, ?w): {inner}")
            else:
                self.conditions.append(self.statement(tense, names))

    def count(self, tense: str) -> str:
        """Return a count over closed sets, sometimes with an exclusion."""
        one, other = self.random.choice(self.bound["T"]), self.random.choice(self.bound["T"])
        sets = self.random.choice((f"{tense}m({one}, ?q)", f"({tense}m({one}, ?q) or {tense}m({other}, ?q))"))
        less = f" but {self.random.choice((other, one, 'a'))}" if self.random.random() < 0.4 else ""
        result = self.random.choice((*self.bound["N"], "1", "?count"))
        return f"{result} = count ?q in {sets}{less}"

    def action(self) -> str:
        name = self.random.choice(list(ACTIONS))
        return name + self.terms(ACTIONS[name])

    def head(self, name: str) -> str:
        columns = COLUMNS[name]
        terms = [self.random.choice((*self.bound[c], CONSTANTS[c][0])) for c in columns]
        return f"{name}({', '.join(terms)})" if terms else name

    def game(self) -> str:
        return (
            "win" if self.random.random() < 0.6 else f"own({self.random.choice((*self.bound['S'], 'left'))})"
        )


def _rule(random: Random) -> str:
    body = OddBody(random)
    kind = random.randrange(8)
    if kind == 0:
        body.fill(random.randint(1, 3))
        return f"{body.head(random.choice(('d', 'e', 'bad', 'tag')))} :- {', '.join(body.conditions)}."
    if kind == 1:
        first = body.action() if random.random() < 0.6 else "good"
        body.fill(random.randint(1, 2), "before ")
        name = random.choice(("d", "e", "bad", "tag", "f"))
        head, tense = body.head(name), "before " if first == "good" else ""
        return f"before {head} :- {tense}{first}, {', '.join(body.conditions)}."
    if kind in (2, 3, 4):
        action = body.action()
        body.fill(random.randint(1, 3), "before ")
        name = random.choice(("good", "f", "n", "k", "e", "m", "ms"))
        return f"after {body.head(name)} :- {action}, {', '.join(body.conditions)}."
    if kind == 5:
        body.fill(random.randint(1, 3))
        return f"{body.game()} is {random.choice(('GI', 'GI', 'IG', 'GP'))} :- {', '.join(body.conditions)}."
    if kind == 6:
        action = body.action()
        body.fill(random.randint(1, 3))
        return f"{body.game()} by {action} is GI :- {', '.join(body.conditions)}."
    action, game = body.action(), body.game()
    body.fill(random.randint(0, 2), "before ")
    more = "".join(f", {c}" for c in body.conditions)
    after = random.choice((f"{game} is GI", "good"))
    return f"before {game} by {action} is GI :- {action}{more}, after {after}."


def _replies(random: Random) -> str:
    cases = []
    own = random.random() < 0.4
    for _ in range(random.randint(1, 3)):
        body = OddBody(random)
        if own:
            body.bound["S"].append("?s0")
        parts = [body.action()]
        for _ in range(random.randint(0, 3)):
            parts.append(body.comparison() if random.random() < 0.3 else body.statement())
        unless = f" unless {body.head(random.choice(('bad', 'd')))}" if random.random() < 0.3 else ""
        cases.append(", ".join(parts) + unless)
    if random.random() < 0.5:
        cases.append("rest")
    return f"replies {'own(?s0)' if own else 'win'}: {'; '.join(cases)}."


def theory_text(random: Random) -> str:
    rows = [DECLARED]
    if random.random() < 0.8:
        rows.append("keeps: after good :- act(_), before good. rests: after good :- rest, before good.")
    if random.random() < 0.8:
        rows.append("after win is GI :- after good. after own(left) is GI :- after good.")
    rows += [_rule(random) for _ in range(random.randint(1, 6))]
    if random.random() < 0.3:
        rows.append(
            "odd(?t) :- f(?t), absent m(?t, _). odd(?t) :- k(?t, ?n), ?n > 0, ?n = count ?q where n(?q, ?t)."
        )
    return "\n".join((*rows, _replies(random)))


def state(random: Random) -> list[GroundFact]:
    things = THINGS[: random.randint(2, 4)]
    facts = [GroundFact("spoken_of", (t,)) for t in things] + [GroundFact("good", ())]
    facts += [GroundFact("f", (t,)) for t in things if random.random() < 0.6]
    for name in ("near", "e"):
        facts += [
            GroundFact(name, (s, t))
            for s in things
            for t in things
            if random.random() < 0.4 and name == "near"
        ]
    for thing in things:
        members = [t for t in things if random.random() < 0.4]
        facts += [GroundFact("m", (thing, t)) for t in members] + [GroundFact("ms", (thing, len(members)))]
        pairs = [(t, side) for t in things for side in ("left", "right") if random.random() < 0.2]
        facts += [GroundFact("r", (thing, *pair)) for pair in pairs] + [GroundFact("rs", (thing, len(pairs)))]
        facts.append(GroundFact("n", (thing, random.choice(things))))
        facts.append(GroundFact("k", (thing, random.randint(0, 2))))
        facts.append(GroundFact("of", (thing, random.choice(("left", "right")))))
    return facts


def action(random: Random) -> GroundFact:
    name = random.choice(list(ACTIONS))
    values = {"T": THINGS[:2], "S": ("left", "right"), "N": (0, 1, 2)}
    return GroundFact(name, tuple(random.choice(values[c]) for c in ACTIONS[name]))
