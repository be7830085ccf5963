"""The search for a proof without an example: it has to find the rules of the theory to apply.

Forward chaining (compiler/witness/forward.py) derives consequences of the rule's conditions until the rule's
conclusion is derived. If a game is won although the opponent plays first, each alternative of his replies is
handled separately. The game must be won after the reply, or the reply must be barred or impossible. If a
reply must be split, each term of the rule is one case, and all other objects are another. The result is a
certificate like any other, which the checker must accept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hornbook.compiler.checker.cases import invertible
from hornbook.compiler.checker.certificate import (
    HYPOTHESIS,
    REPLY_MARK,
    CaseProof,
    Leaf,
    Opening,
    ProofStep,
    Split,
)
from hornbook.compiler.checker.checker import (
    Lemma,
    RejectedError,
    as_applied,
    as_value,
    is_of_one_moment,
)
from hornbook.compiler.checker.dependencies import IntegrityAssumptions, place_of
from hornbook.compiler.checker.language import refuse_other_language, sorts_of
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.checker.replies import (
    ReplyAlternative,
    alternatives,
    opening_conditions,
    replies_to,
    won_after,
)
from hornbook.compiler.witness.by_cases import ByCases, ProvedCase, shown
from hornbook.compiler.witness.constraints import constraints
from hornbook.compiler.witness.context import Note, SearchContext
from hornbook.compiler.witness.forward import (
    MadeStep,
    TimedRule,
    chain_forward,
    matching_bindings,
    nearest,
    needed,
    relevant_rules,
)
from hornbook.compiler.witness.proof_state import Constraints, Found, Ref
from hornbook.compiler.witness.search_budget import SearchBudgetError
from hornbook.kb.ast.declarations import Replies
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    Atom,
    Comparison,
    Constant,
    GameStatement,
    PlanStatement,
    Rule,
    Statement,
    Tense,
    Term,
    Variable,
    outer_variables,
    predicate_of,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, counts_of
from hornbook.matcher.program.dataclass import dataclass

MAX_RULE_SEARCH = 20_000_000
"""The budget for one rule in statements, terms and numbers: about half a minute."""

MAX_CASE_SEARCH = 3_000_000
"""The budget for one search by cases: one search without induction, and one for each possible induction."""

MAX_NAMED_RULES = 4
"""The maximum number of rules named in a message about a failed search."""


class OpenError(RejectedError):
    """No proof was found; the message names the point of failure."""


@dataclass(frozen=True, slots=True)
class FoundProof:
    """The steps of a proof without witnesses, in the form that `certificate_of` takes.

    A proof reply by reply also has the proofs against the replies and a reply that the opponent can play.
    """

    steps: tuple[ProofStep, ...]
    replies: tuple[CaseProof, ...] = ()
    opening: Opening | None = None
    cases: CaseProof | None = None
    induction: int | None = None


def search(
    rule: Rule,
    theory: Theory,
    lemmas: Mapping[str, Lemma],
    *,
    by_induction: bool = False,
    using: Collection[str] | None = None,
) -> FoundProof:
    """Return a proof of a rule. With `by_induction`, each case analysis is part of an induction.

    With `using`, only the rules of the theory with these names are applied, and all lemmas. Only conditions
    of the rule itself are inverted.

    Raise RejectedError if the rule is not in the theory's language. Raise OpenError if no proof is found; the
    rule may still be right.
    """
    refuse_other_language(rule, theory.vocabulary)
    return _ProofSearch(rule, theory, lemmas, using, by_induction=by_induction).proof()


class _ProofSearch:
    """The search for the proof of one rule."""

    def __init__(
        self,
        rule: Rule,
        theory: Theory,
        lemmas: Mapping[str, Lemma],
        using: Collection[str] | None,
        *,
        by_induction: bool,
    ) -> None:
        self.rule, self.theory, self.lemmas = rule, theory, lemmas
        self.by_induction = by_induction
        self.words = theory.vocabulary
        self.failure = ""
        """The point where the last search failed."""
        self.by_cases = False
        """Whether the proofs against replies may also use inversions."""
        self.is_narrow = using is not None
        self.used: set[int] = set()
        """The numbers of the facts used by the proofs against replies and by the playable reply."""
        named = {name: lemma.rule for name, lemma in lemmas.items() if name != rule.name}
        applied = [each for each in theory.rules if using is None or each.name in using]
        self.sources = [*applied, *(as_applied(each, self.words) for each in named.values())]

    def proof(self) -> FoundProof:
        """Return a proof. Raise OpenError if none is found."""
        steps = self._direct()
        if steps is not None:
            return FoundProof(steps)
        if self._is_against_replies():
            try:
                return self._by_replies()
            except OpenError as where:
                self.by_cases = True
                try:
                    return self._by_replies()
                except SearchBudgetError:
                    raise where from None
        without = () if self.by_induction else (None,)
        for induction in () if isinstance(self.rule.head, PlanStatement) else (*without, *self._inductions()):
            cases = self._by_cases(induction)
            if cases is not None:
                return FoundProof((), cases=cases.proof, induction=induction)
        raise OpenError(f"nothing concludes `{print_condition(self.rule.head)}`{self.failure}")

    def _is_against_replies(self) -> bool:
        head = self.rule.head
        return (
            isinstance(head, GameStatement)
            and head.by is None
            and head.tense is None
            and head.value == SECOND_PLAYER_WIN
            and self.theory.replies_of(head.game.predicate) is not None
        )

    def _direct(self) -> tuple[ProofStep, ...] | None:
        value = as_value(self.rule)
        one_moment = is_of_one_moment(value)
        goal = value.head
        found = relevant_rules(
            self.sources, [place_of(goal, "before", self.words)], self.words, one_moment=one_moment
        )
        context = self._context(found)
        context.refuse_contradiction()
        made, is_reached = chain_forward([(goal, "before")], found, context, one_moment=one_moment)
        number = context.established(goal, "before")
        if not is_reached or number is False:
            self.failure = self._failure_message(goal, "before", found, context)
            return None
        return needed(made, context, [number])[0]

    def _inductions(self) -> list[int]:
        """Return the indices of the rule's conditions whose relation is recursive."""
        if not isinstance(self.rule.head, Atom):
            return []
        usable = IntegrityAssumptions(self.theory)
        places = [place_of(c, "before", self.words) if isinstance(c, Atom) else None for c in self.rule.body]
        return [
            number
            for number, place in enumerate(places)
            if place is not None
            and invertible(place, usable)
            and any(
                place_of(s, place[1], self.words) == place
                for rule in usable.concluding(place)
                for s in statements(rule.body, nested=False)
            )
        ]

    def _by_cases(self, induction: int | None) -> ProvedCase | None:
        """Return a proof by inversions, valid in given states only, possibly by induction over one of the
        conditions.
        """
        value = as_value(self.rule)
        one_moment = is_of_one_moment(value)
        usable = IntegrityAssumptions(self.theory)
        # An inversion adds facts of other timed predicates, and any of them may lead to a contradiction.
        inverted = relevant_rules(self.sources, usable.places, self.words, one_moment=False)
        context = self._context(inverted)
        context.budget.steps = MAX_CASE_SEARCH
        sources = self.sources
        if induction is not None:
            context.induction = induction, context.taken[induction]
            sources = [*sources, replace(value, label=HYPOTHESIS)]
        goal: tuple[Statement, Tense] = value.head, "before"
        return self._by_inversions([goal], sources, context, one_moment=one_moment)

    def _by_inversions(
        self,
        goals: Sequence[tuple[Statement, Tense]],
        sources: Sequence[Rule],
        context: SearchContext,
        *,
        one_moment: bool,
    ) -> ProvedCase | None:
        places = [place_of(goal, moment, self.words) for goal, moment in goals]
        search = ByCases(
            goals,
            places,
            lambda found: relevant_rules(sources, found, self.words, one_moment=one_moment),
            IntegrityAssumptions(self.theory),
            only=frozenset(context.taken) if self.is_narrow else None,
            one_moment=one_moment,
        )
        try:
            closed = search.closed(context)
        except SearchBudgetError:
            closed = None
        if closed is None and search.unproved is not None:
            stopped = self._failure_message(*goals[0], search.rules, search.unproved.context)
            where = " and ".join(search.unproved.where[-MAX_NAMED_RULES:])
            self.failure = f"{where and ' where '}{where}{stopped}"
        return closed

    def _context(self, rules: Iterable[TimedRule], mentioned: Iterable[Statement] = ()) -> SearchContext:
        used = [reading.rule for reading in rules]
        relations = {s.relation for each in (self.rule, *used) for s in (each.head, *statements(each.body))}
        relations |= {s.relation for s in mentioned}
        relations |= {c.name for name, c in counts_of(self.words).items() if name in relations}
        known = constraints(self.theory).given
        context = SearchContext.of(
            as_value(self.rule), self.theory, relations, Constraints(known.keys, known.closed)
        )
        context.budget.steps = MAX_RULE_SEARCH
        return context

    # Proofs against every reply

    def _by_replies(self) -> FoundProof:
        replies = replies_to(self.rule, self.theory)
        cases = alternatives(self.rule, replies)
        goals: list[tuple[Statement, Tense]] = [(won, "after") for won in won_after(self.rule)]
        goals += [(a.case.unless, "before") for a in cases if a.case.unless is not None]
        places = [place_of(goal, moment, self.words) for goal, moment in goals]
        mentioned = [s for a in cases for s in a.said]
        places += [place_of(s, "before", self.words) for c in replies.cases for s in statements(c.conditions)]
        rules = relevant_rules(self.sources, places, self.words, one_moment=False)
        context = self._context(rules, mentioned)
        context.refuse_contradiction()
        before = [r for r in rules if (r.moment or place_of(r.rule.head, None, self.words)[1]) != "after"]
        before = [r for r in before if all(s.tense != "after" for s in statements(r.rule.body))]
        made, _ = chain_forward([], before, context, one_moment=False)
        opening = self._opening(replies, context)
        if opening is None:
            raise OpenError("the opponent may have no reply: no alternative is open whatever else is so")
        proofs: list[CaseProof] = []
        for number, case in enumerate(cases, 1):
            branch = context.branch()
            branch.fixed |= set(case.variables)
            branch.take([case.case.action], None)
            branch.take(case.case.conditions, "before")
            proof = self._answer(branch, case, rules, case.variables)
            if proof is None:
                shown = print_condition(case.case.action)
                won = print_condition(won_after(self.rule)[0])
                raise OpenError(f"against reply {number} (`{shown}`) nothing concludes `{won}`{self.failure}")
            proofs.append(proof)
        steps, _ = needed(made, context, [Ref(number) for number in self.used])
        return FoundProof(steps, tuple(proofs), opening)

    def _answer(
        self, known: SearchContext, case: ReplyAlternative, rules: Sequence[TimedRule], apart: Sequence[str]
    ) -> CaseProof | None:
        """Return a proof that the game is won after a reply, or that it is impossible.

        `apart` has variables to split.
        """
        pairs: set[tuple[Term, Term]] = set()
        leaf = self._leaf(known.branch(), case, rules, pairs)
        if leaf is not None:
            return leaf
        for name in apart:
            variable = Variable(name)
            for term in self._split_terms(name, pairs, known):
                one = known.branch()
                one.take([Comparison("=", variable, term)], None)
                below = self._answer(one, case, rules, [each for each in apart if each != name])
                if below is None:
                    continue
                # The remaining case has more known facts than before, so the split loses no proof.
                known.take([Comparison("!=", variable, term)], None)
                rest = self._answer(known, case, rules, apart)
                return None if rest is None else Split(name, ((term, below),), rest)
        return None

    def _leaf(
        self,
        branch: SearchContext,
        case: ReplyAlternative,
        rules: Sequence[TimedRule],
        pairs: set[tuple[Term, Term]],
    ) -> CaseProof | None:
        why = branch.impossible()
        if why is not False:
            return self._ended([], branch, why)
        goals: list[tuple[Statement, Tense]] = [(won, "after") for won in won_after(self.rule)]
        if case.case.unless is not None:
            goals.append((case.case.unless, "before"))
        made, is_reached = chain_forward(goals, rules, branch, one_moment=False, apart=pairs)
        for goal, moment in goals:
            number = branch.established(goal, moment)
            if is_reached and number is not False:
                return self._ended(made, branch, number)
        why = branch.impossible()
        if why is not False:
            return self._ended(made, branch, why)
        if self.by_cases:
            return self._leaf_by_cases(made, goals, branch)
        self.failure = self._failure_message(*goals[0], rules, branch)
        return None

    def _leaf_by_cases(
        self,
        made: Sequence[MadeStep | Note],
        goals: Sequence[tuple[Statement, Tense]],
        branch: SearchContext,
    ) -> CaseProof | None:
        closed = self._by_inversions(goals, self.sources, branch, one_moment=False)
        if closed is None:
            return None
        steps, mentioned = needed(made, branch, map(Ref, closed.used))
        self.used |= mentioned
        return replace(closed.proof, steps=(*steps, *closed.proof.steps))

    def _ended(self, made: Sequence[MadeStep | Note], branch: SearchContext, end: Found) -> Leaf:
        """Return a leaf with the steps on which its end depends."""
        steps, mentioned = needed(made, branch, [end])
        self.used |= mentioned
        return Leaf(steps)

    def _failure_message(
        self, goal: Statement, moment: Tense, rules: Sequence[TimedRule], context: SearchContext
    ) -> str:
        """Return a message: the rules that would have concluded a goal, down to a condition that no rule
        concludes.
        """
        messages: list[str] = []
        while (found := nearest(goal, moment, rules, context)) is not None and len(
            messages
        ) < MAX_NAMED_RULES:
            name, missing = found
            if not missing:
                break
            lacking = missing[0]
            messages.append(f"`{name}` lacks `{shown(lacking)}`")
            if not isinstance(lacking, Statement):
                break
            reading = next(r for r in rules if r.rule.name == name)
            goal, moment = lacking, place_of(lacking, reading.moment, self.words)[1] or "before"
        return "".join(f"; {each}" for each in messages)

    def _split_terms(self, name: str, pairs: Iterable[tuple[Term, Term]], known: SearchContext) -> list[Term]:
        """Return the terms of the rule that must be distinguished from a reply's variable."""
        variable, own = known.find(Variable(name)), shared_variables(self.rule)
        others = {b if a == variable else a for a, b in pairs if variable in (a, b)}
        return sorted((t for t in others if isinstance(t, Constant) or t.name in own), key=print_term)

    def _variables_of_sort(self, name: str, case: ReplyAlternative) -> list[Term]:
        """Return the variables of the rule that have the sort of a reply's variable."""
        sort = next(
            column.name
            for s in case.said
            for term, column in zip(s.terms, self.words.predicates[predicate_of(s)].columns, strict=False)
            if term == Variable(name)
        )
        return [Variable(each) for each, of in sorts_of(self.rule, self.words).items() if of == sort]

    def _opening(self, replies: Replies, context: SearchContext) -> Opening | None:
        """Return a reply that the opponent can play whenever the conditions hold; None if there is none."""
        for number, (case, own) in enumerate(
            zip(replies.cases, alternatives(self.rule, replies), strict=True)
        ):
            if case.unless is not None:
                continue
            for bound in self._played(own, context):
                opening = number, tuple(sorted(bound.items()))
                conditions = opening_conditions(self.rule, replies, opening)
                found = [context.proof(condition, "before") for condition in conditions]
                if False not in found:
                    self.used |= needed((), context, found)[1]
                    return opening
        return None

    def _played(self, case: ReplyAlternative, context: SearchContext) -> Iterator[dict[str, Term]]:
        """Yield bindings of a reply's variables, by their names in the theory, under which its conditions may
        hold.
        """
        marked = {name: Variable(f"{name}{OPEN}") for name in case.variables}
        patterns = [apply_to_condition(condition, marked) for condition in case.case.conditions]
        shared = {v.name for condition in patterns for v in outer_variables([condition])}
        free = [name for name in case.variables if f"{name}{OPEN}" not in shared]
        if not all(things := [self._variables_of_sort(name, case) for name in free]):
            return
        anything = {name.removesuffix(REPLY_MARK): found[0] for name, found in zip(free, things, strict=True)}
        for bound in matching_bindings(
            patterns, frozenset(shared) & {v.name for v in marked.values()}, context, "before"
        ):
            yield anything | {
                name.removesuffix(OPEN).removesuffix(REPLY_MARK): term for name, term in bound.items()
            }
