"""The forger: on random theories, rules are learned, invented and mutated.

Accepted ones are checked on states.

Every rule that passes the checker is tried on small states made for it: without an action, with the action
that it needs, and with another one. A false conclusion is a finding. So are a matcher with other answers than
the rule, an undocumented exception, and an exceeded time limit.
"""

from __future__ import annotations

import json
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from hornbook.compiler.checker.certificate import Certificate, fingerprint_of_rule
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.compiler.match.position import FocusSet, RuleMatcher
from hornbook.compiler.match.unfolding import unfolded
from hornbook.compiler.prove.winning import ProvedRule, WinProver
from hornbook.compiler.rules.certificates import certificate_as_json
from hornbook.kb.ast.parts import part_of_fact
from hornbook.kb.ast.terms import Absent, Aggregate, Atom, Constant, GameStatement, Rule, Statement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.literals import with_literals
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import EngineError
from hornbook.matcher.program.hornbook_error import HornbookError
from oracles.deadlines import OverrunError, bounded
from oracles.forger.changed_sets import candidate_of_sets, set_theory, weaker
from oracles.forger.faults import LIES
from oracles.forger.mutations import Mutator
from oracles.forger.rules import Candidate, Forger
from oracles.forger.states import States
from oracles.forger.theories import RandomTheory, random_theory, varied
from oracles.proofs.plain_truth import Facts, PlainTruth, UnknownError, firings, is_timeless, judged
from oracles.proofs.two_readers import Both
from oracles.sums import Sums

LIMITS = Limits(facts=5_000, seconds=3.0)
DOCUMENTED = (HornbookError, UnknownError)
DEEPEST = 3
"""The greatest rank of rules that are tested on states."""
MOST_LEMMAS = 14
MOST_GAMES = 130
T = TypeVar("T")


@dataclass(frozen=True)
class ForgerFinding:
    """An error, with the data to reproduce it."""

    kind: str
    theory: str
    text: str

    def __str__(self) -> str:
        return f"=== {self.kind} ({self.theory})\n{self.text}"


@dataclass
class ForgerTally(Sums):
    """The results of a run."""

    counts: Counter[str] = field(default_factory=Counter)
    made_of: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    findings: list[ForgerFinding] = field(default_factory=list)


@dataclass(frozen=True)
class ForgerBudget:
    """The limits on the attacks on one theory: numbers of attempts, and processor seconds."""

    examples: int = 2
    goals: int = 3
    made_up: int = 12
    mutants: int = 40
    states: int = 6
    lies: float = 0.25
    """The share of certificates whose witness finder makes an unjustified assumption."""
    seconds: float = 5.0
    """Limit of processor seconds for each call of Hornbook; exceeding it is a finding."""
    refuting: float = 0.5
    """Limit of processor seconds of the search for a state in which a rule is wrong."""
    theory: float = 1.5
    """Limit of processor seconds for a theory; later accepted rules are counted but not tested."""
    second: bool = False
    """Whether the second reader of certificates is also run."""
    complete: bool = False
    """Whether random theories have absences and aggregates of complete relations."""
    values: bool = False
    """Whether random theories calculate with dates, decimal numbers and words."""
    sets: bool = False
    """Whether the theories have actions that change closed sets, and rules are learned about these."""


