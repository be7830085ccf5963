"""Learned rules as a program of their own: what is compiled of them, and positions put to what was compiled.

Always true: the compiled rules say of a position what a `Matcher` says, in the same order. Where they cannot tell, because
facts contradict one another or arithmetic leaves 64 bits, a `Matcher` is asked instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from hornbook.compiler.match.position import KEPT, Conclusion, Matcher, asked_fact, is_telling
from hornbook.kb.ast.canonical import digest
from hornbook.kb.ast.ordering import row_order
from hornbook.kb.ast.parts import Part, Rows, rows_of
from hornbook.kb.ast.substitution import apply_to_statement, statement_at
from hornbook.kb.ast.terms import (
    Atom,
    Constant,
    GameStatement,
    Node,
    Operation,
    Rule,
    Tense,
)
from hornbook.kb.ast.terms import parts as parts_of
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import engine_of
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.coding import Relation as CodedRelation
from hornbook.kb.lower.word_functions import OF_WORDS
from hornbook.matcher.compiled.engine import Group as EngineGroup
from hornbook.matcher.compiled.engine import Statistics
from hornbook.matcher.program.coded import Cell, Fact, PredicateId
from hornbook.matcher.program.coded import Rule as CodedRule
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.standalone.cpp import Answering, Program, Relation, Variable
from hornbook.matcher.standalone.plan import Sizes
from hornbook.matcher.standalone.shared_library import Library, LibraryError


def fingerprint(theory: Theory, rules: Iterable[Rule]) -> str:
    """What is the same for the same rules, in this order, of a theory that says the same."""
    return digest(theory_digest(theory), [(rule.name, print_rule(rule), rule.of_given) for rule in rules])


class NotCompiledError(HornbookError):
    """A theory with something that compiled rules have not; the message says what."""


def program_of(
    theory: Theory,
    focus_predicate: str,
    rules: Sequence[Rule],
    positions: Iterable[tuple[Sequence[Part], Sequence[Atom]]] = (),
) -> Program:
    """What is compiled: learned rules about games, with the definitions that they rest on. The order in which conditions are
    read follows what some positions are like.

    Raises FactError and KnowledgeBaseError where the facts of a position do not fit, NotCompiledError where the theory has a
    sort of words and integers, or a rule that calls a function of words.
    """
    for sort in theory.vocabulary.sorts.values():
        if sort.kind == "mixed":
            reason = f"the sort `{sort.name}` has words and integers, and compiled rules have columns of one of them"
            raise NotCompiledError(f"{reason}; `hornbook rules match` takes the rules as they are")
    for rule in theory.rules:
        if any(name in OF_WORDS for condition in rule.body for name in _called(condition)):
            reason = f"the rule `{rule.name}` calls a function of words, which compiled rules have not"
            raise NotCompiledError(f"{reason}; `hornbook rules match` takes the rules as they are")
    matcher = Matcher(_concluded_whole(theory), focus_predicate)
    learned = [rule for rule in rules if isinstance(rule.head, GameStatement)]
    for rule in learned:
        matcher.add(rule)
    added = matcher.to_come()
    measured: list[Statistics] = []
    for parts, games in positions:
        matcher.conclusions(parts, games)
        measured.append(matcher.base.statistics())
    # Coded once more, so that the words of the positions are not among those that have numbers.
    base = KnowledgeBase(matcher.theory_without_rules, engine="compiled")
    coding, engine = base.coding, engine_of(base)
    stated = [
        Fact(number, row) for number in range(len(coding.predicates)) for row in sorted(engine.given(number))
    ]
    saying = iter(learned)
    defining: list[CodedRule] = []
    answering: list[Answering] = []
    for place, rule in enumerate(added):
        coded = coding.rule(place, rule)
        if is_telling(rule):
            answering += [_answering(each, next(saying), coding) for each in coded]
        else:
            defining += coded
    return Program(
        predicates=tuple(coding.predicates),
        relations=tuple(map(_relation, coding.relations)),
        words=tuple(map(str, coding.words())),
        stated=tuple(stated),
        defining=tuple(defining),
        answering=tuple(answering),
        sizes=_mean(measured),
        fingerprint=fingerprint(theory, rules),
    )


def _concluded_whole(theory: Theory) -> Theory:
    """The theory with nothing `demanded`, as a program concludes it: what is measured is as much as that."""
    predicates = {name: replace(each, demanded=False) for name, each in theory.vocabulary.predicates.items()}
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates))


def _called(node: Node) -> Iterator[str]:
    """The operators and functions in a condition, at any depth."""
    if isinstance(node, Operation):
        yield node.operator
    for part in parts_of(node):
        yield from _called(part)


def _answering(coded: CodedRule, rule: Rule, coding: Coding) -> Answering:
    assert isinstance(coded.id, CodedRuleId)
    known = sorted(coding.variables(coded.id).items())
    variables = tuple(Variable(number, name, kind == "word") for number, (name, kind) in known)
    return Answering(coded, rule.name, print_condition(rule.head), variables)


def _relation(coded: CodedRelation) -> Relation:
    """A relation of a state is called as in the theory; none of these holds after an action, or is a game's."""
    template = coded.template
    is_plain = isinstance(template, Atom) and template.tense != "after"
    name = template.relation if is_plain else print_condition(template)
    return Relation(name, tuple(kind == "word" for kind in coded.columns))


