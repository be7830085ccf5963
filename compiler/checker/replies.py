"""Proofs that a game is won although the opponent plays first, by a case analysis over his replies.

The theory declares the possible actions of the opponent (`replies`). Each alternative has a branch with one
reply. Nothing is known about this reply except the conditions of the alternative, and its variables occur in
no rule. A proof may split a branch by the values of these variables. At each leaf, the game is won for the
friend after the reply, or the reply is impossible. One reply must be proved to be playable: a player who
cannot move has not lost for that reason (zugzwang, stalemate), unless the game defines it so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.checker.cases import CaseChecker
from hornbook.compiler.checker.certificate import REPLY_MARK, Certificate, Leaf, Opening
from hornbook.compiler.checker.context import ProofContext, RejectedError, atoms_of, listed
from hornbook.compiler.checker.language import sorts_of
from hornbook.compiler.checker.proofs import contradicts, proves
from hornbook.compiler.checker.steps import AppliedRule, is_timeless, reason
from hornbook.kb.ast.declarations import INTEGER_SORT, Replies, ReplyCase, Sort
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON_TO_PLAY,
    Condition,
    GameStatement,
    Rule,
    Statement,
    Term,
    Variable,
    condition_variables,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.text.counts import counted


@dataclass(frozen=True, slots=True)
class ReplyAlternative:
    """A case of the theory's replies, instantiated with the learned rule's game and one reply."""

    case: ReplyCase
    variables: tuple[str, ...]
    """The names of the reply's own variables, each with REPLY_MARK."""

    @property
    def said(self) -> tuple[Statement, ...]:
        """Return every statement of the case."""
        unless = () if self.case.unless is None else (self.case.unless,)
        return (self.case.action, *statements(self.case.conditions), *unless)


def replies_to(rule: Rule, theory: Theory) -> Replies:
    """Return the replies clause for a learned rule. Raise RejectedError if there is none."""
    if not (isinstance(rule.head, GameStatement) and rule.head.by is None and is_timeless(rule)):
        raise RejectedError("only the value of a game at any one moment is proved reply by reply")
    if rule.head.value != SECOND_PLAYER_WIN:
        raise RejectedError(f"only the value `{SECOND_PLAYER_WIN.value}` is proved reply by reply")
    if any(v.name.endswith(REPLY_MARK) for v in _all_variables(rule)):
        raise RejectedError(f"a variable of the rule has a name that ends with `{REPLY_MARK}`")
    found = theory.replies_of(rule.head.game.predicate)
    if found is None:
        raise RejectedError(f"the theory does not declare the replies in `{rule.head.game.predicate}`")
    return found


def alternatives(rule: Rule, replies: Replies) -> tuple[ReplyAlternative, ...]:
    """Return the cases of the replies to a learned rule, each with its own variables."""
    return tuple(_alternative(case, _arguments(rule, replies)) for case in replies.cases)


def _arguments(rule: Rule, replies: Replies) -> dict[str, Term]:
    """Return the terms of the learned rule for the arguments of the game in the theory's clause."""
    assert isinstance(rule.head, GameStatement)
    declared = zip(replies.game.terms, rule.head.game.terms, strict=True)
    return {variable.name: term for variable, term in declared if isinstance(variable, Variable)}


def _own_names(case: ReplyCase, arguments: Mapping[str, Term]) -> list[str]:
    unless = () if case.unless is None else (case.unless,)
    parts: tuple[Condition, ...] = (case.action, *case.conditions, *unless)
    names = dict.fromkeys(v.name for part in parts for v in condition_variables(part))
    return [name for name in names if name not in arguments]


def _alternative(case: ReplyCase, arguments: Mapping[str, Term]) -> ReplyAlternative:
    own = {name: Variable(f"{name}{REPLY_MARK}") for name in _own_names(case, arguments)}
    terms = {**own, **arguments}
    instance = replace(
        case,
        action=apply_to_statement(case.action, terms),
        conditions=tuple(apply_to_condition(condition, terms) for condition in case.conditions),
        unless=None if case.unless is None else apply_to_statement(case.unless, terms),
    )
    return ReplyAlternative(instance, tuple(variable.name for variable in own.values()))


def check_replies(
    context: ProofContext, rule: Rule, certificate: Certificate, sources: Mapping[str, AppliedRule]
) -> None:
    """Check that a game is won after every reply; the context contains the facts known before the reply.

    Raise RejectedError if a case is not proved.
    """
    replies = replies_to(rule, context.usable.theory)
    cases, proofs = alternatives(rule, replies), certificate.replies
    if len(proofs) != len(cases):
        raise RejectedError(
            f"the theory has {counted(len(cases), 'alternative')} of replies and the certificate proves"
            f" {len(proofs)}"
        )
    _check_opening(context, rule, replies, certificate)
    walk = CaseChecker(shared_variables(rule), sources, one_moment=False)
    for number, (case, proof) in enumerate(zip(cases, proofs, strict=True), 1):
        branch = context.branch(case.variables)
        branch.take([case.case.action], None)
        branch.take(case.case.conditions, "before")
        where = f"reply {number} (`{print_condition(case.case.action)}`)"
        walk.prove(proof, branch, _end_of_reply(rule, case), where, frozenset(case.variables))