@dataclass
class Trial:
    """One theory and the attacks with it."""

    name: str
    made: RandomTheory
    random: Random
    budget: ForgerBudget
    tally: ForgerTally

    def __post_init__(self) -> None:
        self.theory: Theory = self.made.theory
        self.truth = PlainTruth(self.theory)
        self.states = States(self.truth, self.random)
        self.lemmas: dict[str, Lemma] = {}
        self.seen: set[tuple[Statement, tuple[object, ...]]] = set()
        self.good: list[Candidate] = []
        self.rejected: list[Candidate] = []
        self.is_wrong: set[str] = set()
        self.number = 0
        self.liar = Random(f"{self.name} lies")
        self.began = time.process_time()
        self.both = Both.of_texts(self.theory, self.made.files) if self.budget.second else None

    # Findings

    def find(self, kind: str, text: str) -> None:
        self.tally.wrong[kind] += 1
        whole = f"{text}\n--- theory\n" + "\n--- imported by\n".join(self.made.files)
        self.tally.findings.append(ForgerFinding(kind, self.name, whole))

    def guarded(self, what: str, run: Callable[[], T], also: Callable[[], str] | None = None) -> T | None:
        """Return the result of a call, or None if it raises; an undocumented exception is a finding."""
        try:
            with bounded(self.budget.seconds):
                return run()
        except OverrunError:
            self.find(f"{what}: over {self.budget.seconds} seconds", also() if also else "")
        except DOCUMENTED as problem:
            self.tally.counts[f"{what}: {type(problem).__name__}"] += 1
        except Exception:  # noqa: BLE001 - that is what is looked for
            last = traceback.format_exc().strip().splitlines()
            place = next((line.strip() for line in reversed(last) if line.strip().startswith("File")), "")
            self.find(
                f"{what}: {last[-1][:80]} at {place[-70:]}",
                "\n".join(last[-12:]) + "\n" + (also() if also else ""),
            )
        return None

    # The run

    def run(self) -> None:
        self.tally.counts["theories"] += 1
        self.tally.made_of.update({name: 1 for name, count in self.made.used.items() if count})
        for _ in range(self.budget.examples):
            if self.made.state is None:
                self.learn_from(self.states.at_random(), self.states.random_action())
            else:
                self.learn_from(*self.made.state(self.random))
        if self.theory.replies:
            self.prove(self.states.at_random())
        forger = Forger(self.theory, self.random)
        for lemma in self.lemmas.values():
            forger.add_lemma(lemma.rule)
        try:
            self.make_up(forger)
        except OverrunError:
            self.tally.counts["theories of which too much could be made up"] += 1
        self.mutate()
        self.match()

    def make_up(self, forger: Forger) -> None:
        """Try invented rules. Raise OverrunError if the time is over; the forger is unusable then."""
        for turn in range(self.budget.made_up):
            with bounded(self.budget.seconds):
                fresh = [*forger.candidates(3)]
                if self.theory.replies and turn % 2 == 0:
                    fresh += forger.second_player_win()
            for candidate in fresh:
                if self.judge(candidate) and len(self.lemmas) < MOST_LEMMAS:
                    self.build_on(forger, candidate)

    def build_on(self, forger: Forger, candidate: Candidate) -> None:
        """Take an accepted rule as a lemma in some cases, and invent rules that use it."""
        if self.random.random() > (0.6 if is_timeless(candidate.rule) else 0.3):
            return
        forger.add_lemma(candidate.rule)
        self.remember(candidate)
        for _ in range(2):
            with bounded(self.budget.seconds):
                others = [*forger.candidates(2, candidate.rule.name)]
            for other in others:
                self.judge(other)

    def remember(self, candidate: Candidate) -> None:
        """Take an accepted rule as a lemma."""
        certificate = certificate_of(
            candidate.rule, candidate.steps, self.theory, self.lemmas, candidate.replies, candidate.open
        )
        self.lemmas[candidate.rule.name] = Lemma.of(candidate.rule, certificate)

    def label(self, kind: str) -> str:
        self.number += 1
        return f"{kind}_{self.number}"

    def learn_from(self, facts: Facts, action: GroundFact | None) -> None:
        def saturated() -> KnowledgeBase:
            base = KnowledgeBase(self.theory, limits=LIMITS)
            base.add([*sorted(facts, key=str), *([] if action is None else [action])])
            base.engine.evaluate()
            return base

        base = self.guarded("a state", saturated)
        if base is None:
            return
        goals = []
        for relation in base.relations():
            found = [
                s
                for s in base.engine.statements(relation.relation, relation.tense)
                if raw_engine(base).derivation(base.engine.coding.fact_of(s)) is not None
            ]
            goals += self.random.sample(found, min(2, len(found)))
        games = [g for g in goals if isinstance(g, GameStatement)]
        chosen = self.random.sample(games, min(len(games), self.budget.goals))
        chosen += self.random.sample(goals, min(len(goals), self.budget.goals - len(chosen)))
        for goal in dict.fromkeys(chosen):
            self.learn(base, goal, facts, action)

    def learn(self, base: KnowledgeBase, goal: Statement, facts: Facts, action: GroundFact | None) -> None:
        label = self.label("learned")
        if self.budget.sets:
            candidate = candidate_of_sets(explanation_of(base, goal), self.theory, label)
            for each in () if candidate is None else (candidate, *weaker(candidate)):
                self.judge(each)
            return
        shown = lambda: f"learning {print_condition(goal)} from {_facts(facts)} and {action}"  # noqa: E731
        found = self.guarded(
            "the learner", lambda: learn(explanation_of(base, goal), self.theory, label), shown
        )
        if not isinstance(found, ProvedExample):
            self.tally.counts["proofs that gave no rule"] += 1
            return
        self.tally.counts["rules learned"] += 1
        candidate = Candidate("learned", found.rule, found.certificate.steps)
        if self.judge(candidate) and len(self.lemmas) < 6:
            self.remember(candidate)

    def prove(self, facts: Facts) -> None:
        """Run the prover of games on a random state."""
        proved: list[ProvedRule] = []

        def admit(new: ProvedRule) -> ProvedRule:
            rule = replace(new.rule, label=self.label("proved"))
            named = ProvedRule(rule, replace(new.certificate, of=fingerprint_of_rule(rule)))
            proved.append(named)
            return named

        shown = lambda: f"proving {_facts(facts)}"  # noqa: E731
        prover = self.guarded(
            "the prover",
            lambda: WinProver(
                self.theory,
                StatePlay(self.truth, self.random),
                admit,
                Budget(steps=300, seconds=self.budget.seconds / 2),
            ),
            shown,
        )
        if prover is None:
            return
        for replies in self.theory.replies:
            games = list(
                self.truth._product(
                    [c.name for c in self.theory.vocabulary.predicates[replies.game.predicate].columns], facts
                )
            )
            for terms in self.random.sample(games, min(2, len(games))):
                game = Atom(replies.game.predicate, terms)
                ask = self.random.choice((prover.second_player_win, prover.second_player_win, prover.won))
                self.guarded(
                    "the prover",
                    lambda game=game, ask=ask: ask(facts, game, 1),
                    lambda game=game: f"{print_condition(game)} of {_facts(facts)}",
                )  # type: ignore[misc]
        for each in proved:
            self.tally.counts["rules proved"] += 1
            candidate = Candidate(
                "proved", each.rule, each.certificate.steps, each.certificate.replies, each.certificate.open
            )
            self.lemmas.setdefault(each.rule.name, Lemma.of(each.rule, each.certificate))
            self.judge(candidate)

    # Judging

    def accepts(self, candidate: Candidate) -> Certificate | None:
        """Return a candidate's certificate if the checker accepts it."""
        lemmas = {n: lemma for n, lemma in self.lemmas.items() if n != candidate.rule.name}
        try:
            with ExitStack() as stack:
                if self.liar.random() < self.budget.lies:
                    self.liar.choice(list(LIES.values()))(stack)
                    self.tally.counts["certificates of which a witness may lie"] += 1
                certificate = certificate_of(
                    candidate.rule, candidate.steps, self.theory, lemmas, candidate.replies, candidate.open
                )
        except (KeyError, RejectedError):
            return None
        if self.random.random() < 0.02:
            certificate = replace(certificate, rank=self.random.randrange(-1, 3))
        if self.random.random() < 0.05:
            certificate = replace(certificate, reached=True)

        def checked() -> bool:
            try:
                verify(candidate.rule, certificate, self.theory, lemmas)
            except RejectedError:
                return False
            return True

        good = self.guarded("the checker", checked, lambda: _shown(candidate))
        if self.both is not None and good is not None:
            self.compare(self.both, candidate, certificate, lemmas)
        return certificate if good else None

    def compare(
        self, both: Both, candidate: Candidate, certificate: Certificate, lemmas: dict[str, Lemma]
    ) -> None:
        """Run the second reader of certificates, too."""
        both.lemmas = lemmas
        if not both.is_text(candidate.rule):
            self.tally.counts["rules that no text can say, so that the second reader was not asked"] += 1
            return
        data = json.loads(json.dumps(certificate_as_json(certificate)))
        verdicts = both.verdicts(candidate.rule, data)
        self.tally.counts["certificates that the second reader was asked about"] += 1
        if not verdicts.agree:
            self.find("the two readers of certificates differ", f"{verdicts}\n{_shown(candidate)}\n{data}")

    def judge(self, candidate: Candidate) -> bool:
        """Return whether the checker accepts a rule and no state refutes it."""
        candidate = replace(candidate, rule=with_literals(candidate.rule, self.theory.vocabulary))
        key = (candidate.rule.head, candidate.rule.body)
        self.tally.tried[candidate.kind] += 1
        certificate = self.accepts(candidate)
        if certificate is None:
            if len(self.rejected) < 20:
                self.rejected.append(candidate)
            return False
        self.tally.accepted[candidate.kind] += 1
        if any(isinstance(c, Absent | Aggregate) for c in candidate.rule.body):
            self.tally.counts["rules accepted that ask for absences or sums"] += 1
        if key in self.seen:
            return False
        self.seen.add(key)
        if time.process_time() - self.began > self.budget.theory:
            self.tally.counts["rules not tried, since their theory had its time"] += 1
            return False
        self.tally.counts["different rules tried"] += 1
        try:
            with bounded(self.budget.refuting):
                rule = replace(candidate.rule, of_given=not certificate.reached)
                wrong = self.refuted(rule, certificate.rank)
        except OverrunError:
            self.tally.counts["rules not tried to the end"] += 1
            return False
        if wrong:
            self.is_wrong.add(candidate.rule.name)
            kind = candidate.kind if candidate.kind in ("learned", "proved") else "forged"
            lemmas = "".join(
                f"lemma {print_rule(self.lemmas[n].rule)}"
                for n in dict.fromkeys(s.rule for s in candidate.steps)
                if n in self.lemmas
            )
            self.find(f"a false rule, {kind}", f"{wrong}\n{_shown(candidate)}\n{lemmas}")
            return False
        self.good.append(candidate)
        return True

    def refuted(self, rule: Rule, rank: int) -> str:
        """Return how a rule is wrong in some state; empty if no such state is found."""
        depth = max(rank, 1)
        if depth > DEEPEST:
            self.tally.counts["rules of too great a rank to be tried"] += 1
            return ""
        for number, (facts, needed) in enumerate(self.states.of(rule, self.budget.states)):
            other = self.states.random_action()
            ways: list[GroundFact | None] = [needed]
            if is_timeless(rule):
                ways = [needed, other] if needed is not None or number % 2 else [None, other]
            elif needed is None:
                ways = [other]
            for action in dict.fromkeys(ways):
                wrong = self.wrong_in(rule, facts if action is None else facts | {action}, depth)
                if wrong:
                    return wrong
        return ""

    def wrong_in(self, rule: Rule, facts: Facts, depth: int) -> str:
        try:
            for place, firing in enumerate(firings(rule, facts, self.truth)):
                if place >= 6:
                    break
                verdict = judged(rule, firing, facts, self.truth, depth)
                self.tally.counts[f"conclusions {verdict.kind}"] += 1
                if verdict.kind == "wrong":
                    return (
                        f"{print_condition(firing.head)} ({firing.moment}) in {_facts(facts)}: {verdict.why}"
                    )
        except UnknownError:
            self.tally.counts["conclusions not decided"] += 1
        return ""

    # Mutants

    def mutate(self) -> None:
        others = [lemma.rule for lemma in self.lemmas.values()]
        mutator = Mutator(self.theory, self.random, others)
        for _ in range(self.budget.mutants):
            pool = (
                self.rejected
                if self.rejected and (not self.good or self.random.random() < 0.25)
                else self.good
            )
            if not pool:
                return
            mutant: Candidate | None = self.random.choice(pool)
            for _ in range(self.random.choice((1, 1, 2, 3))):
                assert mutant is not None
                mutant = mutator.mutant(mutant) or mutant
            assert mutant is not None
            if mutant not in pool:
                rule = replace(mutant.rule, label=self.label("mutant"))
                self.judge(replace(mutant, rule=rule))

    # The matcher

    def match(self) -> None:
        """Check that the matcher's answers equal the conclusions of accepted rules with the theory's own
        definitions.
        """
        rules = [c.rule for c in self.good if isinstance(c.rule.head, GameStatement) and is_timeless(c.rule)]
        rules = self.random.sample(rules, min(len(rules), 4))
        for rule in rules:

            def matcher(rule: Rule = rule) -> RuleMatcher:
                made = RuleMatcher(self.theory, "")
                made.add(rule)
                return made

            found = self.guarded("the matcher", matcher, lambda rule=rule: print_rule(rule))  # type: ignore[misc]
            if found is None:
                continue
            plain = unfolded(rule, self.theory)
            for facts, _ in (*self.states.of(rule, 2), *self.states.of(plain, 4)):
                self.guarded(
                    "the matcher",
                    lambda f=facts, m=found, r=rule: self.matched(m, r, f),
                    lambda r=rule, f=facts: f"{print_rule(r)}{_facts(f)}",
                )  # type: ignore[misc]

    def matched(self, matcher: RuleMatcher, rule: Rule, facts: Facts) -> None:
        assert isinstance(rule.head, GameStatement)
        facts |= {
            f
            for f in map(ground_fact, self.theory.facts)
            if self.theory.vocabulary.predicates[f.relation].kind == "fluent"
        }
        if self.truth.closed(facts).refused:
            return
        columns = [c.name for c in self.theory.vocabulary.predicates[rule.head.game.predicate].columns]
        games = [Atom(rule.head.game.predicate, terms) for terms in self.truth._product(columns, facts)]
        if len(games) > MOST_GAMES:
            return  # a part of the rules may not overflow even if all do
        heads = {f.head for f in firings(rule, facts, self.truth)}
        stated = {ground_fact(s) for s in self.theory.facts}
        answers = matcher.statements([part_of_fact(fact) for fact in sorted(facts - stated, key=str)], games)
        for _, statement in answers:
            self.tally.counts["answers of the matcher"] += 1
            if statement not in heads:
                self.find(
                    "a false answer of the matcher",
                    f"{print_condition(statement)} of {_facts(facts)}\n{print_rule(rule)}",
                )
                return
        self.tally.counts["conclusions that no matcher gives"] += len(heads - {s for _, s in answers})


