"""Invariants of games: properties that proved rules restore after each move of the opponent.

A clause `before GAME by ACTION is GI :- …, after WORD(…)` says that a player wins the game by restoring the
word. A proved rule `GAME is IG :- …` whose body has the conditions of a clause of the word says that this is
always possible. If there is such a rule for each clause, the word is an invariant. It then holds as long as
the game goes on, unless the game is won in another way (docs/explanation/why-a-learned-rule-is-right.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from hornbook.compiler.witness.entailment import Arithmetic
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON_TO_PLAY,
    Atom,
    Comparison,
    Condition,
    GameStatement,
    Rule,
    Variable,
    expression_variables,
    shared_variables,
)
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Invariant:
    """The words that a game restores.

    `proved` contains the names of their clauses for which rules prove that one of the words is restored;
    `unproved` contains the other names.
    """

    game: str
    words: tuple[str, ...]
    proved: tuple[str, ...]
    unproved: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Return whether one of the words, once true, holds as long as the game goes on."""
        return not self.unproved


def invariants(theory: Theory, proved: Iterable[Rule]) -> list[Invariant]:
    """Return the games of a theory that restore words.

    Each of the rules must have an accepted certificate.
    """
    rules = [r for r in proved if isinstance(r.head, GameStatement)]
    restored: dict[str, dict[str, None]] = {}
    for game, word in _restored(theory):
        restored.setdefault(game, {})[word] = None
    found = []
    for game, words in restored.items():
        clauses = [r for r in theory.rules if isinstance(r.head, Atom) and r.head.predicate in words]
        shown = [c.name for c in clauses if any(_restores(rule, c, game, theory) for rule in rules)]
        others = [c.name for c in clauses if c.name not in shown]
        found.append(Invariant(game, tuple(words), tuple(shown), tuple(others)))
    return found


def _restored(theory: Theory) -> Iterator[tuple[str, str]]:
    """Yield each game with a word whose truth after an action, about the arguments of the game, wins it."""
    for rule in theory.rules:
        head = rule.head
        if isinstance(head, GameStatement) and head.by is not None and head.value in WON_TO_PLAY:
            for condition in rule.body:
                if (
                    isinstance(condition, Atom)
                    and condition.tense == "after"
                    and condition.terms == head.game.terms
                    and theory.vocabulary.predicates[condition.predicate].kind == "derived"
                ):
                    yield head.game.predicate, condition.predicate


def _restores(rule: Rule, clause: Rule, game: str, theory: Theory) -> bool:
    """Return whether a rule says that the game is won against every reply whenever a clause applies."""
    head, word = rule.head, clause.head
    assert isinstance(head, GameStatement)
    assert isinstance(word, Atom)
    return (
        head.game.predicate == game
        and head.by is None
        and head.tense is None
        and head.value == SECOND_PLAYER_WIN
        and head.game.terms == word.terms
        and word.tense is None
        and all(_stays(condition, theory) for condition in clause.body)
        and _asks_no_more(rule.body, clause)
    )


def _stays(condition: Condition, theory: Theory) -> bool:
    """Return whether a clause's condition holds in every state with the fluents that an action leaves."""
    if isinstance(condition, Comparison):
        return True
    if not isinstance(condition, Atom) or condition.tense is not None:
        return False
    return theory.vocabulary.predicates[condition.predicate].kind in ("static", "fluent")


def _asks_no_more(body: Sequence[Condition], clause: Rule) -> bool:
    """Return whether each condition is one of the clause, or binds a variable to a number that always
    exists.
    """
    known = set(clause.body)
    names = set(shared_variables(clause))
    numbers = Arithmetic(c for c in clause.body if isinstance(c, Comparison))
    for condition in body:
        if condition in known:
            continue
        if not (
            isinstance(condition, Comparison)
            and condition.operator == "="
            and isinstance(condition.left, Variable)
            and condition.left.name not in names
            and {v.name for v in expression_variables(condition.right)} <= set(shared_variables(clause))
            and numbers.fits(condition.right)
        ):
            return False
        names.add(condition.left.name)
    return True
