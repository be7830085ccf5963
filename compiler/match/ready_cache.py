"""Rules in the form for matchers as a value of the persistent cache: unfolded, coded and measured.

The key covers every field of the rules and of the theory, and the sources of the language, the compiler and
the matcher (`matching_key`). The value says nothing about proofs. It consists of the packed rules for the
engine, the words of their coding, and the unfolded rules as text. The text is read only when a rule answers.

Rules that call functions that make words are not stored, because such words may have other numbers.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, overload

from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.parse_cache import form_of_node, node_of_form
from hornbook.kb.ast.terms import Node, Rule, Span
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.base.proved_rules import ReadyRules
from hornbook.kb.lower.coding import CodedRuleId, Coding, RuleVariables
from hornbook.kb.sources.cache import key, recall, remember
from hornbook.kb.sources.cache import program as program_of
from hornbook.matcher.program.coded import Var
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.packed import PackedRules


@cache
def program() -> str:
    """Return the digest of the program that prepares rules: the language, the compiler and the matcher."""
    compiler = Path(__file__).parents[1]
    return program_of(compiler.with_name("kb"), compiler, compiler.with_name("matcher"))


def matching_key(entries: Iterable[RuleEntry], theory: Theory) -> str:
    """Return the key of the form for matchers of some rules, in their order."""
    return key("ready rules", program(), theory_digest(theory), [entry.digest for entry in entries])


def remember_rules(key: str, ready: ReadyRules) -> None:
    """Store rules in the form for matchers."""
    if ready.packed is None:
        return
    variables = [ready.coding.variables_of(each) for each in _names(ready.packed)]
    value = {
        "packed": b64encode(ready.packed.data).decode(),
        "names": [[each.index, each.moment] for each in _names(ready.packed)],
        "words": ready.coding.words(),
        "concluded": sorted(ready.concluded),
        "statistics": [[number, each.rows, each.distinct] for number, each in ready.statistics.items()],
        "rules": len(ready.rules),
        "texts": _compressed(_texts(ready.rules, variables)),
    }
    remember({key: value})


def recalled_rules(key: str, theory: Theory) -> ReadyRules | None:
    """Return stored rules for matchers with a theory, or None."""
    value = recall(key)
    if value is None:
        return None
    names = tuple([CodedRuleId(index, moment) for index, moment in value["names"]])
    rules = StoredRules(value["texts"], value["rules"], {name: place for place, name in enumerate(names)})
    coding = Coding(theory.vocabulary)
    coding.restore(value["words"], rules.variables)
    return ReadyRules(
        theory,
        rules,
        coding,
        PackedRules(names, b64decode(value["packed"])),
        {number: Measure(rows, tuple(distinct)) for number, rows, distinct in value["statistics"]},
        frozenset(value["concluded"]),
    )


class StoredRules(Sequence[Rule]):
    """Rules of the cache, each made when it is first needed. `places` are those of the coded rules."""

    def __init__(self, texts: str, size: int, places: dict[CodedRuleId, int]) -> None:
        self._compressed, self._size, self._places = texts, size, places
        self._nodes: dict[int, Any] = {}
        self._rules: dict[int, Rule] = {}

    @cached_property
    def _read(self) -> Any:
        """The forms of the conditions, the rules and the variables of the coded rules."""
        return json.loads(zlib.decompress(b64decode(self._compressed)))

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Rule: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, place: int | slice) -> Rule | tuple[Rule, ...]:
        if isinstance(place, slice):
            return tuple([self[each] for each in range(self._size)[place]])
        number = range(self._size)[place]
        if number not in self._rules:
            label, line, alternative, lemma, alone, head, body = self._read["rules"][number]
            self._rules[number] = Rule(
                self._node(head),
                tuple([self._node(each) for each in body]),
                label,
                Span("", line, 1, line, 1),
                lemma,
                learned=True,
                of_given=True,
                alone=frozenset(alone),
                alternative=alternative,
            )
        return self._rules[number]

    def _node(self, number: int) -> Any:
        if number not in self._nodes:
            self._nodes[number] = node_of_form(self._read["nodes"][number])
        return self._nodes[number]

    def variables(self, name: CodedRuleId) -> RuleVariables:
        """Return the variables of a coded rule. Raises KeyError if it is not among these."""
        numbers, kinds = self._read["variables"][self._places[name]]
        return RuleVariables({name: Var(number) for name, number in numbers.items()}, kinds)


def _names(rules: PackedRules) -> list[CodedRuleId]:
    return [name for name in rules.ids if isinstance(name, CodedRuleId)]


def _texts(rules: Sequence[Rule], variables: Sequence[RuleVariables]) -> dict[str, Any]:
    """Return rules as JSON. A condition that occurs in several rules is stored once."""
    table: dict[Node, int] = {}

    def number(node: Node) -> int:
        return table.setdefault(node, len(table))

    rows = [
        [
            rule.label,
            rule.span.line,
            rule.alternative,
            rule.lemma,
            sorted(rule.alone),
            number(rule.head),
            [number(condition) for condition in rule.body],
        ]
        for rule in rules
    ]
    named = [
        [{name: number.index for name, number in each.numbers.items()}, dict(each.kinds)]
        for each in variables
    ]
    return {"nodes": [form_of_node(node) for node in table], "rules": rows, "variables": named}


def _compressed(value: Any) -> str:
    return b64encode(zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)).decode()
