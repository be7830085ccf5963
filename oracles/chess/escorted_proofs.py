"""Proofs that the boxes of `escorted` are won: answers are read off the points, and the checker judges.

The first boxes are the basis of all others: the pawn has just been promoted. Then each box gets a
rule `win is IG :- …`. Each move of the lone king is answered by a rule `win by … is GI`, with a move that
leads into an earlier box. If no single answer suits all points, the proof splits cases as in
`lone_king_proofs`. All proofs here are proposals: only certificates that the checker accepts count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from hornbook.compiler.checker.certificate import CaseProof, Inversion, Leaf, ProofStep
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.kb.ast.terms import Atom, Comparison, Constant, GameStatement, Tense, Term, Variable
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from oracles.chess.escorted import MOVES, EndingPoints, Move, PointBox, fled, moved
from oracles.chess.king_and_pawn import (
    APART,
    BARRED,
    FLEEING,
    GOING,
    MEN,
    OFF,
    ON_BOARD,
    PUSHING,
    WORDS,
    UnansweredMoveError,
    best_cut,
    conditions,
    differences,
    fact_of,
    men_at,
    needed,
    where,
)
from oracles.chess.lone_king import ALL, STEPS, Mask, Points, numbers
from oracles.chess.lone_king_proofs import Proofs

GUARDED = [
    ("guarded_by_files", ("?u - ?p >= 2",)),
    ("guarded_by_files", ("?p - ?u >= 2",)),
    ("guarded_by_ranks", ("?v - ?r >= 2",)),
    ("guarded_by_ranks", ("?r - ?v >= 2",)),
    ("guarded_by_the_escort", ("abs(?x - ?p) <= 1", "abs(?y - ?r) <= 1")),
]
CHECKED = [
    ("checked_on_the_last_rank", ("?v = 8", "?y <= 7")),
    ("checked_on_the_file", ("?u = ?p", "?x - ?p >= 1")),
    ("checked_on_the_file", ("?u = ?p", "?p - ?x >= 1")),
]
BARS = [
    *((rule, text) for rule, text in BARRED.items() if rule != "barred_by_the_pawn"),
    ("barred_by_the_pawn", "?u + {a} - ?p = 1, ?v + {b} = ?r + 1"),
    ("barred_by_the_pawn", "?p - ?u - {a} = 1, ?v + {b} = ?r + 1"),
]
APART_FROM = ("{s} - {p} >= 1", "{p} - {s} >= 1", "{t} - {r} >= 1", "{r} - {t} >= 1")
"""Conditions that separate a king from a square, one for each side of the square.

A rule requires one side, so no box depends on a condition that holds on either side.
"""
GOES = {
    "goes_east_of_the_other": "{s} - ?u >= 2",
    "goes_west_of_the_other": "?u - {s} >= 2",
    "goes_ahead_of_the_other": "{t} - ?v >= 2",
    "goes_behind_the_other": "?v - {t} >= 2",
}
"""The theory's rules for moving to a square, with the conditions of each besides the common ones."""

RESTED = ("it_rests_though_it_has_a_step", ())
NEIGHBOURS = {"x": {1: "e", -1: "w"}, "y": {1: "n", -1: "s"}}
"""Names of the neighbouring files and ranks of the escort."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A move of the pawn's side into a box, with the rule by which its king can go there.

    None for a pawn's move.
    """

    move: Move
    box: str
    by: str | None
    sides: tuple[str, ...] = ()
    """The sides on which the kings stand of forbidden squares, if the box does not determine them."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The rule that keeps the lone king from stepping onto a square."""

    rule: str


@dataclass(frozen=True, slots=True)
class Given:
    """A rule of the theory, with bindings of the variables that occur in no fact."""

    rules: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]


Answer = Lead | Bar | Given


@dataclass(frozen=True, slots=True)
class PointSplit:
    """A case distinction: points at which a word is at most a limit, and the other points."""

    word: str
    limit: int
    low: Answer | PointSplit
    high: Answer | PointSplit


Plan = Answer | PointSplit


def _there(text: str, **to: str) -> str:
    return re.sub(r"\?([a-z])\b", lambda found: to.get(found[1], found[0]), text)


def _by(name: str, number: int) -> str:
    return f"?{name}" if number == 0 else f"(?{name} {'+' if number > 0 else '-'} {abs(number)})"


def _conditions_of_steps(texts: Mapping[str, str], step: tuple[int, int]) -> dict[str, list[str]]:
    """Return the conditions that the rules of a table state for a step of the lone king."""
    u, v = _by("u", step[0]), _by("v", step[1])
    return {rule: text.format(u=u, v=v).split(", ") for rule, text in texts.items()}