def _mean(measured: Sequence[Statistics]) -> Sizes:
    """What is to be expected of a position, by what some were like."""
    found: dict[PredicateId, tuple[float, Sequence[float]]] = {}
    for number in {number for each in measured for number in each}:
        of = [each[number] for each in measured if number in each]
        columns = zip(*(each.distinct for each in of), strict=True)
        found[number] = fmean(each.rows for each in of), tuple(map(fmean, columns))
    return found


class CodeMatcher:
    """Compiled rules, asked about one position after another as a `Matcher` is.

    Raises LibraryError where a folder has no library of these rules of this theory.
    """

    def __init__(self, theory: Theory, focus_predicate: str, rules: Sequence[Rule], folder: Path) -> None:
        library = Library(folder)
        if library.fingerprint != fingerprint(theory, rules):
            raise LibraryError(
                f"{folder}: other rules, or those of another theory, were compiled there; `hornbook rules compile` compiles"
                f" these {len(rules)}"
            )
        self._theory, self._focus, self._all = theory, focus_predicate, rules
        self._rules = [rule for rule in rules if isinstance(rule.head, GameStatement)]
        self._variables = [rule.variables for rule in library.rules]
        self._library = library.matcher()
        self._base = KnowledgeBase(Matcher(theory, focus_predicate).theory_without_rules, engine="compiled")
        self._coding = self._base.coding
        for code, word in enumerate(self._library.words()):
            if self._coding.cell(word, "word") != code:
                raise AssertionError(f"{word!r} has another number, although the theory says the same")
        self._moment: Tense | None = "before" if self._coding.actions else None
        self._parts: dict[Part, bytes] = {}
        self._kept = 0
        self._last: dict[Part, None] = {}
        self._stay: AbstractSet[Part] = frozenset()
        """The parts of which the library keeps the facts, of so many bytes."""
        self._size = 0
        self._usual: Matcher | None = None

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """What `Matcher.conclusions` gives; raises as that does."""
        parts, games = dict.fromkeys(parts), tuple(games)
        rest = self._rest(parts)
        found = self._library.answers(b"".join([*rest, self._cells(rows_of(map(asked_fact, games)))]))
        if found is None:
            return self._matcher().conclusions(parts, games)
        return [conclusion for _, conclusion in sorted(map(self._said, found), key=lambda each: each[0])]

    def _rest(self, parts: dict[Part, None]) -> list[bytes]:
        """The facts of a position that the library does not keep. It keeps what positions go on having in common, as long as
        that is most of them: first what two have, then what is left of that.
        """
        last, self._last = self._last, parts
        if self._stay <= parts.keys():
            rest = [self._part(part) for part in parts if part not in self._stay]
            if sum(map(len, rest)) <= self._size:
                return rest
        cells = {part: self._part(part) for part in parts}
        size = sum(map(len, cells.values()))
        for stay in (self._stay & parts.keys(), last.keys() & parts.keys()):
            kept = sum(len(cells[part]) for part in stay)
            if 2 * kept >= size:
                break
        else:
            stay, kept = set(), 0
        if stay != self._stay:
            self._library.keep(b"".join(cells[part] for part in stay))
            self._stay, self._size = stay, kept
        return [cells[part] for part in parts if part not in stay]

    def _part(self, part: Part) -> bytes:
        cells = self._parts.get(part)
        if cells is None:
            if self._kept > KEPT:
                self._parts.clear()
                self._kept = 0
            cells = self._parts[part] = self._cells(part.rows())
            self._kept += len(cells) // 16
        return cells

    def _cells(self, rows: Rows) -> bytes:
        coded = self._base.group(rows).coded
        assert isinstance(coded, EngineGroup)
        return coded.cells()

    def _said(self, answer: tuple[int, tuple[Cell, ...]]) -> tuple[tuple[Any, ...], Conclusion]:
        """What a rule says, and what it is ordered by."""
        number, cells = answer
        rule, coding = self._rules[number], self._coding
        bindings = {
            name: Constant(coding.word(cell) if is_word else cell)
            for (name, is_word), cell in zip(self._variables[number], cells, strict=True)
        }
        assert isinstance(rule.head, GameStatement)
        said = statement_at(apply_to_statement(rule.head, bindings), self._moment, self._theory.vocabulary)
        conclusion = Conclusion(rule.name, said, bindings, None)
        values = tuple(term.value for term in said.terms if isinstance(term, Constant))
        return (number, row_order(values), conclusion.values), conclusion

    def _matcher(self) -> Matcher:
        """The rules as they are, for what the library cannot tell."""
        if self._usual is None:
            self._usual = Matcher(self._theory, self._focus)
            for rule in self._all:
                self._usual.add(rule)
        return self._usual
