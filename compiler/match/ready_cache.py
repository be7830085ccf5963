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
from typing import TYPE_CHECKING, Any, overload

from hornbook.compiler.rules.parse_cache import form_of_node, node_of_form
from hornbook.kb.ast.terms import Rule, Span
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.base.proved_rules import ReadyRules
from hornbook.kb.lower.coding import CodedRuleId, Coding, RuleVariables
from hornbook.kb.sources.cache import key, recall, remember
from hornbook.kb.sources.cache import program as program_of
from hornbook.kb.text.literals.forms import form_of_kind
from hornbook.matcher import _core
from hornbook.matcher.program.coded import Var
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.packed import PackedRules

if TYPE_CHECKING:
    from hornbook.compiler.rules.admission import RuleEntry


@cache
def program() -> str:
    """Return the digest of the program that prepares rules: the language, the compiler and the matcher
    with its compiled core.
    """
    compiler = Path(__file__).parents[1]
    return program_of(compiler.with_name("kb"), compiler, compiler.with_name("matcher"), Path(_core.__file__))


def matching_key(entries: Iterable[RuleEntry], theory: Theory) -> str:
    """Return the key of the form for matchers of some rules, in their order."""
    return key("ready rules", program(), theory_digest(theory), [entry.digest for entry in entries])


def remember_rules(key: str, ready: ReadyRules) -> None:
    """Store rules in the form for matchers."""
    if ready.packed is None:
        return
    ids = [each for each in ready.packed.ids if isinstance(each, CodedRuleId)]
    lines = [*map(_rule_as_json, ready.rules), *(_variables_as_json(ready.coding, each) for each in ids)]
    text = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    value = {
        "packed": b64encode(ready.packed.data).decode(),
        "ids": [[each.index, each.moment] for each in ids],
        "words": ready.coding.words(),
        "names": ready.names,
        "concluded": sorted(ready.concluded),
        "statistics": [[number, each.rows, each.distinct] for number, each in ready.statistics.items()],
        "text": b64encode(zlib.compress(text.encode(), 1)).decode(),
    }
    remember({key: value})


def recalled_rules(key: str, theory: Theory) -> ReadyRules | None:
    """Return stored rules for matchers with a theory, or None."""
    value = recall(key)
    if value is None:
        return None
    ids = tuple([CodedRuleId(index, moment) for index, moment in value["ids"]])
    rules = StoredRules(value["text"], len(value["names"]), ids)
    coding = Coding(theory.vocabulary)
    coding.restore(value["words"], rules.variables)
    return ReadyRules(
        theory,
        rules,
        coding,
        PackedRules(ids, b64decode(value["packed"])),
        {number: Measure(rows, tuple(distinct)) for number, rows, distinct in value["statistics"]},
        tuple(value["names"]),
        frozenset(value["concluded"]),
    )


class StoredRules(Sequence[Rule]):
    """Rules of the cache, each made when it is first needed. `ids` are the names of the coded rules."""

    def __init__(self, text: str, size: int, ids: Sequence[CodedRuleId]) -> None:
        self._text, self._size, self._ids = text, size, ids
        self._rules: dict[int, Rule] = {}

    @cached_property
    def _lines(self) -> list[bytes]:
        """A line for each rule, and then one for the variables of each coded rule."""
        return zlib.decompress(b64decode(self._text)).split(b"\n")

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
            self._rules[number] = _rule_from_json(json.loads(self._lines[number]))
        return self._rules[number]

    def variables(self, rule_id: CodedRuleId) -> RuleVariables:
        """Return the variables of a coded rule. Raises ValueError if it is not among these."""
        numbers, kinds, forms = json.loads(self._lines[self._size + self._ids.index(rule_id)])
        return RuleVariables(
            {name: Var(number) for name, number in numbers.items()},
            kinds,
            {name: form_of_kind(form) for name, form in forms.items()},
        )


def _rule_as_json(rule: Rule) -> Any:
    """Return a rule without its place. An unlabelled rule is named by its line."""
    name = [rule.label, rule.span.line, rule.alternative, rule.lemma, sorted(rule.alone)]
    return [*name, form_of_node(rule.head), [form_of_node(condition) for condition in rule.body]]


def _rule_from_json(data: Any) -> Rule:
    label, line, alternative, lemma, alone, head, body = data
    return Rule(
        node_of_form(head),
        tuple([node_of_form(condition) for condition in body]),
        label,
        Span("", line, 1, line, 1),
        lemma,
        learned=True,
        of_given=True,
        alone=frozenset(alone),
        alternative=alternative,
    )


def _variables_as_json(coding: Coding, rule_id: CodedRuleId) -> Any:
    known = coding.variables_of(rule_id)
    return [
        {name: number.index for name, number in known.numbers.items()},
        dict(known.kinds),
        {name: form.written for name, form in known.forms.items()},
    ]
