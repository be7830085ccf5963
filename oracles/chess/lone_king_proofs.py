"""Proofs that `held` of the theory `lone_king` is an invariant: answers are read off the points, and the
checker judges.

Each clause of `held` gets a rule `hold is IG :- …` with its conditions. Each move of the side with the pawn
is answered by a capture, a stalemate, or a step to where another clause holds, for which a rule states `hold
by flee(…) is GI`. If no single answer suits all points, the proof distinguishes cases by one coordinate, or
by the distance of two men. The theory concludes both cases of such a word (`file_of_pawn`, …), and a rule
states that one of them holds. All proofs here are proposals: only certificates that the checker accepts
count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hornbook.compiler.checker.certificate import CaseProof, Inversion, Leaf, ProofStep, Split
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    GameStatement,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    shared_variables,
)
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.syntax import parse
from oracles.chess.king_and_pawn import (
    APART,
    BARRED,
    FLEEING,
    GOING,
    LEAST,
    MEN,
    MOST,
    OFF,
    ON_BOARD,
    PUSHING,
    WORDS,
    Facts,
    UnansweredMoveError,
    best_cut,
    conditions,
    differences,
    fact_of,
    men_at,
    needed,
    where,
)
from oracles.chess.lone_king import (
    ALL,
    FIRST,
    STEPS,
    Mask,
    Points,
    flights,
    numbers,
    pushes,
    stalemates,
    takes,
)

NEIGHBOURS = {
    "u": {1: ("e", "?e = ?u + 1"), -1: ("w", "?w = ?u - 1")},
    "v": {1: ("n", "?n = ?v + 1"), -1: ("s", "?s = ?v - 1")},
}
"""The files and ranks next to the lone king, by the variables of rules, and the conditions that define them.
"""

TAKING = {
    "the_pawn_is_taken_escort_in_the_east": "?x - ?p >= 2",
    "the_pawn_is_taken_escort_in_the_west": "?p - ?x >= 2",
    "the_pawn_is_taken_escort_ahead": "?y - ?r >= 2",
    "the_pawn_is_taken_escort_behind": "?r - ?y >= 2",
}
HINDERED = {
    "hindered_in_the_west": "?x + {a} < 1",
    "hindered_in_the_east": "?x + {a} > 8",
    "hindered_below": "?y + {b} < 1",
    "hindered_above": "?y + {b} > 8",
    "hindered_by_the_other": "abs(?x + {a} - ?u) <= 1, abs(?y + {b} - ?v) <= 1",
    "hindered_by_the_pawn": "?x + {a} = ?p, ?y + {b} = ?r",
}
"""The theory's rules for steps of the escort that are impossible, with their conditions."""
OBSTRUCTED = {
    "obstructed_by_its_king": "?x = ?p, ?y > ?r, ?y - ?r <= {n}",
    "obstructed_by_the_other": "?u = ?p, ?v > ?r, ?v - ?r <= {n}",
}
"""The theory's rules for a pawn that cannot be pushed by a number of ranks, with their conditions."""
UNSTRUCK = "?r <= 7, abs(abs(?u - ?p) - 1) + abs(?v - ?r - 1) >= 1"

# Answers


@dataclass(frozen=True, slots=True)
class RuleUse:
    """A rule that is applied after a move, with bindings of the variables that occur in no fact."""

    rule: str
    given: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Flight:
    """A step of the lone king to where a clause holds, and the rules for this step."""

    clause: str
    step: tuple[int, int]
    apart: str
    off: str


@dataclass(frozen=True, slots=True)
class Impossible:
    """A rule that the move is impossible, so that no answer is needed, and the bindings of its variables."""

    rule: str
    given: tuple[tuple[str, int], ...]


Answer = tuple[RuleUse, ...] | Flight | Impossible


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """A case distinction: points at which a word is at most a limit, and the other points."""

    word: str
    limit: int
    low: Answer | CaseSplit
    high: Answer | CaseSplit


Plan = Answer | CaseSplit