class StatePlay:
    """A game for the prover: a state is a set of facts, and the theory itself determines the effects of
    actions.
    """

    def __init__(self, truth: PlainTruth, random: Random) -> None:
        self.truth, self.random = truth, random
        statics = [p.name for p in truth.vocabulary.predicates.values() if p.kind == "static"]
        self.focus_predicate = statics[0] if statics else ""

    def facts(self, state: Facts, game: Atom, about: FocusSet | None) -> Iterable[GroundFact]:
        predicates = self.truth.vocabulary.predicates
        return [
            fact for fact in sorted(state, key=str) if predicates[fact.relation].kind in ("static", "fluent")
        ]

    def after(self, state: Facts, action: GroundFact) -> Facts | None:
        closed = self.truth.closed(state | {action})
        return None if closed.refused else self.truth.after(closed, state)

    def followed(self, state: Facts, game: Atom, action: GroundFact) -> Atom | None:
        return game

    def attempts(self, state: Facts, game: Atom, moves: int) -> Iterable[GroundFact]:
        found = [ground_fact(a) for a in self.truth.actions(state)]
        return self.random.sample(found, min(len(found), 6))

    def wider(self, state: Facts, game: Atom, about: FocusSet) -> Iterable[FocusSet]:
        yield about

    def replies(self, state: Facts, game: Atom, about: FocusSet) -> Iterable[GroundFact]:
        replies = self.truth.theory.replies_of(game.predicate)
        assert replies is not None
        found = [ground_fact(a) for a, _, _ in self.truth.instances(replies, game, state)]
        return found[:12]


