"""The clauses of a theory as statements of Coq about its game.

Each clause becomes a proposition with its name: its conditions imply its conclusion. The proposition
quantifies over every sound position, or over every step from one if the clause mentions two moments. A clause
without moments is independent of positions. A predicate is written as `Words.WORD`, and applied to the
position of its moment.

`count` and `all` range over the actual members of a set. The statement does not require that its count is
known, so it is at least as strong as its clause. A fact is a clause without conditions. A frame states that a
fact persists or that one of its cases holds. The replies of a game state that each reply is an instance of
one of the cases.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hornbook.kb.ast.declarations import Frame, Replies
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON,
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
    Variable,
    leaves,
    statements,
)
from hornbook.kb.ast.theory import Theory
from oracles.meaning.games import CoqGame

HEAD = """\
(** What each clause of the theory `{theory}` says. Written by `python -m oracles.meaning`: do not edit. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From {name} Require Import Board.
"""
AND, OR = " /\\ ", " \\/\n      "


@dataclass(frozen=True, slots=True)
class Proposition:
    """A proposition: its name in Coq, its definition, and its parameters in order."""

    name: str
    definition: str
    parameters: tuple[str, ...]


def text(theory: Theory, game: CoqGame) -> str:
    """Return the file of statements. Raise ValueError for a statement that is not covered."""
    libraries = game.libraries()
    words = "".join(f"From {each.name} Require Words.\n" for each in libraries)
    head = HEAD.format(theory=theory.name, name=libraries[0].name) + words
    return "\n".join((head, *(each.definition for each in propositions(theory, game))))


def propositions(theory: Theory, game: CoqGame) -> list[Proposition]:
    """Return the statements of a theory: its clauses in order, its facts, its frames, and the replies of its
    games.
    """
    found = [(name(rule), _clause(rule, theory, game)) for rule in clauses(theory)]
    number: Counter[str] = Counter()
    for frame in theory.frames:
        number[frame.fluent.predicate] += 1
        called = f"frame_{frame.fluent.predicate}_{number[frame.fluent.predicate]}"
        found.append((called, _frame(frame, theory, game)))
    for replies in theory.replies:
        if replies.game.predicate not in game.replying:
            raise ValueError(f"the replies of {replies.game.predicate}: not covered")
        found += _replies(replies, theory, game)
    return [_proposition(called, text, game) for called, text in found]


def clauses(theory: Theory) -> list[Rule]:
    """Return the rules of a theory, and its facts, as rules with a name and a number."""
    number: Counter[str] = Counter()
    facts = []
    for fact in theory.facts:
        number[fact.relation] += 1
        facts.append(Rule(fact, label=f"{fact.relation}_{number[fact.relation]}"))
    return [*theory.rules, *facts]


def name(rule: Rule) -> str:
    """Return the name of a clause in Coq."""
    return rule.name.replace("@", "_").replace(" ", "_")


def _proposition(called: str, statement: str, game: CoqGame) -> Proposition:
    parameters = tuple(each for each in game.given if re.search(rf"\b{each}\b", statement))
    binders = "".join(f" {game.given[each]}" for each in parameters)
    return Proposition(called, f"Definition {called}{binders} : Prop :=\n{statement}.\n", parameters)


def _clause(rule: Rule, theory: Theory, game: CoqGame) -> str:
    in_coq = _Statement(rule, theory, game)
    lines = " ->\n    ".join([*map(in_coq.translate, rule.body), in_coq.translate(rule.head)])
    return f"{in_coq.quantified()}    {lines}"


def _frame(frame: Frame, theory: Theory, game: CoqGame) -> str:
    """State that a fact at one moment of a step holds at both, unless a case of its frame holds."""
    before, after = replace(frame.fluent, tense="before"), replace(frame.fluent, tense="after")
    in_coq = _Statement(Rule(after, (before, *chain(*frame.cases))), theory, game)
    own = _variables((frame.fluent,))
    there, then = in_coq.translate(before), in_coq.translate(after)
    cases = OR.join([f"({there} /\\ {then})", *(in_coq.some(case, own) for case in frame.cases)])
    return f"{in_coq.quantified(own)}    {there} \\/ {then} ->\n      {cases}"


def _replies(replies: Replies, theory: Theory, game: CoqGame) -> Iterator[tuple[str, str]]:
    """Yield the statements about the replies of a game.

    Each action of the replying side, except resignation, is an instance of a case. Every instance of an
    exhaustive case is possible. The last statement is the conclusion of the calculus from proofs for each
    reply.
    """
    of = replies.game.predicate
    whole: list[tuple[Condition, ...]] = [
        (case.action, *case.conditions, *(() if case.unless is None else (case.unless,)))
        for case in replies.cases
    ]
    in_coq = _Statement(Rule(replies.game, tuple(chain(*whole))), theory, game, acts=True)
    own = _variables((replies.game,))
    cases = OR.join(in_coq.some((case.action, *case.conditions), own, case.unless) for case in replies.cases)
    about, does = (each.format(*map(_called, own)) for each in game.replying[of])
    yield f"replies_{of}", f"{in_coq.quantified(own)}    {about} -> {does} ->\n      {cases}"
    for number, case in enumerate(replies.cases, 1):
        if case.unless is None:
            case_only = _Statement(Rule(case.action, case.conditions), theory, game)
            lines = " ->\n    ".join(map(case_only.translate, (*case.conditions, case.action)))
            yield f"open_{of}_{number}", f"{case_only.quantified()}    {lines}"
    yield f"reply_rule_{of}", _reply_rule(replies, cases, theory, game)


def _reply_rule(replies: Replies, cases: str, theory: Theory, game: CoqGame) -> str:
    """State that a game is a second-player win if some instance of a case is possible and the game is won
    after each.
    """
    won = GameStatement(replace(replies.game, tense="after"), None, WON)
    then = GameStatement(replies.game, None, SECOND_PLAYER_WIN)
    in_coq = _Statement(Rule(then), theory, game)
    done = f"(S' : {game.state}) (act : {game.action}), {game.step} S act S'"
    return (
        f"{in_coq.quantified()}"
        f"    (exists {done} /\\ (\n      {cases})) ->\n"
        f"    (forall {done} ->\n      {cases} ->\n      {in_coq.translate(won)}) ->\n"
        f"    {in_coq.translate(then)}"
    )


class _Statement:
    """The translation of one clause."""

    def __init__(self, rule: Rule, theory: Theory, game: CoqGame, *, acts: bool = False) -> None:
        self.rule, self.game = rule, game
        self.words = theory.vocabulary.predicates
        mentioned = (rule.head, *statements(rule.body))
        self.acts = acts or any(each.tense == "after" for each in mentioned)
        self.at_a_moment = any(
            not isinstance(each, Atom) or self.words[each.predicate].has_tense for each in mentioned
        )
        self.sorts = dict(self._sorts(mentioned))

    def _sorts(self, mentioned: Iterable[Statement]) -> Iterator[tuple[str, str]]:
        for statement in mentioned:
            atoms = (statement,) if isinstance(statement, Atom) else (statement.game, statement.by)
            for atom in atoms:
                if isinstance(atom, Atom):
                    for term, column in zip(atom.arguments, self.words[atom.predicate].columns, strict=True):
                        if isinstance(term, Variable):
                            yield term.name, column.name

    def some(self, case: Sequence[Condition], own: Sequence[str], unless: Condition | None = None) -> str:
        """State that a case holds for some values of the variables that are not in `own`."""
        others = [each for each in _variables(case) if each not in own]
        conjuncts = [
            *map(self.translate, case),
            *(() if unless is None else (f"~ {self.translate(unless)}",)),
        ]
        exists = f"exists {self._listed(others)}, " if others else ""
        return f"({exists}{AND.join(conjuncts)})"

    def quantified(self, of_all: Sequence[str] | None = None) -> str:
        """Return the quantifiers over positions and over the variables, or over those in `of_all`."""
        state, lines = self.game.state, []
        if self.acts:
            of = f"(S S' : {state}) (act : {self.game.action})"
            lines.append(f"  forall {of}, sound S -> {self.game.step} S act S' ->\n")
        elif self.at_a_moment:
            lines.append(f"  forall S : {state}, sound S ->\n")
        names = _variables((*self.rule.body, self.rule.head)) if of_all is None else of_all
        return "".join(lines) + (f"  forall {self._listed(names)},\n" if names else "")

    def _listed(self, names: Iterable[str]) -> str:
        return " ".join(
            f"({_called(each)} : {self.game.sorts[self.sorts.get(each, 'int')]})" for each in names
        )

    def translate(self, condition: Condition) -> str:
        match condition:
            case Atom():
                return self._atom(condition)
            case GameStatement(game, by, Constant(value)):
                moment, followed = self._moment(game), self.game.followed.get(game.predicate)
                act = "" if by is None else f" ({self._action(by)})"
                word = game.predicate if by is None else f"{game.predicate}_by"
                if by is None and game.tense == "after" and followed:
                    moment, word = "S act S'", followed
                return f"Words.{word} {moment} {self._row(game)}{act} Words.{value}"
            case Comparison(operator, left, right):
                sort = next((found for each in (left, right) if (found := self._sort_of(each))), "int")
                sign = {"!=": "<>"}.get(operator, operator)
                scope = "%Z" if sort == "int" else ""
                return f"({self._term(left, sort)} {sign} {self._term(right, sort)}){scope}"
            case CountIn(result, (member,), sets, excluded):
                joined = " || ".join(self._atom(each) for each in sets)
                sort = self.sorts[member.name]
                less = "".join(
                    f" && ({_called(member.name)} != {self._term(each, sort)})" for each in excluded
                )
                counted = f"fun {self._listed((member.name,))[1:-1]} => ({joined}){less}"
                return f"{self._term(result, 'int')} = Words.many ({counted})"
            case All((member,), of, conditions):
                known = frozenset(_variables((*self._around(condition), of))) | {member.name}
                own = [each for each in _variables(conditions) if each not in known]
                exists = f"exists {self._listed(own)}, " if own else ""
                inner = AND.join(self.translate(each) for each in conditions)
                return f"(forall {self._listed((member.name,))[1:-1]}, {self._atom(of)} -> {exists}{inner})"
            case _:
                raise ValueError(f"{self.rule.name}: not covered: {condition}")

    def _around(self, inside: Condition) -> Sequence[Condition]:
        return [each for each in (*self.rule.body, self.rule.head) if each is not inside]

    def _atom(self, atom: Atom) -> str:
        word, step = self.words[atom.predicate], self.game.step
        if word.kind == "action":
            act = self._action(atom)
            return f"act = {act}" if self.acts else f"(exists S' : {self.game.state}, {step} S ({act}) S')"
        if atom.predicate in self.game.given:
            return f"{atom.predicate} {self._row(atom)}"
        moment = self.game.of_a_step.get(atom.predicate, self._moment(atom) if word.has_tense else "")
        called = self.game.words.get(atom.predicate, atom.predicate)
        return " ".join(filter(None, (f"Words.{called}", moment, self._row(atom))))

    def _action(self, atom: Atom) -> str:
        return f"{self.game.act.format(atom.predicate.capitalize())} {self._row(atom)}"

    def _moment(self, atom: Atom) -> str:
        return "S'" if atom.tense == "after" else "S"

    def _row(self, atom: Atom) -> str:
        columns = self.words[atom.predicate].columns
        return " ".join(
            self._term(term, column.name) for term, column in zip(atom.arguments, columns, strict=True)
        )

    def _sort_of(self, node: Expression) -> str | None:
        return self.sorts.get(node.name) if isinstance(node, Variable) else None

    def _term(self, node: Expression, sort: str) -> str:
        match node:
            case Variable():
                return _called(node.name)
            case Constant(int() as value):
                return f"{value}%Z"
            case Constant(str() as value):
                return self.game.word(value, sort)
            case Operation(operator, (left, right)) if operator in ("+", "-", "*"):
                return f"({self._term(left, sort)} {operator} {self._term(right, sort)})"
            case _:
                raise ValueError(f"{self.rule.name}: not covered: {node}")


def _called(variable: str) -> str:
    """Return the name of a variable in Coq, which differs from all predicates, positions and keywords."""
    return f"v_{variable}"


def _variables(conditions: Iterable[Condition]) -> list[str]:
    """Return the variables that conditions do not bind themselves, each once, in order."""
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