def _steps_away(text: str, step: tuple[int, int]) -> str:
    u, v = (f"(?{c} + {by})" if by else f"?{c}" for c, by in zip("uv", step, strict=True))
    return text.format(u=u, v=v)


class LoneKingPlanner:
    """A search for the answers that suit points, for some clauses of `held`."""

    def __init__(self, clauses: Mapping[str, Mask]) -> None:
        self.clauses = clauses
        self.flights: dict[Flight, None] = {}
        """The flights that plans use, in the order of their first use."""

    def answers(self, points: Points) -> Iterator[tuple[Mask, Answer]]:
        """Yield each answer of the lone king, to move, with a mask of the points that it suits."""
        can_take = takes(points)
        for rule, required in TAKING.items():
            yield can_take & where(conditions(required), points), (RuleUse(rule),)
        yield from self._stalemates(points)
        yield from self._flights(points)

    def _flights(self, points: Points) -> Iterator[tuple[Mask, Flight]]:
        for step in STEPS:
            can, after = flights(points, step)
            if not can.any():
                continue
            at = np.maximum(numbers(after), 0)
            apart = {n: where(conditions(_steps_away(c, step)), points) for n, c in APART.items()}
            off = {n: where(conditions(_steps_away(c, step)), points) for n, c in OFF.items()}
            for clause, there in self._into(can, at):
                for first, one in apart.items():
                    for second, other in off.items():
                        yield there & one & other, Flight(clause, step, first, second)

    def _into(self, can: Mask, at: NDArray[np.int64]) -> Iterator[tuple[str, Mask]]:
        """Yield few clauses that together hold at all held successors.

        Clauses that hold at most of the rest come first.
        """
        found = {clause: can & region[at] for clause, region in self.clauses.items()}
        left = np.any(list(found.values()), axis=0)
        while left.any():
            clause = max(found, key=lambda each: int((found[each] & left).sum()))
            yield clause, found[clause]
            left &= ~found[clause]

    def _stalemates(self, points: Points) -> Iterator[tuple[Mask, Answer]]:
        stuck = where(conditions(UNSTRUCK), points)
        reasons = []
        for a, b in STEPS:
            why = [where(conditions(text.format(a=a, b=b)), points) for text in BARRED.values()]
            reasons.append(np.argmax(why, axis=0))
            stuck &= np.any(why, axis=0)
        names = list(BARRED)
        for found in {tuple(each) for each in np.array(reasons)[:, stuck].T.tolist()}:
            suits = stuck & (np.array(reasons) == np.array(found)[:, None]).all(0)
            barred = (RuleUse(names[i], (("a", a), ("b", b))) for i, (a, b) in zip(found, STEPS, strict=True))
            yield suits, (*barred, RuleUse("stalemate"))

    def plan(self, before: Points, after: Points, barring: Mapping[Impossible, str]) -> Plan:
        """Return answers after a move, with cases distinguished before it.

        `barring` has the rules by which the move is impossible, with their conditions. Raise
        UnansweredMoveError if there is no answer.
        """
        every: list[tuple[Mask, Answer]] = [
            (where(conditions(text), before), rule) for rule, text in barring.items()
        ]
        found = [(suits, answer) for suits, answer in (*every, *self.answers(after)) if suits.any()]
        if not found:
            raise UnansweredMoveError("no answer")
        suiting = np.stack([suits for suits, _ in found], axis=1)
        return self._plan(suiting, [answer for _, answer in found], differences(before))

    def _plan(self, suiting: Mask, answers: Sequence[Answer], words: Points) -> Plan:
        if not suiting.any(1).all():
            raise UnansweredMoveError("no answer")
        answer = self._answer(suiting, answers)
        if answer is not None:
            return answer
        best = best_cut(suiting, words)
        assert best is not None, "equal points have the same answers"
        word, limit = best
        is_low = words[word] <= limit
        low, high = (self._plan(suiting[m], answers, words[:, m]) for m in (is_low, ~is_low))
        return CaseSplit(list(WORDS)[word], limit, low, high)

    def _answer(self, suiting: Mask, answers: Sequence[Answer]) -> Answer | None:
        """Return an answer that suits all points, or None; answers that plans already use are preferred."""
        whole = [answers[i] for i in np.flatnonzero(suiting.all(0))]
        if not whole:
            return None
        best = next((a for a in whole if not isinstance(a, Flight) or a in self.flights), whole[0])
        if isinstance(best, Flight):
            self.flights.setdefault(best)
        return best

    def plans(self, clause: str) -> list[Plan | None]:
        """Return a plan for each alternative of the replies except the first, in order.

        None for impossible ones.
        """
        points = ALL[:, self.clauses[clause]]
        found: list[Plan | None] = []
        for a, b in STEPS:
            after = points.copy()
            after[2] += a
            after[3] += b
            barring = {
                Impossible(rule, (("a", a), ("b", b))): text.format(a=a, b=b)
                for rule, text in HINDERED.items()
            }
            found.append(self.plan(points, after, barring))
        for ranks in (1, 2):
            can, after = pushes(points, ranks)
            barring = {
                Impossible(rule, (("n", ranks),)): text.format(n=ranks) for rule, text in OBSTRUCTED.items()
            }
            found.append(self.plan(points[:, can], after[:, can], barring) if can.any() else None)
        return found

    def cover(self, examples: Mask, least: int) -> None:
        """Use more flights, each of which answers at least `least` more examples."""
        left = examples.copy()
        for suits, flight in self._flights(ALL):
            if int((suits & left).sum()) >= least:
                self.flights.setdefault(flight)
                left &= ~suits


