"""The kinds of a theory's clauses: definitions, which cannot be wrong, and assumptions, which can.

A word is defined in one file: the file that declares it or, if only rules conclude it, the first file that
concludes it. The clauses of that file that conclude the word, in a state alone or after an action alone, are
its *definition*. A definition asserts nothing about other words. With or without it, the clauses that do not
read its word conclude the same facts about all other words (a conservative extension: Suppes 1957, chapter
8).

The other clauses assert something about a word that already has a meaning. The effect of an action on a
fluent is an assumption about the domain, a *transition*. A clause about the value of a *game* defines its aim
or a winning move. Every other clause is a *claim*, which must agree with the meaning of its word. A clause
that concludes the count of a set is a claim about the set. A clause about a fluent after an action is a claim
if its file uses the words of another file that already states the effect of the action on that fluent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from hornbook.compiler.witness.queries import actions_below
from hornbook.kb.ast.terms import Atom, Rule, predicate_of, statements
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass

Kind = Literal["definition", "transition", "claim", "game"]
KINDS: tuple[Kind, ...] = ("definition", "transition", "claim", "game")
_GIVEN = ("static", "fluent")
"""The kinds of words whose facts a state contains independently of rules."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A statement in a file about the effect of actions on a fluent; an empty set means all actions."""

    fluent: str
    file: str
    actions: frozenset[str]


def kinds(theory: Theory) -> tuple[Kind, ...]:
    """Return the kind of each of a theory's rules, in their order."""
    words = theory.vocabulary.predicates
    homes = _homes(theory)
    of_a_state = {
        rule.head.relation
        for rule in theory.rules
        if rule.head.tense != "after" and rule.span.file == homes.get(rule.head.relation)
    }
    below = _built_on(theory)
    changes = set(_changes(theory))

    def kind(rule: Rule) -> Kind:
        head = rule.head
        if not isinstance(head, Atom):
            return "game"
        word = words[head.predicate]
        if head.tense == "after" and word.name in of_a_state:
            return "claim"
        if head.tense == "after" and word.kind == "fluent":
            done = _actions(rule, theory)
            is_known = any(
                change.fluent == word.name
                and change.file in below[rule.span.file]
                and (not done or not change.actions or done & change.actions)
                for change in changes
            )
            return "claim" if is_known else "transition"
        at_home = rule.span.file == homes.get(word.name)
        return "definition" if at_home and word.counts is None else "claim"

    return tuple(map(kind, theory.rules))


def _homes(theory: Theory) -> dict[str, str]:
    """Return the defining file of each concluded word.

    A word whose facts are given is defined where it is declared, if anywhere.
    """
    words = theory.vocabulary.predicates
    found: dict[str, str] = {}
    for rule in theory.rules:
        word = words[predicate_of(rule.head)]
        if word.kind in _GIVEN:
            found[word.name] = word.span.file
        else:
            found.setdefault(word.name, rule.span.file)
    return found


def _built_on(theory: Theory) -> Mapping[str, frozenset[str]]:
    """Return for each file the other files whose words it uses, directly or indirectly."""
    words = theory.vocabulary.predicates
    used: dict[str, set[str]] = defaultdict(set)
    for rule in theory.rules:
        for statement in (rule.head, *statements(rule.body)):
            used[rule.span.file].add(words[predicate_of(statement)].span.file)
    found = {}
    for file in list(used):
        seen, todo = set[str](), [file]
        while todo:
            new = used.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        found[file] = frozenset(seen - {file})
    return found


def _changes(theory: Theory) -> Iterator[_Change]:
    """Yield the effects of actions on fluents that files state, except for frame axioms."""
    words = theory.vocabulary.predicates
    for rule in theory.rules:
        head = rule.head
        if not isinstance(head, Atom) or head.tense != "after" or words[head.predicate].kind != "fluent":
            continue
        if replace(head, tense="before") not in rule.body:
            yield _Change(head.predicate, rule.span.file, _actions(rule, theory))


def _actions(rule: Rule, theory: Theory) -> frozenset[str]:
    """Return the actions on which a clause depends, directly or through other clauses."""
    words = theory.vocabulary.predicates
    found: set[str] = set()
    for statement in statements(rule.body):
        if words[predicate_of(statement)].kind == "action":
            found.add(predicate_of(statement))
        else:
            found |= actions_below((statement.relation, statement.tense), theory)
    return frozenset(found)
