"""Rules of second-player wins, proved for each reply on random theories with arithmetic: whether one is
wrong.

A theory's replies choose members of a closed set and numbers within bounds. Its rules win by facts about
these. Generated rules name as many members and numbers, or slightly more or fewer. Replies are split into
cases and answered by trial, with the checker's own contexts. Each rule that `verify` accepts is then compared
with small states, in which every reply is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from hornbook.compiler.checker.certificate import CaseProof, Leaf, Opening, ProofStep, Split
from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.checker.replies import ReplyAlternative, alternatives, replies_to, won_after
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.witness.context import SearchContext
from hornbook.compiler.witness.search import initial_context, try_step
from hornbook.kb.ast.substitution import apply_to_condition, rename_rule
from hornbook.kb.ast.terms import Atom, Comparison, Constant, GameStatement, Rule, Term, Variable, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from oracles.proofs.plain_truth import Facts, PlainTruth, UnknownError, firings, judged
from oracles.sums import Sums

DECLARED = """theory made.
sort thing. fluent n(thing -> int). fluent p(thing, int). fluent f(thing). fluent h(thing).
fluent r(thing, thing). fluent size(thing -> int) counts r.
derived barred(thing). derived within(thing, int). game g(thing).
action take(thing, int). action bid(int). action hit(thing). action rest."""
ACTIONS = {"take": "take(?y, ?k)", "bid": "bid(?k)", "hit": "hit(?y)", "rest": "rest"}
BASES = (0, 0, 0, 2**63 - 4, 2**63 - 3, -(2**63), -(2**63) + 1, 2**62)
RULES, STATES, OPENINGS = 12, 30, 40


@dataclass
class ReplyFindings(Sums):
    """Counts of attempts, and each rule that is wrong in a state, with the data to reproduce it."""

    theories: int = 0
    tried: int = 0
    accepted: int = 0
    split: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)


class ReplyTheoryMaker:
    """A theory under construction with rules that are probably right. `base` is the least of its numbers."""

    def __init__(self, random: Random) -> None:
        self.random, self.base = random, random.choice(BASES)
        self.required: list[str] = []
        self.cases: list[str] = []
        self.clauses = [
            f"barred: barred(?x) :- {random.choice(('h(?x)', 'f(?x), h(?x)', 'r(?x, _)'))}.",
            (
                f"within: within(?x, ?k) :- p(?x, ?k), "
                f"{random.choice((self.least('?k'), 'n(?x, ?m), ?k <= ?m'))}."
            ),
        ]
        for name in random.sample(list(ACTIONS), random.choice((1, 1, 2))):
            self.reply(ACTIONS[name])

    def number(self, offset: int) -> str:
        return str(max(-(2**63), min(2**63 - 1, self.base + offset)))

    def least(self, what: str) -> str:
        return f"{what} {self.random.choice(('>=', '>'))} {self.number(self.random.choice((-1, 0, 0, 1)))}"

    def reply(self, action: str) -> None:
        conditions: list[str] = []
        wins: list[str] = []
        if "?y" in action:
            self.of_members(conditions, wins)
        if "?k" in action:
            self.of_numbers(conditions, wins)
        if self.random.random() < 0.3:
            wins.append(self.random.choice(("before h(?x)", "all ?z in before r(?x, ?z): before f(?z)")))
            self.required.append("h(?a)")
        if "?x" not in " ".join(wins):
            wins.append("before f(?x)")
            self.required.append("f(?a)")
        unless = ""
        if self.random.random() < 0.2:
            barred = self.random.choice(("f", "h", "barred"))
            unless = f" unless {barred}({'?y' if '?y' in action else '?x'})"
        self.clauses.append(f"w{len(self.cases)}: after g(?x) is GI :- {', '.join([action, *wins])}.")
        self.cases.append(", ".join([action, *conditions]) + unless)

    def of_members(self, conditions: list[str], wins: list[str]) -> None:
        predicate, size = self.random.choice("fh"), self.random.choice((0, 1, 1, 2, 2))
        conditions.append("r(?x, ?y)")
        wins.append(
            self.random.choice(
                (
                    f"before {predicate}(?y)",
                    f"before {predicate}(?y)",
                    "before n(?y, ?j), " + self.least("?j"),
                )
            )
        )
        self.required.append(f"size(?a, {size})")
        for member in range(size):
            has = self.random.choice((f"{predicate}(?e{member})", f"n(?e{member}, {self.number(member)})"))
            self.required += [f"r(?a, ?e{member})", has]
        if size == 2:
            self.required.append("?e0 != ?e1")

    def of_numbers(self, conditions: list[str], wins: list[str]) -> None:
        most = (
            "?k < ?m",
            "?k <= ?m",
            "?k * 2 <= ?m",
            "?k // 2 < ?m",
            "?k < ?m + 1",
            "?k - 1 < ?m",
            "max(?k, 1) <= ?m",
        )
        exact = (
            "?k = ?m + 1",
            "?k + ?m = 3",
            "?k * 2 = ?m",
            "?k // 2 = ?m",
            "?m // 2 = ?k",
            "min(?k, ?m) = ?m",
        )
        conditions += self.random.choice(
            (
                [self.least("?k"), "n(?x, ?m)", self.random.choice(most)],
                ["p(?x, ?k)", self.least("?k")],
                ["within(?x, ?k)"],
                [self.least("?k"), f"?k <= {self.number(self.random.choice((0, 1, 2)))}"],
                ["n(?x, ?m)", self.random.choice(exact)],
            )
        )
        other = ("?k + ?i >= 0", "?i - ?k > -1", "?k <= ?i")
        wins.append(
            self.random.choice((*["before p(?x, ?k)"] * 4, f"before n(?x, ?i), {self.random.choice(other)}"))
        )
        value = self.number(self.random.choice((0, 1, 2, 3)))
        self.required.append(
            self.random.choice((*[f"n(?a, {value})"] * 3, f"n(?a, ?v), ?v <= {value}", "n(?a, ?v)"))
        )
        some = self.random.sample((-1, 0, 1, 2, 3), self.random.choice((1, 2, 3, 4)))
        self.required += [f"p(?a, {self.number(offset)})" for offset in some]

    def text(self) -> str:
        game = "?x" if any("?x" in case for case in self.cases) else "_"
        return "\n".join((DECLARED, *self.clauses, f"replies g({game}): {'; '.join(self.cases)}."))

    def rule(self) -> str:
        """Return the required rule with small changes."""
        body = list(self.required)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            place = self.random.randrange(len(body))
            if self.random.random() < 0.6 and len(body) > 1:
                del body[place]
            else:
                body.append(self.random.choice(("f(?a)", "h(?a)", "r(?a, ?w)", "p(?a, ?w)")))
        return f"forged: g(?a) is IG :- {', '.join(dict.fromkeys([*body, 'f(?a)']))}."

    def state(self) -> Facts:
        things = ("a", "b", "c")[: self.random.choice((1, 2, 2, 3))]
        numbers = [int(self.number(offset)) for offset in (-1, 0, 1, 2, 3)] + [0, 1]
        facts: list[GroundFact] = []
        for thing in things:
            members = [other for other in things if self.random.random() < 0.5]
            facts += [GroundFact("r", (thing, member)) for member in members]
            facts += [
                GroundFact("p", (thing, self.random.choice(numbers)))
                for _ in range(self.random.randint(0, 3))
            ]
            facts += [GroundFact("size", (thing, len(members)))] if self.random.random() < 0.8 else []
            facts += (
                [GroundFact("n", (thing, self.random.choice(numbers)))] if self.random.random() < 0.7 else []
            )
            facts += [GroundFact(name, (thing,)) for name in "fh" if self.random.random() < 0.6]
        return frozenset(facts)


class ReplyProver:
    """A search by trial for proofs of every reply to a rule."""

    def __init__(self, rule: Rule, theory: Theory, numbers: list[Constant]) -> None:
        self.rule, self.theory, self.numbers = rule, theory, numbers
        self.won = won_after(rule)
        self.cases = alternatives(rule, replies_to(rule, theory))
        mentioned = [s for case in self.cases for s in case.said]
        mentioned += [s for each in theory.rules for s in (each.head, *statements(each.body))]
        self.context = initial_context(rule, [], theory, {}, mentioned, reached=False)

    def proofs(self) -> tuple[CaseProof, ...] | None:
        """Return the proofs, or None if a reply has no answer."""
        found: list[CaseProof] = []
        for case in self.cases:
            branch = self.context.branch()
            branch.fixed |= set(case.variables)
            branch.take([case.case.action], None)
            branch.take(case.case.conditions, "before")
            proof = self._proof(branch, case, 2)
            if proof is None:
                return None
            found.append(proof)
        return tuple(found)

    def _proof(self, branch: SearchContext, case: ReplyAlternative, depth: int) -> CaseProof | None:
        leaf = self._leaf(branch, case)
        if leaf is not None or depth == 0:
            return leaf
        for name in case.variables:
            rest, cases = branch.branch(), list[tuple[Term, CaseProof]]()
            for term in self._terms(branch, Variable(name)):
                one = rest.branch()
                one.take([Comparison("=", Variable(name), term)], None)
                below = None if one.congruence.conflict is not None else self._leaf(one, case)
                if below is not None and below.steps:
                    cases.append((term, below))
            for term, _ in cases:
                rest.take([Comparison("!=", Variable(name), term)], None)
            other = self._proof(rest, case, depth - 1) if cases else None
            if other is not None:
                return Split(name, tuple(cases), other)
        return None

    def _terms(self, branch: SearchContext, variable: Variable) -> list[Term]:
        of_numbers = branch.is_number(variable)
        named = sorted(n for n in self.context.fixed if not n.startswith("_"))
        same = [Variable(name) for name in named if branch.is_number(Variable(name)) == of_numbers]
        return [*same, *(self.numbers if of_numbers else [])]

    def _leaf(self, branch: SearchContext, case: ReplyAlternative) -> Leaf | None:
        if branch.impossible() is not False:
            return Leaf(())
        there, steps = branch.branch(), list[ProofStep]()
        for rule in self.theory.rules:
            moment = None if any(s.tense for s in (rule.head, *statements(rule.body))) else "before"
            for bound in list(_bindings(there, rule))[:12]:
                step = ProofStep(
                    rule.name, moment, tuple(sorted((n.removesuffix("@"), t) for n, t in bound.items()))
                )  # type: ignore[arg-type]
                try:
                    found = try_step(step, rule, there, one_moment=False)
                except RejectedError:
                    continue
                if found.problem:
                    continue
                steps.append(step)
                unless = case.case.unless
                barred = unless is not None and there.established(unless, "before") is not False
                if barred or any(there.established(s, "after") is not False for s in self.won):
                    return Leaf(tuple(steps))
        return Leaf(tuple(steps)) if steps and there.impossible() is not False else None


def _bindings(context: SearchContext, rule: Rule) -> Iterator[Mapping[str, Term]]:
    """Yield the bindings of a rule's variables, which carry a mark, for which its statements are proved."""
    own = rename_rule(rule, lambda name: f"{name}@")
    conditions = [c for c in own.body if isinstance(c, Atom | GameStatement)]

    def of(place: int, bound: Mapping[str, Term]) -> Iterator[Mapping[str, Term]]:
        if place == len(conditions):
            yield bound
            return
        statement = apply_to_condition(conditions[place], bound)
        assert isinstance(statement, Atom | GameStatement)
        for _, more in context.matches(statement, bound, "before"):
            yield from of(place + 1, more)

    return of(0, {})


