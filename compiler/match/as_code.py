"""Learned rules as a compiled program: the input of the code generator, and a matcher that uses the compiled
library.

Invariants: the compiled rules give the same conclusions in a position as a `RuleMatcher`, in the same order.
If they cannot decide, because facts are contradictory or arithmetic overflows 64 bits, a `RuleMatcher` is
used
instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from hornbook.compiler.match.position import (
    MAX_CODED_FACTS,
    Conclusion,
    RuleMatcher,
    is_answer_rule,
    query_fact,
)
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
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.lower.coding import Relation as CodedRelation
from hornbook.kb.lower.word_functions import OF_WORDS
from hornbook.matcher.program.coded import Cell, CodedRule, Fact, PredicateId
from hornbook.matcher.program.engine import Statistics
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.standalone.cpp import AnsweringRule, CompiledProgram, CompiledRelation, CompiledVariable
from hornbook.matcher.standalone.plan import Sizes
from hornbook.matcher.standalone.shared_library import LibraryError, RuleLibrary


def fingerprint(theory: Theory, rules: Iterable[Rule]) -> str:
    """Return a fingerprint of the rules, in this order, and of the theory's meaning."""
    return digest(theory_digest(theory), [(rule.name, print_rule(rule), rule.of_given) for rule in rules])


class NotCompiledError(HornbookError):
    """A theory with a feature that compiled rules do not support; the message names it."""


def program_of(
    theory: Theory,
    focus_predicate: str,
    rules: Sequence[Rule],
    positions: Iterable[tuple[Sequence[Part], Sequence[Atom]]] = (),
) -> CompiledProgram:
    """Return the program to compile: learned rules about games, with the definitions on which they depend.

    The order of conditions is optimised for the given positions. Raise FactError or KnowledgeBaseError if the
    facts of a position do not fit. Raise NotCompiledError if the theory has a sort with both words and
    integers, or a rule calls a function of words.
    """
    for sort in theory.vocabulary.sorts.values():
        if sort.kind == "mixed":
            reason = (
                f"the sort `{sort.name}` has words and integers, and compiled rules have columns of one of"
                " them"
            )
            raise NotCompiledError(f"{reason}; `hornbook rules match` takes the rules as they are")
    for rule in theory.rules:
        if any(name in OF_WORDS for condition in rule.body for name in _called(condition)):
            reason = f"the rule `{rule.name}` calls a function of words, which compiled rules have not"
            raise NotCompiledError(f"{reason}; `hornbook rules match` takes the rules as they are")
    matcher = RuleMatcher(_concluded_whole(theory), focus_predicate)
    learned = [rule for rule in rules if isinstance(rule.head, GameStatement)]
    for rule in learned:
        matcher.add(rule)
    added = matcher.pending_rules()
    measured: list[Statistics] = []
    for parts, games in positions:
        matcher.conclusions(parts, games)
        measured.append(matcher.base.statistics())
    # The rules are coded again, so that the words of the positions get no codes.
    base = KnowledgeBase(matcher.theory_without_rules, engine="compiled")
    coding, engine = base.engine.coding, raw_engine(base)
    stated = [
        Fact(number, row) for number in range(len(coding.predicates)) for row in sorted(engine.given(number))
    ]
    saying = iter(learned)
    defining: list[CodedRule] = []
    answering: list[AnsweringRule] = []
    for place, rule in enumerate(added):
        coded = coding.rule(place, rule)
        if is_answer_rule(rule):
            answering += [_answering(each, next(saying), coding) for each in coded]
        else:
            defining += coded
    return CompiledProgram(
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
    """Return the theory without `demanded` declarations, because the program computes everything and is
    measured so.
    """
    predicates = {name: replace(each, demanded=False) for name, each in theory.vocabulary.predicates.items()}
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates))


def _called(node: Node) -> Iterator[str]:
    """Yield the operators and functions in a condition, at any depth."""
    if isinstance(node, Operation):
        yield node.operator
    for part in parts_of(node):
        yield from _called(part)


def _answering(coded: CodedRule, rule: Rule, coding: Coding) -> AnsweringRule:
    assert isinstance(coded.id, CodedRuleId)
    known = sorted(coding.variables(coded.id).items())
    variables = tuple(CompiledVariable(number, name, kind == "word") for number, (name, kind) in known)
    return AnsweringRule(coded, rule.name, print_condition(rule.head), variables)


def _relation(coded: CodedRelation) -> CompiledRelation:
    """Return the relation of a coded one, with the theory's name if it holds in a state and is not the value
    of a game.
    """
    template = coded.template
    is_plain = isinstance(template, Atom) and template.tense != "after"
    name = template.relation if is_plain else print_condition(template)
    return CompiledRelation(name, tuple(kind == "word" for kind in coded.columns))