def won_after(rule: Rule) -> list[GameStatement]:
    """Return the alternative goals after a reply: the learned rule's game is won for the friend to play."""
    assert isinstance(rule.head, GameStatement)
    game = replace(rule.head.game, tense="after")
    return [GameStatement(game, None, value) for value in WON_TO_PLAY]


def _end_of_reply(rule: Rule, case: ReplyAlternative) -> Callable[[Leaf, ProofContext], None]:
    """Return the check for the end of a case: the game is won, or the reply cannot be played."""
    won = won_after(rule)

    def ends(leaf: Leaf, branch: ProofContext) -> None:
        match None if leaf.members else leaf.end:
            case ("known", notes, number):
                branch.note(notes)
                if any(branch.is_known(statement, "after", number) for statement in won):
                    return
            case ("barred", notes, number) if case.case.unless is not None:
                branch.note(notes)
                if branch.is_known(case.case.unless, "before", number):
                    return
            case ("impossible", notes, contradiction):
                branch.note(notes)
                if contradicts(branch, contradiction) is not None:
                    return
        unless = case.case.unless
        barred = "" if unless is None else f", nor `{print_condition(unless)}` before it"
        raise RejectedError(
            f"nothing concludes `{print_condition(won[0])}`{barred}, and nothing contradicts the reply"
        )

    return ends


# Existence of a reply


def opening_conditions(rule: Rule, replies: Replies, opening: Opening) -> tuple[Condition, ...]:
    """Return the conditions under which a reply can be made; none if the theory has no such alternative."""
    number, terms = opening
    if not 0 <= number < len(replies.cases):
        return ()
    substitution = {**dict(terms), **_arguments(rule, replies)}
    return tuple(apply_to_condition(c, substitution) for c in replies.cases[number].conditions)


def _check_opening(context: ProofContext, rule: Rule, replies: Replies, certificate: Certificate) -> None:
    """Check that the certificate names a reply that the opponent can play whenever the rule's conditions
    hold.
    """
    nothing = "the opponent may have no reply: zugzwang or stalemate"
    if certificate.open is None:
        raise RejectedError(f"{nothing}: the certificate names none that he can play")
    (number, terms), vocabulary = certificate.open, context.vocabulary
    if not 0 <= number < len(replies.cases):
        raise RejectedError(f"{nothing}: there is no alternative {number + 1} of the replies")
    case, arguments, given = replies.cases[number], _arguments(rule, replies), dict(terms)
    if case.unless is not None:
        raise RejectedError(f"{nothing}: a reply with an `unless` may be barred and not be known to be")
    if set(given) != set(_own_names(case, arguments)) or len(given) != len(terms):
        raise RejectedError(f"{nothing}: the value of some variable of the reply is missing")
    for term in given.values():
        if isinstance(term, Variable) and term.name not in context.own:
            raise RejectedError(f"{nothing}: `?{term.name}` is no variable of the learned rule")
    proofs, notes = map(listed, certificate.opened)
    if len(proofs) > len(case.conditions):
        raise RejectedError("the reply that is open is proved to fulfil more conditions than it has")
    context.note(notes)
    for place, instance in enumerate(opening_conditions(rule, replies, certificate.open)):
        if place >= len(proofs) or not proves(context, instance, "before", proofs[place]):
            raise RejectedError(f"{nothing}: {reason(instance, 'before')}")
    # Variables in a condition have the right sort because the condition holds.
    known = {v.name for s in statements(case.conditions) for v in condition_variables(s)} | arguments.keys()
    for term, column in zip(
        case.action.terms, vocabulary.predicates[case.action.predicate].columns, strict=True
    ):
        if isinstance(term, Variable) and term.name not in known:
            value = given[term.name]
            if not _is_of_sort(value, vocabulary.sorts[column.name], rule, vocabulary):
                raise RejectedError(f"{nothing}: {_shown(value)} is no `{column.name}`")


def _is_of_sort(term: Term, sort: Sort, rule: Rule, vocabulary: Vocabulary) -> bool:
    """Return whether a term of a rule certainly has a sort."""
    if isinstance(term, Variable):
        found = sorts_of(rule, vocabulary).get(term.name)
        return found == sort.name or (found == INTEGER_SORT and sort.kind == "integer")
    if sort.kind == "integer":
        return isinstance(term.value, int)
    if sort.kind == "enumerated":
        return term.value in sort.constants
    # Other sorts contain the constants that occur in their columns. If the rule's conditions hold, their
    # facts contain these constants.
    atoms = (atom for s in statements(rule.body, nested=False) for atom in atoms_of(s))
    return any(
        term == occurring and column.name == sort.name
        for atom in atoms
        for occurring, column in zip(atom.terms, vocabulary.predicates[atom.predicate].columns, strict=True)
    )


def _all_variables(rule: Rule) -> list[Variable]:
    return [v for condition in (rule.head, *rule.body) for v in condition_variables(condition)]


def _shown(term: Term) -> str:
    return f"`{print_term(term)}`"
