"""Checkers with one mistake each, to test that the forger finds it, and witness finders that lie.

A mistake of the checker is also made by the witness finder, since otherwise no witness would depend on it. If
only the witness finder lies (`LIES`), the checker must refuse false rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from hornbook.compiler.checker import cases, checker, context, dependencies, keys, proofs, replies
from hornbook.compiler.checker.certificate import Certificate, Leaf, Split
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.checker.members import MemberGoal
from hornbook.compiler.generalise import certification
from hornbook.compiler.witness import constraints, search
from hornbook.compiler.witness.context import Introduce, SearchContext
from hornbook.compiler.witness.members import WitnessGoal
from hornbook.compiler.witness.proof_state import Constraints, ProofState, Ref
from hornbook.kb.ast.operators import FUNCTIONS
from hornbook.kb.ast.terms import Absent, Comparison, Constant, Node, Operation, Rule, parts, statements
from hornbook.kb.ast.theory import Theory

Fault = Callable[[ExitStack], None]
CALLED = FUNCTIONS.keys() - {"min", "max", "abs"}


def _put(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    stack.enter_context(patch.object(owner, name, value))


def _nothing(*_arguments: object, **_named: object) -> None:
    """Accept everything: a check that raises nothing."""


def _any_world(stack: ExitStack) -> None:
    _put(stack, checker, "_refuse_other_worlds", _nothing)


def _finds_any_key(stack: ExitStack) -> None:
    whole = search.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        places = Constraints(frozenset(known.keys), known.given.closed)
        return replace(known, given=places, reached=replace(places, closed=known.reached.closed))

    _put(stack, search, "constraints", all_of)


def _any_key(stack: ExitStack) -> None:
    _finds_any_key(stack)
    _put(stack, dependencies.IntegrityAssumptions, "_keyed", lambda *_: True)


def _finds_any_count(stack: ExitStack) -> None:
    whole = search.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        given = replace(known.given, closed=frozenset(known.counts))
        reached = replace(known.reached, closed=frozenset(known.counts))
        return replace(known, given=given, reached=reached)

    _put(stack, search, "constraints", all_of)


def _any_count(stack: ExitStack) -> None:
    _finds_any_count(stack)
    _put(stack, dependencies.IntegrityAssumptions, "_counted", lambda *_: True)


def _members_act(stack: ExitStack) -> None:
    def two_actions(usable: dependencies.IntegrityAssumptions, rules: Iterable[Rule]) -> bool:
        words = usable.theory.vocabulary.predicates
        relations = {s.relation for rule in rules for s in statements(rule.body)}
        return len({name for name in relations if name in words and words[name].kind == "action"}) > 1

    for owner in (keys, constraints):
        _put(stack, owner, "have_two_actions", two_actions)


def _lemmas_anywhere(stack: ExitStack) -> None:
    def of(rule: Rule, certificate: Certificate) -> Lemma:
        return Lemma(rule, certificate.rank, reached=True)

    _put(stack, Lemma, "of", staticmethod(of))


def _any_moment(stack: ExitStack) -> None:
    for owner in (checker, search):
        _put(stack, owner, "is_of_one_moment", lambda _rule: False)


def _finds_no_moments(stack: ExitStack) -> None:
    whole = ProofState.moment_of

    def moment_of(self: ProofState, statement: Any, moment: Any) -> Any:
        return None if whole(self, statement, moment) is None else "before"

    _put(stack, ProofState, "moment_of", moment_of)


def _no_moments(stack: ExitStack) -> None:
    _finds_no_moments(stack)
    place = context.ProofContext.place

    def place_of(self: context.ProofContext, statement: Any, moment: Any) -> Any:
        relation, at = place(self, statement, moment)
        return relation, None if at is None else "before"

    _put(stack, context.ProofContext, "place", place_of)


def _finds_members_two(stack: ExitStack) -> None:
    _put(stack, SearchContext, "_different_rows", lambda _self, one, other: None if one != other else False)


def _members_are_two(stack: ExitStack) -> None:
    _finds_members_two(stack)
    _put(stack, proofs, "_differ", lambda _context, one, other, _witness: one != other)


def _differ(comparison: Comparison) -> bool:
    return comparison.operator == "!=" and comparison.left != comparison.right


def _finds_words_differ(stack: ExitStack) -> None:
    whole = ProofState.compares

    def compares(self: ProofState, comparison: Comparison) -> Any:
        return ("apart", None) if _differ(comparison) else whole(self, comparison)

    _put(stack, ProofState, "compares", compares)


def _words_differ(stack: ExitStack) -> None:
    checked = proofs.compares

    def compared(of: context.ProofContext, comparison: Comparison, witness: Any) -> bool:
        return _differ(comparison) or checked(of, comparison, witness)

    _finds_words_differ(stack)
    _put(stack, proofs, "compares", compared)


def _calls(comparison: Comparison) -> bool:
    """Return whether a function of words, dates or decimal numbers is called."""
    todo: list[Node] = [comparison]
    while todo:
        node = todo.pop()
        if isinstance(node, Operation) and node.operator in CALLED:
            return True
        todo += parts(node)
    return False


def _finds_any_call(stack: ExitStack) -> None:
    whole = ProofState.compares

    def compares(self: ProofState, comparison: Comparison) -> Any:
        found = whole(self, comparison)
        return ("linear", (), (), None, None) if found is False and _calls(comparison) else found

    _put(stack, ProofState, "compares", compares)


def _any_call(stack: ExitStack) -> None:
    checked = proofs.compares

    def compared(of: context.ProofContext, comparison: Comparison, witness: Any) -> bool:
        return _calls(comparison) or checked(of, comparison, witness)

    _finds_any_call(stack)
    _put(stack, proofs, "compares", compared)


def _finds_no_ends(stack: ExitStack) -> None:
    _put(stack, ProofState, "_fits", lambda *_: None)


def _numbers_never_end(stack: ExitStack) -> None:
    _finds_no_ends(stack)
    _put(stack, proofs, "_fits", lambda *_: True)


def _weaker(comparison: Comparison) -> Comparison:
    operator = {"<": "<=", ">": ">="}.get(comparison.operator, comparison.operator)
    return replace(comparison, operator=operator)  # type: ignore[arg-type]


def _finds_weaker(stack: ExitStack) -> None:
    whole = ProofState.compares
    _put(stack, ProofState, "compares", lambda self, comparison: whole(self, _weaker(comparison)))


def _strict_is_not(stack: ExitStack) -> None:
    checked = proofs.compares

    def compared(of: context.ProofContext, comparison: Comparison, witness: Any) -> bool:
        return checked(of, _weaker(comparison), witness)

    _finds_weaker(stack)
    _put(stack, proofs, "compares", compared)


def _some_replies(stack: ExitStack) -> None:
    whole = cases.CaseChecker.prove

    def prove(self: Any, proof: Any, *rest: Any) -> None:
        whole(self, replace(proof, rest=proof.cases[0][1]) if isinstance(proof, Split) else proof, *rest)

    _put(stack, cases.CaseChecker, "prove", prove)


def _one_case(stack: ExitStack) -> None:
    whole = cases.CaseChecker.prove

    def prove(self: Any, proof: Any, branch: Any, ends: Any, where: str, *rest: Any) -> None:
        if where.startswith("reply 1") or not isinstance(proof, Leaf):
            whole(self, proof, branch, ends, where, *rest)

    _put(stack, cases.CaseChecker, "prove", prove)


def _no_opening(stack: ExitStack) -> None:
    _put(stack, replies, "_check_opening", _nothing)


def _any_sort(stack: ExitStack) -> None:
    _put(stack, replies, "_is_of_sort", lambda *_: True)


def _all_is_a_member(stack: ExitStack) -> None:
    def holds(self: SearchContext, condition: Any, moment: Any) -> Any:
        size = self.size(self.closed_set(condition.member, len(condition.variables), moment))
        return size is not None and ("each",)

    def proved(of: context.ProofContext, condition: Any, moment: Any, _witness: Any) -> bool:
        closed = of.closed_set(condition.member, len(condition.variables), moment)
        sizes = (
            of.size(closed, number) for number, (known, _) in enumerate(of._known) if hasattr(known, "terms")
        )
        return any(isinstance(size, Constant) for size in sizes)

    _put(stack, SearchContext, "_all_holds", holds)
    _put(stack, proofs, "_proves_all", proved)


def _any_conclusion(stack: ExitStack) -> None:
    whole, checked = SearchContext.established, context.ProofContext.is_known

    def other(moment: Any) -> Any:
        return "before" if moment == "after" else "after"

    def known(self: SearchContext, statement: Any, moment: Any) -> Any:
        found = whole(self, statement, moment)
        return whole(self, statement, other(moment)) if found is False else found

    def is_known(self: context.ProofContext, statement: Any, moment: Any, number: Any) -> bool:
        return checked(self, statement, moment, number) or checked(self, statement, other(moment), number)

    _put(stack, SearchContext, "established", known)
    _put(stack, context.ProofContext, "is_known", is_known)


def _finds_any_absence(stack: ExitStack) -> None:
    whole = SearchContext._summary_holds

    def holds(self: SearchContext, condition: Any, moment: Any) -> Any:
        known = [number for known, _, number in self.summaries if isinstance(known, Absent)]
        if isinstance(condition, Absent) and known:
            return ("known", Ref(known[0]))
        return whole(self, condition, moment)

    _put(stack, SearchContext, "_summary_holds", holds)


def _any_absence(stack: ExitStack) -> None:
    _finds_any_absence(stack)
    whole = proofs._is_known_summary

    def is_known(of: context.ProofContext, condition: Any, moment: Any, witness: Any) -> bool:
        return isinstance(condition, Absent) or whole(of, condition, moment, witness)

    _put(stack, proofs, "_is_known_summary", is_known)


def _any_sum(stack: ExitStack) -> None:
    """Treat all sums as equal."""

    def holds(self: SearchContext, condition: Any, moment: Any) -> Any:
        return next(
            (("known", Ref(n)) for known, _, n in self.summaries if type(known) is type(condition)), False
        )

    _put(stack, SearchContext, "_summary_holds", holds)
    _put(stack, proofs, "_is_known_summary", lambda *_: True)


def _known_after_actions(stack: ExitStack) -> None:
    for owner in (checker, certification):
        _put(stack, owner, "depends_on_absence", lambda *_: False)


def _added_is_new(stack: ExitStack) -> None:
    goal_proof = search.goal_proof

    def found(context: SearchContext, member: WitnessGoal, introduce: Introduce) -> Any:
        return goal_proof(context, replace(member, added=None), introduce)

    def is_proved(of: MemberGoal, *others: Any) -> bool:
        return is_goal_proved(replace(of, added=None), *others)

    is_goal_proved = cases.is_goal_proved
    _put(stack, search, "goal_proof", found)
    _put(stack, cases, "is_goal_proved", is_proved)


FAULTS: Mapping[str, Fault] = {
    "what rests on one action is lent to another": _any_world,
    "every key holds everywhere": _any_key,
    "every set is closed everywhere": _any_count,
    "what is asked of each member of a set is asked outright": _members_act,
    "every lemma holds after actions": _lemmas_anywhere,
    "a rule of one moment is proved by two": _any_moment,
    "before and after are one": _no_moments,
    "two members are two things": _members_are_two,
    "two terms are two things": _words_differ,
    "numbers never end": _numbers_never_end,
    "less is less or equal": _strict_is_not,
    "what a function gives is not asked": _any_call,
    "all other replies are like the first": _some_replies,
    "one case stands for all": _one_case,
    "there always is a reply": _no_opening,
    "a reply's word is of any sort": _any_sort,
    "all is proved by the count": _all_is_a_member,
    "what is concluded holds at both moments": _any_conclusion,
    "one absence proves another": _any_absence,
    "one sum is another": _any_sum,
    "all is known after actions too": _known_after_actions,
    "a member that a set gains is another one": _added_is_new,
}
"""The unjustified assumption of each checker."""


def _finds_any_equal(stack: ExitStack) -> None:
    whole = ProofState.compares

    def compares(self: ProofState, comparison: Comparison) -> Any:
        return ("same",) if comparison.operator == "=" else whole(self, comparison)

    _put(stack, ProofState, "compares", compares)


def _finds_all_known(stack: ExitStack) -> None:
    whole = SearchContext._all_holds

    def holds(self: SearchContext, condition: Any, moment: Any) -> Any:
        found = whole(self, condition, moment)
        return ("known", Ref(self.alls[0][2])) if found is False and self.alls else found

    _put(stack, SearchContext, "_all_holds", holds)


def _finds_any_moment(stack: ExitStack) -> None:
    _put(stack, search, "is_of_one_moment", lambda _rule: False)


LIES: Mapping[str, Fault] = {
    "every key holds everywhere": _finds_any_key,
    "every set is closed everywhere": _finds_any_count,
    "before and after are one": _finds_no_moments,
    "two members are two things": _finds_members_two,
    "two terms are two things": _finds_words_differ,
    "two terms are one thing": _finds_any_equal,
    "numbers never end": _finds_no_ends,
    "less is less or equal": _finds_weaker,
    "what a function gives is not asked": _finds_any_call,
    "an all says what another does": _finds_all_known,
    "a rule of one moment is proved by two": _finds_any_moment,
    "one absence proves another": _finds_any_absence,
}
"""The unjustified assumption of each witness finder."""