# Certificates


@dataclass(slots=True)
class Proofs:
    """Rules with their certificates; the checker accepts each before the next one starts."""

    theory: Theory
    entries: list[RuleEntry] = field(default_factory=list)
    lemmas: dict[str, Lemma] = field(default_factory=dict)
    seen: dict[Flight, str] = field(default_factory=dict)
    rules: dict[str, Rule] = field(init=False)

    def __post_init__(self) -> None:
        self.rules = {rule.name: rule for rule in self.theory.rules}

    def add(self, text: str, steps: Sequence[ProofStep] = (), **proof: object) -> None:
        rule = parse(text).clauses[0]
        assert isinstance(rule, Rule)
        certificate = certificate_of(rule, steps, self.theory, self.lemmas, **proof)  # type: ignore[arg-type]
        try:
            verify(rule, certificate, self.theory, self.lemmas)
        except RejectedError as problem:
            raise UnansweredMoveError(f"{rule.name}: {problem}") from None
        self.lemmas[rule.name] = Lemma.of(rule, certificate)
        self.entries.append(RuleEntry(rule, certificate, None))

    # Words that tell apart

    def prove_split(self, word: str, limit: int) -> str:
        """Prove that one of a word's two cases holds, and return the rule's name."""
        name = f"{word}_{str(limit).replace('-', 'minus_')}"
        if name not in self.lemmas:
            of = WORDS[word]
            men = dict.fromkeys(man for c in of for man, both in MEN.items() if c in both)
            facts = [fact_of(man) for man in men]
            bounds = [each for each in ON_BOARD if each[1] in of]
            self.add(
                f"{name}:\n  {word}({limit}) :- {', '.join((*facts, *bounds))}.",
                cases=self._one_by_one(word, limit, ()),
            )
        return name

    def _one_by_one(self, word: str, limit: int, known: tuple[int, ...]) -> CaseProof:
        of = WORDS[word]
        if len(known) < len(of):
            c = of[len(known)]
            values = range(LEAST[c], MOST[c] + 1)
            cases = tuple((Constant(n), self._one_by_one(word, limit, (*known, n))) for n in values)
            return Split(c, cases, Leaf(()))
        is_low = known[0] - sum(known[1:]) <= limit
        rule = f"{word}_{'at_most' if is_low else 'more_than'}"
        return Leaf((self.step(rule, "before", men_at("before"), {"k": Constant(limit)}),))

    # Steps

    def step(
        self, name: str, moment: Tense | None, facts: Facts, given: Mapping[str, Term] | None = None
    ) -> ProofStep:
        """Apply a rule to the positions of the men.

        A variable that is neither in a fact nor in `given` remains itself.
        """
        rule = self.rules.get(name) or self.lemmas[name].rule
        terms = dict(given or {})
        for statement in (rule.head, *rule.body):
            named = statement.by if isinstance(statement, GameStatement) else statement
            if isinstance(named, Atom):
                there = facts.get(
                    (named.predicate, named.tense or moment), facts.get((named.predicate, None), ())
                )
                for term, value in zip(named.terms, there, strict=False):
                    if isinstance(term, Variable):
                        terms.setdefault(term.name, value)
        shared = sorted(shared_variables(rule))
        timeless = not any(_tense(s) for s in (rule.head, *rule.body))
        return ProofStep(
            name, moment if timeless else None, tuple((v, terms.get(v, Variable(v))) for v in shared)
        )

    def flight(self, flight: Flight, clauses: Mapping[str, Sequence[str]]) -> str:
        """Prove that the lone king holds by a step, and return the rule's name."""
        if flight not in self.seen:
            (a, b), positions = flight.step, men_at("before")
            to = [NEIGHBOURS[c][by] if by else (c, "") for c, by in zip("uv", flight.step, strict=True)]
            (u, _), (v, _) = to
            required = [
                re.sub(r"\?u\b", f"?{u}", re.sub(r"\?v\b", f"?{v}", each)) for each in clauses[flight.clause]
            ]
            off = OFF[flight.off].format(u=f"?{u}", v=f"?{v}").split(", ")
            body = [
                *(equation for _, equation in to if equation),
                *required,
                APART[flight.apart].format(u=f"?{u}", v=f"?{v}"),
                *off,
            ]
            name = f"to_{flight.clause}_{len(self.seen) + 1}"
            facts = positions | {("flee", None): (Constant(a), Constant(b))}
            facts |= {(man, "after"): positions[man, "before"] for man in MEN} | {
                ("alone", "after"): (Variable(u), Variable(v))
            }
            steps = [self.step(each, None, facts, {"m": Variable(u), "n": Variable(v)}) for each in FLEEING]
            going = {"a": Constant(a), "b": Constant(b)}
            steps.append(self.step(flight.clause, "after", facts))
            steps += [self.step(each, "before", facts, going) for each in (flight.apart, flight.off)]
            steps.append(self.step("held_again", None, facts))
            self.add(
                f"{name}:\n  hold by flee({a}, {b}) is GI :- "
                f"{', '.join((*map(fact_of, MEN), *needed(body)))}.",
                steps,
            )
            self.seen[flight] = name
        return self.seen[flight]

    # Invariants

    def prove_invariant(self, clause: str, required: Sequence[str], plans: Sequence[Plan | None]) -> None:
        """Prove that each move has an answer where a clause of `held` holds."""
        relented = Leaf((self.step("nobody_tries", None, {}),))
        replies = [relented, *(self._case(plan, number) for number, plan in enumerate(plans))]
        steps = {each.step for plan in plans if plan is not None for each in flights_of(plan)}
        neighbours = [
            NEIGHBOURS[c][by][1]
            for place, c in enumerate("uv")
            for by in (1, -1)
            if by in {s[place] for s in steps}
        ]
        body = ", ".join((*map(fact_of, MEN), *neighbours, *required))
        self.add(f"kept_{clause}:\n  hold is IG :- {body}.", replies=replies, opening=(0, ()))

    def _case(self, plan: Plan | None, alternative: int) -> CaseProof:
        if plan is None:
            return Leaf(())
        if isinstance(plan, CaseSplit):
            name = self.prove_split(plan.word, plan.limit)
            steps = (self.step(name, "before", men_at("before")),)
            cases = (self._case(plan.low, alternative), self._case(plan.high, alternative))
            return Inversion(Atom(plan.word, (Constant(plan.limit),), None), "before", cases, steps)
        if isinstance(plan, Impossible):
            given = {v: Constant(n) for v, n in plan.given}
            return Leaf((self.step(plan.rule, "before", men_at("before"), given),))
        facts = men_at("before") | men_at("after")
        if alternative < len(STEPS):
            facts |= {("go", None): _reply("st"), ("escort", "after"): _reply("st")}
            moves = GOING
        else:
            ranks = alternative - len(STEPS) + 1
            there = _reply("o") if ranks == 1 else (Constant(4),)
            facts |= {("push", None): (Constant(ranks),), ("pawn", "after"): (Variable("p"), *there)}
            moves = PUSHING
        made = {} if moves is GOING else {"o": facts["pawn", "after"][1]}
        steps = [self.step(each, None, facts, made) for each in moves]
        if isinstance(plan, Flight):
            facts |= {("flee", None): tuple(map(Constant, plan.step))}
            steps += [self.step(each, "after", facts) for each in (self.seen[plan], "one_step_is_enough")]
        else:
            steps += [self.step(u.rule, "after", facts, {v: Constant(n) for v, n in u.given}) for u in plan]
        return Leaf(tuple(steps))


