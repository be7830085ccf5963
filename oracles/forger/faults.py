"""Checkers with one mistake each, to see that the forger finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from hornbook.compiler.checker import checker, constraints, context, replies
from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.checker.context import Context
from hornbook.compiler.checker.established import Constraints, Established
from hornbook.compiler.checker.replies import Leaf
from hornbook.kb.ast.terms import Comparison, Rule
from hornbook.kb.ast.theory import Theory

Fault = Callable[[ExitStack], None]


def _put(stack: ExitStack, owner: Any, name: str, value: Any) -> None:
    stack.enter_context(patch.object(owner, name, value))


def _nothing(*_arguments: object, **_named: object) -> None:
    """What raises nothing."""


def _any_world(stack: ExitStack) -> None:
    _put(stack, checker, "_refuse_other_worlds", _nothing)


def _any_key(stack: ExitStack) -> None:
    whole = constraints.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        places = Constraints(frozenset(known.keys), frozenset(known.counts))
        return replace(known, given=places, reached=places)

    _put(stack, checker, "constraints", all_of)


def _any_count(stack: ExitStack) -> None:
    whole = constraints.constraints

    def all_of(theory: Theory) -> Any:
        known = whole(theory)
        given = replace(known.given, closed=frozenset(known.counts))
        reached = replace(known.reached, closed=frozenset(known.counts))
        return replace(known, given=given, reached=reached)

    _put(stack, checker, "constraints", all_of)


def _lemmas_anywhere(stack: ExitStack) -> None:
    def of(rule: Rule, certificate: Certificate) -> Lemma:
        return Lemma(rule, certificate.rank, reached=True)

    _put(stack, Lemma, "of", staticmethod(of))


def _any_moment(stack: ExitStack) -> None:
    whole = checker.replay_step

    def step(number: int, one: Any, source: Rule, into: Context, *, one_moment: bool) -> None:
        whole(number, one, source, into, one_moment=False)

    _put(stack, checker, "replay_step", step)


def _no_moments(stack: ExitStack) -> None:
    whole = Established.moment_of

    def moment_of(self: Established, statement: Any, moment: Any) -> Any:
        return None if whole(self, statement, moment) is None else "before"

    _put(stack, Established, "moment_of", moment_of)


def _members_are_two(stack: ExitStack) -> None:
    _put(stack, Context, "_different_rows", lambda _self, one, other: one != other)


def _words_differ(stack: ExitStack) -> None:
    whole = Established.compares

    def compares(self: Established, comparison: Comparison) -> bool:
        return (comparison.operator == "!=" and comparison.left != comparison.right) or whole(
            self, comparison
        )

    _put(stack, Established, "compares", compares)


def _numbers_never_end(stack: ExitStack) -> None:
    _put(stack, Established, "_fits", lambda *_: True)


def _strict_is_not(stack: ExitStack) -> None:
    whole = Established.compares

    def compares(self: Established, comparison: Comparison) -> bool:
        weaker = {"<": "<=", ">": ">="}.get(comparison.operator, comparison.operator)
        return whole(self, replace(comparison, operator=weaker))  # type: ignore[arg-type]

    _put(stack, Established, "compares", compares)


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
    def holds(self: Context, condition: Any, moment: Any) -> bool:
        return self._size(self.closed_set(condition.member, len(condition.variables), moment)) is not None

    _put(stack, Context, "_all_holds", holds)


def _any_conclusion(stack: ExitStack) -> None:
    whole = Context.established

    def known(self: Context, statement: Any, moment: Any) -> bool:
        return whole(self, statement, moment) or whole(
            self, statement, "before" if moment == "after" else "after"
        )

    _put(stack, Context, "established", known)


def _open_variables(stack: ExitStack) -> None:
    _put(stack, context, "_is_open", lambda variable: variable.name.endswith("@") or len(variable.name) > 6)


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
