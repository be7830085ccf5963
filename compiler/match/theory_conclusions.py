"""The conclusions of a theory's own rules about the games of a state, without learned rules.

Invariants: Every conclusion is a consequence of the theory and the facts of the query about the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.compiler.match.position import Conclusion, IncrementalState
from hornbook.kb.ast.terms import GameStatement, Term
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import Limits
from hornbook.theories.protocols.games import RuleQuery


def theory_conclusions(
    theory: Theory, queries: Iterable[RuleQuery], limits: Limits | None = None
) -> list[Conclusion]:
    """Return what the rules of a theory, and its proved lemmas, conclude about the games of some queries.

    If the theory has none of these games, all its own games are queried.

    There is one conclusion for each statement and each rule that concludes it.

    Raises:
        KnowledgeBaseError: A limit is exceeded, or the facts of a query contradict the theory.
    """
    found: dict[tuple[str, GameStatement], Conclusion] = {}
    with collector_paused():
        state = IncrementalState(KnowledgeBase(theory, derivations="all", limits=limits))
        for query in queries:
            state.at_parts(query.parts)
            games = {(game.predicate, game.terms) for game in query.games}
            for each in _concluded(state.base, games):
                found.setdefault((each.rule, each.of_game), each)
    return list(found.values())


def _concluded(base: KnowledgeBase, games: set[tuple[str, tuple[Term, ...]]]) -> Iterator[Conclusion]:
    """Yield the conclusions that hold in a knowledge base about some games, given as names with terms.

    If the theory has none of these games, its conclusions about its own games are yielded.
    """
    engine = base.engine
    relations = [
        each for each in base.relations() if isinstance(each, GameStatement) and each.tense != "after"
    ]
    queried = {each.game.predicate for each in relations} & {name for name, _ in games}
    for relation in relations:
        if queried and relation.game.predicate not in queried:
            continue
        for statement in engine.statements(relation.relation, relation.tense):
            assert isinstance(statement, GameStatement)
            if queried and (statement.game.predicate, statement.game.terms) not in games:
                continue
            for derivation in engine.derivations(engine.encode(statement)):
                _, rule, _ = engine.rule_of(derivation.rule)
                bindings = engine.substitution(derivation).items()
                named = {name: value for name, value in bindings if not name.startswith("_")}
                yield Conclusion(rule.name, statement, named, derivation)
