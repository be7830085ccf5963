"""Changes that a knowledge base refuses although each fact and rule is valid.

- The theory would no longer be the one for which learned rules are proved.
- A state would have two actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.kb.ast.terms import Atom, Rule, Statement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.coding import Coding
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ONE_ACTION
from hornbook.matcher.program.coded import Fact
from hornbook.matcher.program.engine import Engine


def refuse_another_theory(
    theory: Theory,
    removed: Iterable[Statement],
    added: Sequence[Rule],
    assumed: Sequence[Statement],
    proved: Sequence[Rule],
) -> None:
    """Raise KnowledgeBaseError if a change may invalidate the proofs of lemmas or learned rules.

    The change may remove a static fact of the theory, add a rule or assume a fact. Derivations stay valid
    when rules are added. Two kinds of proof may not. The first is a case analysis over all rules of a
    relation, if one more such rule is added. The second is a proof about other actions or about every reply,
    in a theory with games. An assumed fact counts as one more rule for its relation.
    """
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    learned = any(rule.learned for rule in proved)
    what, again = ("learned rules", "renew") if learned else ("lemmas", "prove")
    if shown := min(map(print_condition, removed), default=None):
        raise KnowledgeBaseError(
            f"{what} may rest on `{shown}`, which the theory states; remove it from the theory, and "
            f"{again} them"
        )
    exclusive = {name for rule in proved for name in rule.alone}
    of_games = learned or any(not isinstance(rule.head, Atom) for rule in proved)
    has_games = of_games and any(p.kind == "game" for p in theory.vocabulary.predicates.values())
    for fact in assumed:
        if has_games or fact.relation in exclusive:
            raise KnowledgeBaseError(
                f"{what} are proved of the theory without the assumption `{print_condition(fact)}`, "
                "which may make them"
                f" wrong; assume nothing of `{fact.relation}`, or leave the {what} out"
            )
    wrong = next((rule for rule in added if has_games or rule.head.relation in exclusive), None)
    if wrong is not None:
        raise KnowledgeBaseError(
            f"{what} are proved of the theory without the rule `{wrong.name}`, which may make them "
            "wrong; take it"
            f" back, or write it into the theory and {again} them"
        )


def refuse_second_action(
    engine: Engine, coding: Coding, add: Iterable[Fact], retract: Iterable[Fact]
) -> None:
    """Raise KnowledgeBaseError if a change would leave two actions in the state."""
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    come = {fact for fact in add if fact.predicate in coding.actions}
    if not come:
        return
    stay = {Fact(n, cells) for n in coding.actions for cells in engine.given(n)}
    there = stay.difference(retract) | come
    if len(there) > 1:
        one, other, *_ = sorted(print_condition(coding.statement(fact)) for fact in there)
        raise KnowledgeBaseError(f"two actions in one state, `{one}` and `{other}`; {ONE_ACTION}")