def _tense(statement: object) -> Tense | None:
    return statement.tense if isinstance(statement, Statement) else None


def _reply(names: str) -> tuple[Variable, ...]:
    return tuple(Variable(f"{name}^") for name in names)


def flights_of(plan: Plan) -> Iterator[Flight]:
    """Yield the flights that a plan uses."""
    if isinstance(plan, Flight):
        yield plan
    elif isinstance(plan, CaseSplit):
        yield from flights_of(plan.low)
        yield from flights_of(plan.high)


def clauses_of(theory: Theory) -> dict[str, list[str]]:
    """Return the clauses of `held` with their conditions on coordinates."""
    return {
        rule.name: [print_condition(c) for c in rule.body if isinstance(c, Comparison)]
        for rule in theory.rules
        if isinstance(rule.head, Atom) and rule.head.predicate == "held"
    }


def points_of(clauses: Mapping[str, Sequence[str]]) -> dict[str, Mask]:
    """Return the points at which each clause holds."""
    return {
        name: FIRST & where([c for text in required for c in conditions(text)], ALL)
        for name, required in clauses.items()
    }


def answered_by(rules: RuleBase) -> Mask:
    """Return the points, with the lone king to move, at which it takes the pawn, is stalemated, or has a step
    by one of the rules.
    """
    found = takes(ALL) | stalemates(ALL)
    _, _, _, _, u, v = ALL.astype(int)
    for entry in rules:
        if isinstance(entry.rule.head, GameStatement) and entry.rule.head.by is not None:
            comparisons = [each for each in entry.rule.body if isinstance(each, Comparison)]
            found |= where(comparisons, ALL, e=u + 1, w=u - 1, n=v + 1, s=v - 1)
    return found


def prove(theory: Theory, only: Sequence[str] = (), examples: Mask | None = None, least: int = 1) -> RuleBase:
    """Prove that the clauses of `held` are invariants, or those of `only`.

    Further steps of the lone king are proved while one answers at least `least` more of the examples, drawn
    points with the lone king to move. Raise UnansweredMoveError if a proof fails.
    """
    clauses = clauses_of(theory)
    planner, proofs = LoneKingPlanner(points_of(clauses)), Proofs(theory)
    for name in only or clauses:
        try:
            plans = planner.plans(name)
        except UnansweredMoveError as problem:
            raise UnansweredMoveError(f"{name}: {problem}") from None
        for flight in planner.flights:
            proofs.flight(flight, clauses)
        proofs.prove_invariant(name, clauses[name], plans)
    if examples is not None:
        planner.cover(examples & ~answered_by(rule_base(theory.name, proofs.entries)), least)
        for flight in planner.flights:
            proofs.flight(flight, clauses)
    return rule_base(theory.name, proofs.entries)
