"""The kinds of a theory's clauses: which say what a word means, and which say something that can be wrong.

A word is defined in one file: that which declares it, or, for what only rules conclude, the first that concludes it. What
the clauses of that file conclude of it, of a state alone or after an action alone, is what the word means: a
*definition*. It claims nothing of any other word: with it or without it, the clauses that do not read its word conclude the
same of all other words (a conservative extension: Suppes 1957, chapter 8). The other clauses say something of a word
that means something already: what an action does to a fluent is an assumption about the domain, a *transition*; the value of a *game* says what is
played for, or what wins it; and all else is a *claim*, which has to agree with what its word means.

A clause that concludes the count of a set is a claim about the set. A clause about a fluent after an action is a claim
where its file builds on the words of another that says already what the action changes there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from hornbook.compiler.witness.questions import acted_on
from hornbook.kb.ast.terms import Atom, Rule, predicate_of, statements
from hornbook.kb.ast.theory import Theory

Kind = Literal["definition", "transition", "claim", "game"]
KINDS: tuple[Kind, ...] = ("definition", "transition", "claim", "game")
_GIVEN = ("static", "fluent")
"""The kinds of words of which a state has facts, whatever rules conclude."""


@dataclass(frozen=True, slots=True)
class _Change:
    """That clauses of a file say what some actions make of a fluent; no actions stand for all."""

    fluent: str
    file: str
    actions: frozenset[str]


def kinds(theory: Theory) -> tuple[Kind, ...]:
    """The kind of each of a theory's rules, in their order."""
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
            said = any(
                change.fluent == word.name
                and change.file in below[rule.span.file]
                and (not done or not change.actions or done & change.actions)
                for change in changes
            )
            return "claim" if said else "transition"
        at_home = rule.span.file == homes.get(word.name)
        return "definition" if at_home and word.counts is None else "claim"

    return tuple(map(kind, theory.rules))


def _homes(theory: Theory) -> dict[str, str]:
    """The file in which each word is defined that rules conclude; a word of which facts are given is defined where it is
    declared, if at all.
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
    """The other files whose words each file uses, and those whose words these use, and so on."""
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
    """What files say of fluents after actions, but that facts stay."""
    words = theory.vocabulary.predicates
    for rule in theory.rules:
        head = rule.head
        if not isinstance(head, Atom) or head.tense != "after" or words[head.predicate].kind != "fluent":
            continue
        if replace(head, tense="before") not in rule.body:
            yield _Change(head.predicate, rule.span.file, _actions(rule, theory))


def _actions(rule: Rule, theory: Theory) -> frozenset[str]:
    """The actions on which a clause rests, through any others."""
    words = theory.vocabulary.predicates
    found: set[str] = set()
    for statement in statements(rule.body):
        if words[predicate_of(statement)].kind == "action":
            found.add(predicate_of(statement))
        else:
            found |= acted_on((statement.relation, statement.tense), theory)
    return frozenset(found)