def _mean(measured: Sequence[Statistics]) -> Sizes:
    """Return the mean sizes of relations in the measured positions."""
    found: dict[PredicateId, tuple[float, Sequence[float]]] = {}
    for number in {number for each in measured for number in each}:
        of = [each[number] for each in measured if number in each]
        columns = zip(*(each.distinct for each in of), strict=True)
        found[number] = fmean(each.rows for each in of), tuple(map(fmean, columns))
    return found


class CodeMatcher:
    """A matcher with compiled rules, with the interface of `RuleMatcher`.

    Raise LibraryError if the folder has no library for these rules of this theory.
    """

    def __init__(self, theory: Theory, focus_predicate: str, rules: Sequence[Rule], folder: Path) -> None:
        library = RuleLibrary(folder)
        if library.fingerprint != fingerprint(theory, rules):
            raise LibraryError(
                f"{folder}: other rules, or those of another theory, were compiled there; `hornbook"
                " compile` compiles"
                f" these {len(rules)}"
            )
        self._theory, self._focus, self._all = theory, focus_predicate, rules
        self._rules = [rule for rule in rules if isinstance(rule.head, GameStatement)]
        self._variables = [rule.variables for rule in library.rules]
        self._library = library.matcher()
        self._base = KnowledgeBase(
            RuleMatcher(theory, focus_predicate).theory_without_rules, engine="compiled"
        )
        self._coding = self._base.engine.coding
        for code, word in enumerate(self._library.words()):
            if self._coding.cell(word, "word") != code:
                raise AssertionError(f"{word!r} has another number, although the theory says the same")
        self._moment: Tense | None = "before" if self._coding.actions else None
        self._parts: dict[Part, bytes] = {}
        self._cached_cells = 0
        self._last: dict[Part, None] = {}
        self._stay: AbstractSet[Part] = frozenset()
        """The parts whose facts are stored in the library, with `_size` bytes in all."""
        self._size = 0
        self._usual: RuleMatcher | None = None

    def conclusions(self, parts: Iterable[Part], games: Iterable[Atom]) -> list[Conclusion]:
        """Return the result of `RuleMatcher.conclusions`; raise its exceptions."""
        parts, games = dict.fromkeys(parts), tuple(games)
        rest = self._rest(parts)
        found = self._library.answers(b"".join([*rest, self._cells(rows_of(map(query_fact, games)))]))
        if found is None:
            return self._matcher().conclusions(parts, games)
        return [
            conclusion for _, conclusion in sorted(map(self._conclusion, found), key=lambda each: each[0])
        ]

    def _rest(self, parts: dict[Part, None]) -> list[bytes]:
        """Return the facts of a position that are not stored in the library.

        The library stores the parts that successive positions have in common, as long as these are more than
        half of the position. It begins with the common parts of two positions and then continues with the
        rest of these.
        """
        last, self._last = self._last, parts
        if self._stay <= parts.keys():
            rest = [self._part(part) for part in parts if part not in self._stay]
            if sum(map(len, rest)) <= self._size:
                return rest
        cells = {part: self._part(part) for part in parts}
        size = sum(map(len, cells.values()))
        for stay in (self._stay & parts.keys(), last.keys() & parts.keys()):
            stored_size = sum(len(cells[part]) for part in stay)
            if 2 * stored_size >= size:
                break
        else:
            stay, stored_size = set(), 0
        if stay != self._stay:
            self._library.keep(b"".join(cells[part] for part in stay))
            self._stay, self._size = stay, stored_size
        return [cells[part] for part in parts if part not in stay]

    def _part(self, part: Part) -> bytes:
        cells = self._parts.get(part)
        if cells is None:
            if self._cached_cells > MAX_CODED_FACTS:
                self._parts.clear()
                self._cached_cells = 0
            cells = self._parts[part] = self._cells(part.rows())
            self._cached_cells += len(cells) // 16
        return cells

    def _cells(self, rows: Rows) -> bytes:
        cells: bytes = self._base.engine.group(rows).coded.cells()
        return cells

    def _conclusion(self, answer: tuple[int, tuple[Cell, ...]]) -> tuple[tuple[Any, ...], Conclusion]:
        """Return the conclusion of an answer, with its sort key."""
        number, cells = answer
        rule, coding = self._rules[number], self._coding
        bindings = {
            name: Constant(coding.word(cell) if is_word else cell)
            for (name, is_word), cell in zip(self._variables[number], cells, strict=True)
        }
        assert isinstance(rule.head, GameStatement)
        statement = statement_at(
            apply_to_statement(rule.head, bindings), self._moment, self._theory.vocabulary
        )
        conclusion = Conclusion(rule.name, statement, bindings, None)
        values = tuple(term.value for term in statement.terms if isinstance(term, Constant))
        return (number, row_order(values), conclusion.values), conclusion

    def _matcher(self) -> RuleMatcher:
        """Return the interpreted rules, for cases that the library cannot decide."""
        if self._usual is None:
            self._usual = RuleMatcher(self._theory, self._focus)
            for rule in self._all:
                self._usual.add(rule)
        return self._usual
