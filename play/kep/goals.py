"""Learned goals: to make a fact true that a later move needs, or to end a fact that a plan needs.

A learned goal has value 0. Goals are learned in one session, and plans for them in the next. The goal is a
condition on one fluent, with the player who pursues it as its first argument. It is reached when the
condition becomes true or, if `ends` is set, false. Its text is a game of a theory with the rules for it.

Source: Tadepalli 1989, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.trust.known_lemmas import proved
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Variable
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.load.loader import load_text
from hornbook.matcher.program.dataclass import dataclass

WHO = "o"
"""The variable for the player who pursues a goal."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A theory's way to state who acts.

    It has the sort of players, and a condition on ?o and `{0}`, the action's first argument.
    """

    sort: str
    condition: str


@dataclass(frozen=True, slots=True)
class LearnedGoal:
    """A condition with variables; the goal is that it becomes true or, with `ends`, false."""

    condition: Atom
    ends: bool

    @property
    def name(self) -> str:
        """Return the name of the game."""
        words = ["ended" if self.ends else "made", self.condition.predicate]
        for term in self.condition.terms:
            if isinstance(term, Constant):
                words.append(str(term.value))
            elif term == Variable(WHO):
                words.append("own")
        return "_".join(words)

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return the variables of the game, with the player of the goal first."""
        names = (term.name for term in self.condition.terms if isinstance(term, Variable))
        return tuple(dict.fromkeys((WHO, *names)))

    def of(self, player: str, fact: GroundFact) -> Atom:
        """Return the goal of a player to make a fact true, or to end it.

        The fact is an instance of the condition.
        """
        values = dict(zip(self._names(), fact.values, strict=True)) | {WHO: player}
        return Atom(self.name, tuple(Constant(values[name]) for name in self.arguments))

    def fact(self, goal: Atom) -> GroundFact:
        """Return the fact that a goal makes true, or ends."""
        values = dict(zip(self.arguments, goal.terms, strict=True))
        terms = (values[term.name] if isinstance(term, Variable) else term for term in self.condition.terms)
        return GroundFact(
            self.condition.predicate,
            tuple(term.value for term in terms if isinstance(term, Constant)),
            "before",
        )

    def _names(self) -> Iterator[str | None]:
        for term in self.condition.terms:
            yield term.name if isinstance(term, Variable) else None

    def text(self, words: Vocabulary, actor: Actor) -> str:
        """Return the goal as a game, with rules for each action.

        The goal is reached by the action itself, or by its results.
        """
        sorts = {WHO: actor.sort}
        predicate = words.predicates[self.condition.predicate]
        for name, column in zip(self._names(), predicate.columns, strict=True):
            if name is not None and name != WHO:
                sorts[name] = column.name
        columns = ", ".join(sorts[name] for name in self.arguments)
        statement = f"{self.name}({', '.join(f'?{name}' for name in self.arguments)})"
        lines = [f"game {self.name}({columns}) worth 0."]
        for action in words.predicates.values():
            if action.kind == "action" and action.arity:
                lines += self._rules(statement, action, predicate, actor)
        return "\n".join(lines) + "\n"

    def _rules(self, statement: str, action: Predicate, predicate: Predicate, actor: Actor) -> Iterator[str]:
        places = [f"?m{number}" for number in range(action.arity)]
        by = f"{action.name}({', '.join(places)})"
        acts = f"{by}, {actor.condition.format(*places)}"
        here = print_condition(self.condition)
        key = predicate.arity if predicate.key is None else predicate.key
        shown = [print_term(term) for term in self.condition.terms]
        others = [f"?b{number}" for number in range(predicate.arity)]
        for place in range(key, predicate.arity):
            there = f"{predicate.name}({', '.join([*shown[:key], *others[key:]])})"
            first, then = (here, there) if self.ends else (there, here)
            yield (
                f"{self.name}_by_{action.name}_{place}: before {statement} by {by} is GI :-"
                f" {acts}, before {first}, after {then}, {others[place]} != {shown[place]}."
            )
        yield (
            f"{self.name}_after_{action.name}: before {statement} by {by} is GI :-"
            f" {acts}, after {statement} is IG."
        )


def lifted(fact: GroundFact, player: str, opponent: str, words: Vocabulary, *, ends: bool) -> LearnedGoal:
    """Return the generalised goal that a player makes a fact true, or ends it.

    Only words of enumerated sorts that name no player remain constants.
    """
    columns = words.predicates[fact.relation].columns
    terms: list[Constant | Variable] = []
    for place, (value, column) in enumerate(zip(fact.values, columns, strict=True)):
        if value == player:
            terms.append(Variable(WHO))
        elif words.sorts[column.name].kind == "enumerated" and value != opponent:
            terms.append(Constant(value))
        else:
            terms.append(Variable(f"a{place}"))
    return LearnedGoal(Atom(fact.relation, tuple(terms)), ends)


def with_goals(
    theory: Theory, goals: Iterable[LearnedGoal], actor: Actor, file: Path | None = None
) -> Theory:
    """Return a theory extended by learned goals as games, as if they had been loaded from a file.

    Raises TheoryError if the words of the actor do not fit the theory.
    """
    known = list(goals)
    if not known:
        return theory
    place = file or (theory.path or Path("learned.horn")).with_name("learned_goals.horn")
    return load_text(theory_text(theory, known, actor, place.stem), str(place), judge=proved)


def theory_text(theory: Theory, goals: Iterable[LearnedGoal], actor: Actor, name: str) -> str:
    """Return the text of the theory that adds learned goals to another one."""
    texts = [goal.text(theory.vocabulary, actor) for goal in goals]
    return f"theory {name}.\nimport {theory.name}.\n" + "\n".join(texts)


def goals_of(theory: Theory) -> Sequence[LearnedGoal]:
    """Return the learned goals that a theory has as games, in the form that `theory_text` writes."""
    found: dict[str, LearnedGoal] = {}
    for rule in theory.rules:
        head = rule.head
        if isinstance(head, GameStatement) and rule.name.startswith(f"{head.game.predicate}_by_"):
            ends = head.game.predicate.startswith("ended_")
            atoms = [each for each in rule.body if isinstance(each, Atom) and each.tense is not None]
            condition = replace(atoms[-2 if ends else -1], tense=None)
            goal = LearnedGoal(condition, ends)
            if goal.name == head.game.predicate:
                found.setdefault(goal.name, goal)
    return list(found.values())


def by_name(goals: Iterable[LearnedGoal]) -> Mapping[str, LearnedGoal]:
    """Return goals keyed by the names of their games."""
    return {goal.name: goal for goal in goals}