def _facts(facts: Iterable[GroundFact]) -> str:
    return " ".join(f"{f.relation}({', '.join(map(str, f.values))})." for f in sorted(facts, key=str))


def _shown(candidate: Candidate) -> str:
    lines = [f"[{candidate.kind}]", print_rule(candidate.rule).rstrip()]
    written: Any = [
        (
            s.rule,
            s.moment,
            {n: t.value if isinstance(t, Constant) else f"?{t.name}" for n, t in s.substitution},
        )
        for s in candidate.steps
    ]
    lines += [f"  step {s}" for s in written]
    lines += [f"  reply {p}" for p in candidate.replies]
    if candidate.open is not None:
        lines.append(f"  open {candidate.open}")
    return "\n".join(lines)


def one(seed: str, budget: ForgerBudget, shape: int | None = None) -> ForgerTally:
    """Return the results of one theory, which the seed determines."""
    random = Random(seed)
    tally = ForgerTally()
    if budget.sets:
        made, failed = set_theory(random), 0
    elif shape is None:
        made, failed = random_theory(random, complete=budget.complete, values=budget.values)
    else:
        made, failed = varied(shape, random)
    tally.counts["theories that do not pass their check"] += failed
    try:
        trial = Trial(seed, made, random, budget, tally)
    except EngineError:
        tally.counts["theories whose facts and rules contradict each other"] += 1
        return tally
    trial.run()
    return tally