def one(seed: str) -> ReplyFindings:
    """Return the results of one theory's rules."""
    random = Random(seed)
    maker = ReplyTheoryMaker(random)
    try:
        theory = load_text(maker.text())
    except TheoryError:
        return ReplyFindings()
    found, truth = ReplyFindings(theories=1), PlainTruth(theory)
    for _ in range(RULES):
        (rule,) = parse(maker.rule()).clauses
        assert isinstance(rule, Rule)
        if not any(d.severity == "error" for d in check_rules([rule], theory.vocabulary)):
            _judge(rule, theory, maker, truth, found)
    return found


def _judge(
    rule: Rule, theory: Theory, maker: ReplyTheoryMaker, truth: PlainTruth, found: ReplyFindings
) -> None:
    found.tried += 1
    numbers = [Constant(int(maker.number(offset))) for offset in (-1, 0, 1, 2, 3)]
    try:
        prover = ReplyProver(rule, theory, list(dict.fromkeys(numbers)))
        proofs = prover.proofs()
    except RejectedError:
        return
    if proofs is None or not _accepted(rule, theory, proofs, prover, maker.random):
        return
    found.accepted += 1
    found.split += any(isinstance(proof, Split) for proof in proofs)
    for _ in range(STATES):
        state = maker.state()
        try:
            if truth.closed(state).refused:
                continue
            for firing in firings(rule, state, truth):
                verdict = judged(rule, firing, state, truth, 1)
                found.right += verdict.kind == "right"
                if verdict.kind == "wrong":
                    shown = ", ".join(sorted(map(str, state)))
                    found.wrong.append(f"{verdict.why}\n{maker.text()}\n{rule}\n{shown}")
                    return
        except UnknownError:
            continue


def _accepted(
    rule: Rule, theory: Theory, proofs: tuple[CaseProof, ...], prover: ReplyProver, random: Random
) -> bool:
    """Return whether the checker accepts the proofs, with one of the candidates for an open reply."""
    terms: list[Term] = [*map(Variable, sorted(prover.context.fixed)), *prover.numbers]
    for _ in range(OPENINGS):
        number = random.randrange(len(prover.cases))
        names = [name.removesuffix("^") for name in prover.cases[number].variables]
        opening: Opening = number, tuple((name, random.choice(terms)) for name in names)
        try:
            verify(rule, certificate_of(rule, (), theory, {}, proofs, opening), theory)
        except RejectedError:
            continue
        return True
    return False
