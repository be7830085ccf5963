"""Checkers with one mistake each, to see that the forger finds it.

Who finds witnesses makes the mistake too: else none is found that rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from hornbook.compiler.checker import checker, context, promises, proofs, replies
from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.checker.replies import Leaf
from hornbook.compiler.witness import search
from hornbook.compiler.witness.context import Context
from hornbook.compiler.witness.established import Constraints, Established
from hornbook.kb.ast.terms import Comparison, Constant, Rule
from hornbook.kb.ast.theory import Theory

Fault = Callable[[ExitStack], None]


def _put(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    stack.enter_context(patch.object(owner, name, value))


def _nothing(*_arguments: object, **_named: object) -> None:
    """What raises nothing."""


def _any_world(stack: ExitStack) -> None:
    _put(stack, checker, "_refuse_other_worlds", _nothing)


def _any_key(stack: ExitStack) -> None:
    whole = search.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        places = Constraints(frozenset(known.keys), known.given.closed)
        return replace(known, given=places, reached=replace(places, closed=known.reached.closed))

    _put(stack, search, "constraints", all_of)
    _put(stack, promises.Usable, "_keyed", lambda *_: True)


def _any_count(stack: ExitStack) -> None:
    whole = search.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        given = replace(known.given, closed=frozenset(known.counts))
        reached = replace(known.reached, closed=frozenset(known.counts))
        return replace(known, given=given, reached=reached)

    _put(stack, search, "constraints", all_of)
    _put(stack, promises.Usable, "_counted", lambda *_: True)


def _lemmas_anywhere(stack: ExitStack) -> None:
    def of(rule: Rule, certificate: Certificate) -> Lemma:
        return Lemma(rule, certificate.rank, reached=True)

    _put(stack, Lemma, "of", staticmethod(of))


def _any_moment(stack: ExitStack) -> None:
    for owner in (checker, search):
        _put(stack, owner, "of_one_moment", lambda _rule: False)


def _no_moments(stack: ExitStack) -> None:
    whole = Established.moment_of
    place = context.Context.place

    def moment_of(self: Established, statement: Any, moment: Any) -> Any:
        return None if whole(self, statement, moment) is None else "before"

    def place_of(self: context.Context, statement: Any, moment: Any) -> Any:
        relation, at = place(self, statement, moment)
        return relation, None if at is None else "before"

    _put(stack, Established, "moment_of", moment_of)
    _put(stack, context.Context, "place", place_of)


def _members_are_two(stack: ExitStack) -> None:
    _put(stack, Context, "_different_rows", lambda _self, one, other: None if one != other else False)
    _put(stack, proofs, "_differ", lambda _context, one, other, _witness: one != other)


def _words_differ(stack: ExitStack) -> None:
    whole, checked = Established.compares, proofs.compares

    def differ(comparison: Comparison) -> bool:
        return comparison.operator == "!=" and comparison.left != comparison.right

    def compares(self: Established, comparison: Comparison) -> Any:
        return ("same",) if differ(comparison) else whole(self, comparison)

    def compared(of: context.Context, comparison: Comparison, witness: Any) -> bool:
        return differ(comparison) or checked(of, comparison, witness)

    _put(stack, Established, "compares", compares)
    _put(stack, proofs, "compares", compared)


def _numbers_never_end(stack: ExitStack) -> None:
    _put(stack, Established, "_fits", lambda *_: None)
    _put(stack, proofs, "_fits", lambda *_: True)


def _strict_is_not(stack: ExitStack) -> None:
    whole, checked = Established.compares, proofs.compares

    def weaker(comparison: Comparison) -> Comparison:
        operator = {"<": "<=", ">": ">="}.get(comparison.operator, comparison.operator)
        return replace(comparison, operator=operator)  # type: ignore[arg-type]

    def compared(of: context.Context, comparison: Comparison, witness: Any) -> bool:
        return checked(of, weaker(comparison), witness)

    _put(stack, Established, "compares", lambda self, comparison: whole(self, weaker(comparison)))
    _put(stack, proofs, "compares", compared)


def _some_replies(stack: ExitStack) -> None:
    whole = replies._Walk.prove

    def prove(self: Any, proof: Any, *rest: Any) -> None:
        whole(self, proof if isinstance(proof, Leaf) else replace(proof, rest=proof.cases[0][1]), *rest)

    _put(stack, replies._Walk, "prove", prove)


def _one_case(stack: ExitStack) -> None:
    whole = replies._Walk._leaf

    def leaf(self: Any, proof: Any, branch: Any, case: Any, where: str) -> None:
        if where.startswith("reply 1"):
            whole(self, proof, branch, case, where)

    _put(stack, replies._Walk, "_leaf", leaf)


def _no_opening(stack: ExitStack) -> None:
    _put(stack, replies, "_check_opening", _nothing)


def _any_sort(stack: ExitStack) -> None:
    _put(stack, replies, "_is_of_sort", lambda *_: True)


def _all_is_a_member(stack: ExitStack) -> None:
    def holds(self: Context, condition: Any, moment: Any) -> Any:
        size = self._size(self.closed_set(condition.member, len(condition.variables), moment))
        return size is not None and ("each",)

    def proved(of: context.Context, condition: Any, moment: Any, _witness: Any) -> bool:
        closed = of.closed_set(condition.member, len(condition.variables), moment)
        sizes = (
            of.size(closed, number) for number, (known, _) in enumerate(of._known) if hasattr(known, "terms")
        )
        return any(isinstance(size, Constant) for size in sizes)

    _put(stack, Context, "_all_holds", holds)
    _put(stack, proofs, "_proves_all", proved)


def _any_conclusion(stack: ExitStack) -> None:
    whole, checked = Context.established, context.Context.is_known

    def other(moment: Any) -> Any:
        return "before" if moment == "after" else "after"

    def known(self: Context, statement: Any, moment: Any) -> Any:
        found = whole(self, statement, moment)
        return whole(self, statement, other(moment)) if found is False else found

    def is_known(self: context.Context, statement: Any, moment: Any, number: Any) -> bool:
        return checked(self, statement, moment, number) or checked(self, statement, other(moment), number)

    _put(stack, Context, "established", known)
    _put(stack, context.Context, "is_known", is_known)


FAULTS: Mapping[str, Fault] = {
    "what rests on one action is lent to another": _any_world,
    "every key holds everywhere": _any_key,
    "every set is closed everywhere": _any_count,
    "every lemma holds after actions": _lemmas_anywhere,
    "a rule of one moment is proved by two": _any_moment,
    "before and after are one": _no_moments,
    "two members are two things": _members_are_two,
    "two terms are two things": _words_differ,
    "numbers never end": _numbers_never_end,
    "less is less or equal": _strict_is_not,
    "all other replies are like the first": _some_replies,
    "one case stands for all": _one_case,
    "there always is a reply": _no_opening,
    "a reply's word is of any sort": _any_sort,
    "all is proved by the count": _all_is_a_member,
    "what is concluded holds at both moments": _any_conclusion,
}
"""What each checker takes for granted."""
