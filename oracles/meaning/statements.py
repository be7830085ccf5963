"""The clauses of a theory of Go as statements of Coq, about every board.

Each clause becomes a proposition of its name: of every sound position, or every step from one where it speaks of two moments, what it asks for
has what it concludes as a consequence. A word is written as `Words.WORD`, and applied to the position of its moment. `count` and `all` are over the members that
a set has; that its count is known is not asked for, so a statement says at least what its clause says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Statement,
    Term,
    Variable,
    leaves,
    statements,
)
from hornbook.kb.ast.theory import Theory
from oracles.meaning.games import Game

HEAD = """\
(** What each clause of the theory `{theory}` says. Written by `python -m oracles.meaning`: do not edit. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From {name} Require Import Board.
From {name} Require Words.
"""
NUMBERS = {"<": "<", ">": ">", "<=": "<=", ">=": ">="}


def text(theory: Theory, game: Game) -> str:
    """The file of statements: a definition for each clause, in their order. Raises ValueError where one says what is not covered."""
    head = HEAD.format(theory=theory.name, name=game.name)
    return "\n".join((head, *(definition(rule, theory, game) for rule in theory.rules)))


def name(rule: Rule) -> str:
    """What a clause is called in Coq."""
    return rule.name.replace("@", "_").replace(" ", "_")


def definition(rule: Rule, theory: Theory, game: Game) -> str:
    """The proposition that a clause is, of the parameters that it speaks of."""
    in_coq = _Statement(rule, theory, game)
    lines = " ->\n    ".join([*map(in_coq.said, rule.body), in_coq.said(rule.head)])
    said = f"  {in_coq.quantified()},\n    {lines}."
    binders = "".join(f" {game.given[each]}" for each in _spoken_of(said, game))
    return f"Definition {name(rule)}{binders} : Prop :=\n{said}\n"


def parameters(rule: Rule, theory: Theory, game: Game) -> list[str]:
    """The parameters that the proposition of a clause speaks of, in their order."""
    return _spoken_of(definition(rule, theory, game).partition(":=")[2], game)


def _spoken_of(text: str, game: Game) -> list[str]:
    return [each for each in game.given if re.search(rf"\b{each}\b", text)]


class _Statement:
    """How what one clause says is written."""

    def __init__(self, rule: Rule, theory: Theory, game: Game) -> None:
        self.rule, self.game = rule, game
        self.words = theory.vocabulary.predicates
        said = (rule.head, *statements(rule.body))
        self.acts = any(each.tense == "after" for each in said)
        self.sorts = dict(self._sorts(said))

    def _sorts(self, said: Iterable[Statement]) -> Iterator[tuple[str, str]]:
        for statement in said:
            atoms = (statement,) if isinstance(statement, Atom) else (statement.game, statement.by)
            for atom in atoms:
                if isinstance(atom, Atom):
                    for term, column in zip(atom.arguments, self.words[atom.predicate].columns, strict=True):
                        if isinstance(term, Variable):
                            yield term.name, self.game.sorts[column.name]

    def quantified(self) -> str:
        """All that it is said of: the positions, and its variables."""
        state = self.game.state
        acting = state.replace("state", "action")
        of = (
            f"(S S' : {state}) (act : {acting}), sound S -> step S act S'"
            if self.acts
            else f"S : {state}, sound S"
        )
        return f"forall {of} ->\n  forall {self._listed(_variables((*self.rule.body, self.rule.head)))}"

    def _listed(self, names: Iterable[str]) -> str:
        return " ".join(f"({each} : {self.sorts.get(each, 'Z')})" for each in names)

    def said(self, condition: Condition) -> str:
        match condition:
            case Atom():
                return self._atom(condition)
            case GameStatement(game, by, Constant(value)):
                moment = self._moment(game)
                act = "" if by is None else f" ({self._action(by)})"
                word = game.predicate if by is None else f"{game.predicate}_by"
                return f"Words.{word} {moment} {self._row(game.arguments)}{act} Words.{value}"
            case Comparison(operator, left, right) if operator in NUMBERS:
                return f"({self._term(left)} {NUMBERS[operator]} {self._term(right)})%Z"
            case Comparison(operator, left, right):
                numbers = any(isinstance(each, Operation) or self._is_number(each) for each in (left, right))
                scope = "%Z" if numbers else ""
                return f"({self._term(left)} {'<>' if operator == '!=' else '='} {self._term(right)}){scope}"
            case CountIn(result, (member,), sets, excluded):
                joined = " || ".join(self._atom(each) for each in sets)
                less = "".join(f" && ({member.name} != {self._term(each)})" for each in excluded)
                of = self._sort(member, sets[0])
                return f"{self._term(result)} = Words.many (fun {member.name} : {of} => ({joined}){less})"
            case All((member,), of, conditions):
                known = frozenset(_variables((*self._around(condition), of))) | {member.name}
                own = [each for each in _variables(conditions) if each not in known]
                exists = f"exists {self._listed(own)}, " if own else ""
                inner = " /\\ ".join(self.said(each) for each in conditions)
                return (
                    f"(forall {member.name} : {self._sort(member, of)}, {self._atom(of)} -> {exists}{inner})"
                )
            case _:
                raise ValueError(f"{self.rule.name}: not covered: {condition}")

    def _sort(self, member: Variable, of: Atom) -> str:
        return self.game.sorts[self.words[of.predicate].columns[of.arguments.index(member)].name]

    def _around(self, inside: Condition) -> Sequence[Condition]:
        return [each for each in (*self.rule.body, self.rule.head) if each is not inside]

    def _atom(self, atom: Atom) -> str:
        word = self.words[atom.predicate]
        if word.kind == "action":
            return (
                f"act = {self._action(atom)}"
                if self.acts
                else f"(exists S' : {self.game.state}, step S ({self._action(atom)}) S')"
            )
        if atom.predicate in self.game.given:
            return f"{atom.predicate} {self._row(atom.arguments)}"
        moment = f" {self._moment(atom)}" if word.has_tense else ""
        act = " act" if atom.predicate in self.game.of_a_step else ""
        return f"Words.{atom.predicate}{moment}{act} {self._row(atom.arguments)}"

    def _action(self, atom: Atom) -> str:
        return f"{self.game.action.format(atom.predicate.capitalize())} {self._row(atom.arguments)}"

    def _moment(self, atom: Atom) -> str:
        return "S'" if atom.tense == "after" else "S"

    def _row(self, terms: Iterable[Term]) -> str:
        return " ".join(map(self._term, terms))

    def _is_number(self, node: Expression) -> bool:
        if isinstance(node, Variable):
            return self.sorts.get(node.name, "Z") == "Z"
        return isinstance(node, Constant) and isinstance(node.value, int)

    def _term(self, node: Expression) -> str:
        match node:
            case Variable():
                return node.name
            case Constant(int() as value):
                return f"{value}%Z"
            case Constant(str() as value):
                return value
            case Operation(operator, (left, right)) if operator in ("+", "-", "*"):
                return f"({self._term(left)} {operator} {self._term(right)})"
            case _:
                raise ValueError(f"{self.rule.name}: not covered: {node}")


def _variables(conditions: Iterable[Condition]) -> list[str]:
    """The variables that conditions do not list themselves, each once, in their order."""
    found: dict[str, None] = {}
    for condition in conditions:
        own = (
            {each.name for each in condition.variables}
            if isinstance(condition, All | CountIn)
            else set[str]()
        )
        if isinstance(condition, All):
            found.update(dict.fromkeys(each for each in _variables((condition.member,)) if each not in own))
            continue
        for leaf in leaves(condition):
            if isinstance(leaf, Variable) and leaf.name not in own:
                found.setdefault(leaf.name)
    return list(found)