def promotions() -> Iterator[tuple[str, list[str], Given]]:
    """Yield boxes that are won at once with the pawn on the last rank: name, conditions, and the theory's
    rules.
    """
    for place, ((guard, first), (check, second)) in enumerate(product(GUARDED, CHECKED)):
        yield f"promoted_with_check_{place + 1}", [*first, *second], Given(((guard, ()), (check, ())))
    rooks = product(GUARDED, STEPS, APART.items(), ("{u} - ?p >= 1", "?p - {u} >= 1"))
    for place, ((guard, first), (a, b), (apart, text), side) in enumerate(rooks):
        u, v = _by("u", a), _by("v", b)
        required = [*first, text.format(u=u, v=v), side.format(u=u)]
        required += [f"{u} >= 1", f"{u} <= 8", f"{v} >= 1", f"{v} <= 7"]
        given = (("a", a), ("b", b))
        rules = ((guard, ()), (apart, given), ("a_step_is_left_by_the_rook", given))
        yield f"promoted_{place + 1}", required, Given(rules)


def of_conditions(required: Sequence[str], points: Points) -> Mask:
    """Return the points that satisfy conditions."""
    return where([c for text in required for c in conditions(text)], points)


class BoxProver:
    """A prover of one box after another; each may use the earlier ones."""

    def __init__(self, theory: Theory) -> None:
        self.proofs = Proofs(theory)
        self.board = EndingPoints()
        self.required: dict[str, list[str]] = {}
        self.points: dict[str, Mask] = {}
        self._boxes = np.zeros((ALL.shape[1], 0), dtype=np.uint8)
        """The boxes that contain each point, one bit for each box in order."""
        self._plans: dict[PointBox, list[Plan]] = {}
        """Plans for boxes that were examined since the last proof."""
        self._known_sides: dict[tuple[Move, str], list[tuple[str, ...]]] = {}
        self.led = np.zeros(ALL.shape[1], dtype=bool)
        """The points, with the pawn's side to move, at which a rule states a winning move."""

    def know(self, entries: Iterable[RuleEntry]) -> None:
        """Add rules without asking the checker, to continue from them."""
        _, r, x, y, _, _ = ALL.astype(int)
        neighbours = {"e": x + 1, "w": x - 1, "n": y + 1, "s": y - 1, "o": r + 1}
        for entry in entries:
            rule, proof = entry.rule, entry.certificate
            assert proof is not None
            self.proofs.entries.append(entry)
            self.proofs.lemmas[rule.name] = Lemma.of(rule, proof)
            comparisons = [each for each in rule.body if isinstance(each, Comparison)]
            if isinstance(rule.head, GameStatement) and rule.head.by is None:
                self._holds(rule.name, [print_condition(each) for each in comparisons])
            elif isinstance(rule.head, GameStatement):
                self.led |= where(comparisons, ALL, **neighbours)

    # Boxes

    def promote(self, least: int) -> None:
        """Prove boxes with a promoted pawn while one adds at least `least` points that a push reaches."""
        can, after = self.board.moves[MOVES.index(("push", 1, 0))]
        left = np.zeros(ALL.shape[1], dtype=bool)
        left[after[can & (ALL[1] == 7)]] = True
        known = [
            (name, required, given, left & of_conditions(required, ALL))
            for name, required, given in promotions()
        ]
        while True:
            name, required, given, points = max(known, key=lambda each: int((each[3] & left).sum()))
            if int((points & left).sum()) < least:
                return
            left &= ~points
            required = needed(["?r = 8", *(each for each in ON_BOARD if "?r" not in each), *required])
            facts = men_at("before")
            steps = [
                self.proofs.step(rule, "before", facts, {n: Constant(k) for n, k in terms})
                for rule, terms in given.rules
            ]
            steps.append(self.proofs.step("promoted", "before", facts))
            self._add(name, required, steps)

    def _add(self, name: str, required: list[str], steps: Sequence[ProofStep] = (), **proof: object) -> None:
        self.proofs.add(
            f"{name}:\n  win is IG :- {', '.join((*map(fact_of, MEN), *required))}.", steps, **proof
        )
        self._holds(name, required)

    def _holds(self, name: str, required: list[str]) -> None:
        self.required[name] = required
        place = len(self.points)
        self.points[name] = of_conditions(required, ALL)
        if place % 8 == 0:
            self._boxes = np.hstack([self._boxes, np.zeros((ALL.shape[1], 1), dtype=np.uint8)])
        self._boxes[:, place // 8] |= self.points[name].astype(np.uint8) << (place % 8)
        self._plans.clear()

    def cases(self, box: PointBox) -> int | None:
        """Return the number of cases in a proof that a box is won, or None if there is no proof."""
        if box not in self._plans:
            points = ALL[:, box.of(self.board.words)]
            try:
                self._plans[box] = [self.plan(points, answers) for answers in self._answers(points)]
            except UnansweredMoveError:
                return None
        return sum(map(cases_of, self._plans[box]))

    def win(self, name: str, box: PointBox) -> None:
        """Prove that a box is won. Raise UnprovedError if that fails."""
        required = needed([*box.conditions(), *ON_BOARD])
        if self.cases(box) is None:
            raise UnansweredMoveError("no answer")
        replies = [self._reply(plan, place) for place, plan in enumerate(self._plans[box])]
        self._add(name, required, replies=replies, opening=(0, ()))

    # Plans

    def _answers(self, points: Points) -> Iterator[Iterable[tuple[Mask, Answer]]]:
        """Yield, for each reply of the clause, answers with masks of the points that they suit."""
        yield self._steps_left(points)
        yield ((of_conditions(required, points), Given(((rule, ()),))) for rule, required in GUARDED)
        for step in STEPS:
            yield self._to_flight(points, step)

    def _steps_left(self, points: Points) -> Iterator[tuple[Mask, Answer]]:
        for a, b in STEPS:
            can, _ = fled(points, (a, b))
            given = (("a", a), ("b", b))
            off = {n: of_conditions(c, points) for n, c in _conditions_of_steps(OFF, (a, b)).items()}
            for first, required in _conditions_of_steps(APART, (a, b)).items():
                one = can & of_conditions(required, points)
                for second, other in off.items():
                    yield (
                        one & other,
                        Given(((first, given), (second, given), ("a_step_is_left", given), RESTED)),
                    )

    def _to_flight(self, points: Points, step: tuple[int, int]) -> Iterator[tuple[Mask, Answer]]:
        for rule, text in BARS:
            yield of_conditions(text.format(a=step[0], b=step[1]).split(", "), points), Bar(rule)
        on_board, after = fled(points, step)
        for move, can, then in moved(after):
            at = numbers(then)
            leads = can & on_board & (at >= 0)
            if not leads.any():
                continue
            for box, there in self._into(leads, at):
                for sides, by in self._ways(move, box):
                    lead = Lead(move, box, by, sides)
                    yield there & of_conditions(_conditions_of(lead), after), lead

    def _into(self, leads: Mask, at: NDArray[np.int64]) -> Iterator[tuple[str, Mask]]:
        """Yield few boxes that together hold all won successors.

        Boxes that hold most of the rest come first.
        """
        places = np.flatnonzero(leads)
        rows = self._boxes[at[places]]
        columns = np.flatnonzero(np.bitwise_or.reduce(rows, axis=0))
        contained = np.unpackbits(rows[:, columns], axis=1, bitorder="little").astype(bool)
        left, names = contained.any(1), list(self.points)
        while left.any():
            most = int(contained[left].sum(0).argmax())
            there = np.zeros(len(leads), dtype=bool)
            there[places] = contained[:, most]
            yield names[8 * int(columns[most // 8]) + most % 8], there
            left &= ~contained[:, most]

    def _sides(self, move: Move, box: str) -> list[tuple[str, ...]]:
        """Return the alternative sides that a move into a box requires.

        Empty if the box implies them everywhere.
        """
        if (move, box) not in self._known_sides:
            p, r, x, y, u, v = ALL[:, self.points[box]]
            ways: list[list[str]] = []
            if move[0] == "go":
                if ((x == p) & (y == r)).any():
                    s, t = _by("x", move[1]), _by("y", move[2])
                    ways = [[each.format(s=s, t=t, p="?p", r="?r") for each in APART_FROM]]
            else:
                for n in range(move[1]):
                    for (s, t), (files, ranks) in {("x", "y"): (x, y), ("u", "v"): (u, v)}.items():
                        if ((files == p) & (ranks == r - n)).any():
                            rank = _by("r", move[1] - n)
                            square = {"s": f"?{s}", "t": f"?{t}", "p": "?p", "r": rank}
                            ways.append([each.format(**square) for each in APART_FROM])
            self._known_sides[move, box] = list(product(*ways))
        return self._known_sides[move, box]

    def plan(self, points: Points, answers: Iterable[tuple[Mask, Answer]]) -> Plan:
        """Return a plan of answers for points, with case distinctions.

        Raise UnprovedError if no answer suits a point.
        """
        found = [(suits, answer) for suits, answer in answers if suits.any()]
        if not found:
            raise UnansweredMoveError("no answer")
        suiting = np.stack([suits for suits, _ in found], axis=1)
        return self._plan(suiting, [answer for _, answer in found], differences(points))

    def _plan(self, suiting: Mask, answers: Sequence[Answer], words: Points) -> Plan:
        if not suiting.any(1).all():
            raise UnansweredMoveError("no answer")
        whole = [answers[int(i)] for i in np.flatnonzero(suiting.all(0))]
        if whole:
            return next((a for a in whole if not isinstance(a, Lead) or self._is_known(a)), whole[0])
        best = best_cut(suiting, words)
        assert best is not None, "equal points have the same answers"
        word, limit = best
        is_low = words[word] <= limit
        low_plan, high_plan = (self._plan(suiting[m], answers, words[:, m]) for m in (is_low, ~is_low))
        return PointSplit(list(WORDS)[word], limit, low_plan, high_plan)

    # Certificates

    def _reply(self, plan: Plan, place: int) -> CaseProof:
        """Return the proof for a reply, by its place in the clause.

        The positions of all men after it are stated once for all cases.
        """
        proof = self._case(plan, place)
        if not has_lead(plan):
            return proof
        facts, (m, n) = self._fled(place), (_replied("g"), _replied("h"))
        steps = tuple(self.proofs.step(each, None, facts, {"m": m, "n": n}) for each in FLEEING)
        return replace(proof, steps=(*steps, *proof.steps))

    def _fled(self, place: int) -> dict[tuple[str, Tense | None], Sequence[Term]]:
        """Return the positions of the men before and after a step of the lone king."""
        facts = men_at("before")
        facts |= {("flee", None): tuple(map(Constant, STEPS[place - 2]))}
        facts |= {(man, "after"): facts[man, "before"] for man in ("pawn", "escort")}
        return facts | {("alone", "after"): (_replied("g"), _replied("h"))}

    def _case(self, plan: Plan, place: int) -> CaseProof:
        """Return the proof for a reply in one case."""
        positions, step_of = men_at("before"), self.proofs.step
        if isinstance(plan, PointSplit):
            name = self.proofs.prove_split(plan.word, plan.limit)
            cases = (self._case(plan.low, place), self._case(plan.high, place))
            split = Atom(plan.word, (Constant(plan.limit),), None)
            return Inversion(split, "before", cases, (step_of(name, "before", positions),))
        if isinstance(plan, Given):
            return Leaf(
                tuple(
                    step_of(
                        rule,
                        None if rule == RESTED[0] else "before",
                        positions,
                        {n: Constant(k) for n, k in terms},
                    )
                    for rule, terms in plan.rules
                )
            )
        a, b = map(Constant, STEPS[place - 2])
        if isinstance(plan, Bar):
            return Leaf((step_of(plan.rule, "before", positions, {"a": a, "b": b}),))
        won, facts = self.lead(plan), self._fled(place)
        names = {name: _replied(name) for name in "ewnso"}
        enough = "a_step_is_enough" if plan.move[0] == "go" else "a_push_is_enough"
        steps = [step_of(won, "after", facts, names)]
        if plan.move[0] == "go":
            by = zip("xy", plan.move[1:], strict=True)
            to: tuple[Term, ...] = tuple(names[NEIGHBOURS[c][k]] if k else Variable(c) for c, k in by)
        else:
            to = (Constant(plan.move[1]),)
        steps.append(step_of(enough, "after", {(plan.move[0], None): to}))
        return Leaf(tuple(steps))

    def _name(self, lead: Lead) -> str:
        move, way = MOVES.index(lead.move), self._ways(lead.move, lead.box).index((lead.sides, lead.by))
        return f"{lead.move[0]}_{move + 1}_to_{lead.box}_{way + 1}"

    def _ways(self, move: Move, box: str) -> list[tuple[tuple[str, ...], str | None]]:
        """Return the sides, and the rule for a king's move, that a move into a box may need."""
        return list(product(self._sides(move, box), GOES if move[0] == "go" else [None]))

    def _is_known(self, lead: Lead) -> bool:
        return self._name(lead) in self.proofs.lemmas

    def lead(self, lead: Lead) -> str:
        """Prove the rule that a move wins and return its name. Raise UnprovedError if that fails."""
        name = self._name(lead)
        if self._is_known(lead):
            return name
        (kind, a, b), facts = lead.move, men_at("before")
        facts |= {(man, "after"): facts[man, "before"] for man in MEN}
        ends: dict[str, Tense | None]
        if kind == "go":
            assert lead.by is not None
            s, equations_s = _neighbour("x", a)
            t, equations_t = _neighbour("y", b)
            equations = [*equations_s, *equations_t]
            required = [_there(each, x=s, y=t) for each in self.required[lead.box]]
            required += [GOES[lead.by].format(s=s, t=t), "?r <= 7", *lead.sides]
            required += [each for each in ON_BOARD if each[1] in "xy"]
            to = (Variable(s[1:]), Variable(t[1:]))
            facts |= {("go", None): to, ("escort", "after"): to}
            head, rules, ends = f"go({s}, {t})", GOING, {lead.by: None}
            given: dict[str, Term] = {"s": to[0], "t": to[1]}
        else:
            equations = [f"?o = ?r + {a}"] if a == 1 else ["?r = 2"]
            o = "?o" if a == 1 else "4"
            required = [_there(each, r=o) for each in self.required[lead.box]]
            required += lead.sides
            required += ["?r <= 7"] if a == 1 else []
            there = Variable("o") if a == 1 else Constant(4)
            facts |= {("push", None): (Constant(a),), ("pawn", "after"): (Variable("p"), there)}
            head, rules = f"push({a})", PUSHING
            ends = {"pushes_once" if a == 1 else "pushes_twice": "before", "won_by_a_push": None}
            given = {"o": there}
        steps = [self.proofs.step(each, None, facts, given) for each in rules]
        steps.append(self.proofs.step(lead.box, "after", facts))
        steps += [self.proofs.step(rule, moment, facts, given) for rule, moment in ends.items()]
        body = ", ".join((*map(fact_of, MEN), *needed([*equations, *required])))
        self.proofs.add(f"{name}:\n  win by {head} is GI :- {body}.", steps)
        can, after = self.board.moves[MOVES.index(lead.move)]
        places = np.flatnonzero(can & self.points[lead.box][after])
        self.led[places[of_conditions(_conditions_of(lead), ALL[:, places])]] = True
        return name

    # All positions

    def rules(self) -> RuleBase:
        """Return all proved rules."""
        return rule_base(self.proofs.theory.name, self.proofs.entries)

    def won(self) -> Mask:
        """Return the points of all boxes, with the lone king to move."""
        found: Mask = np.any(list(self.points.values()), axis=0)
        return found

    def cover(self, chosen_by: Mask, least: int) -> None:
        """Prove more rules on moves while one adds at least `least` of the positions in `chosen_by`."""
        places = np.flatnonzero(chosen_by & ~self.led)
        adding: dict[Lead, NDArray[np.int64]] = {}
        for move, (can, after) in zip(MOVES, self.board.moves, strict=True):
            from_here = places[can[places]]
            for box, won in self.points.items():
                into = from_here[won[after[from_here]]]
                if len(into) < least:
                    continue
                for sides, by in self._ways(move, box):
                    lead = Lead(move, box, by, sides)
                    adding[lead] = into[of_conditions(_conditions_of(lead), ALL[:, into])]
        while adding:
            lead = max(adding, key=lambda each: len(adding[each]))
            if len(adding[lead]) < least:
                return
            left = adding[lead][~self.led[adding[lead]]]
            if len(left) < len(adding[lead]):
                adding[lead] = left
                continue
            del adding[lead]
            self.lead(lead)


def _conditions_of(lead: Lead) -> list[str]:
    """Return the conditions of a rule that a move wins by leading into a box."""
    required = list(lead.sides)
    if lead.by is not None:
        required.append(GOES[lead.by].format(s=_by("x", lead.move[1]), t=_by("y", lead.move[2])))
    return required


def cases_of(plan: Plan) -> int:
    """Return the number of cases in a plan."""
    return cases_of(plan.low) + cases_of(plan.high) if isinstance(plan, PointSplit) else 1


def has_lead(plan: Plan) -> bool:
    """Return whether some case of a plan has a move of the pawn's side."""
    if isinstance(plan, PointSplit):
        return has_lead(plan.low) or has_lead(plan.high)
    return isinstance(plan, Lead)


def _neighbour(name: str, by: int) -> tuple[str, list[str]]:
    """Return the name of a coordinate of the escort after a step, and the conditions that define it."""
    if by == 0:
        return f"?{name}", []
    new = NEIGHBOURS[name][by]
    return f"?{new}", [f"?{new} = ?{name} {'+' if by > 0 else '-'} 1"]


def _replied(name: str) -> Variable:
    return Variable(f"{name}^")
