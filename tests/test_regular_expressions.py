"""Tests of regular expressions: the number of steps of each is linear in the length of the text.

The test analyses the structure of the expressions and measures nothing. Three structures make the number of
steps quadratic or worse. First, two repetitions can divide a part of the text between them. Second, a
repetition repeats a repetition. Third, a search begins with a repetition and may fail after it. A possessive
repetition (`*+`) never backtracks and causes none of these cases.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from hornbook.kb.format.pygments_lexer import HornLexer

ROOT = Path(__file__).parents[1]
PACKAGES = ("matcher", "kb", "compiler", "planner", "play", "render", "theories", "app")
ALPHABET = (
    *map(chr, range(9, 14)), *map(chr, range(32, 127)), "\0", "\x1c", "\x85", "\xa0", "\u2028", "é", "É", "²", "٣", "€",
)  # fmt: skip
"""Characters of each kind that the expressions distinguish."""
MANY = 20
"""The largest bound of a repetition that does not count as unbounded."""
SEARCHING = ("search", "sub", "subn", "findall", "finditer", "split")
ALLOWED = {
    r'<svg [^>]*?width="(\d+)" height="(\d+)"': "of pictures that Hornbook drew",
}
Node = tuple[Any, Any]


def characters(node: Node, flags: int) -> frozenset[str]:
    """Return the characters of the alphabet that a node of one character matches."""
    kind, value = node
    if kind is codes.SUBPATTERN and len(value[3]) == 1:
        return characters(value[3][0], flags)
    text = {
        codes.LITERAL: lambda: re.escape(chr(value)),
        codes.NOT_LITERAL: lambda: f"[^{re.escape(chr(value))}]",
        codes.ANY: lambda: ".",
        codes.IN: lambda: None,
    }[kind]()
    if text is None:
        return frozenset(c for c in ALPHABET if _in_class(value, c, flags))
    return frozenset(c for c in ALPHABET if re.fullmatch(text, c, flags & (re.DOTALL | re.IGNORECASE)))


def _in_class(items: Sequence[Node], char: str, flags: int) -> bool:
    """Return whether a character is in a class.

    With both cases, the result may include too many characters, but never too few.
    """
    cases = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
    negated = items[0][0] is codes.NEGATE
    found = any(_is_item(item, case) for item in items for case in cases if item[0] is not codes.NEGATE)
    return found != negated


_CATEGORIES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _is_item(item: Node, char: str) -> bool:
    kind, value = item
    if kind is codes.CATEGORY:
        return re.fullmatch(_CATEGORIES[value], char) is not None
    if kind is codes.RANGE:
        return len(char) == 1 and value[0] <= ord(char) <= value[1]
    return kind is codes.LITERAL and char == chr(value)


def touched(nodes: Sequence[Node], flags: int) -> frozenset[str]:
    """Return every character that can occur anywhere in a match of the nodes."""
    found: frozenset[str] = frozenset()
    for kind, value in nodes:
        match kind:
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                found |= touched(value[2], flags)
            case codes.SUBPATTERN:
                found |= touched(value[3], flags)
            case codes.ATOMIC_GROUP:
                found |= touched(value, flags)
            case codes.BRANCH:
                found = found.union(*(touched(branch, flags) for branch in value[1]))
            case codes.AT | codes.ASSERT | codes.ASSERT_NOT:
                pass
            case _:
                found |= characters((kind, value), flags)
    return found


def first(nodes: Sequence[Node], flags: int) -> frozenset[str]:
    """Return the characters that a match of the nodes can begin with."""
    found: frozenset[str] = frozenset()
    for kind, value in nodes:
        match kind:
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                found |= first(value[2], flags)
                ends = value[0] > 0
            case codes.SUBPATTERN:
                found, ends = found | first(value[3], flags), True
            case codes.ATOMIC_GROUP:
                found, ends = found | first(value, flags), True
            case codes.BRANCH:
                found, ends = found.union(*(first(branch, flags) for branch in value[1])), True
            case codes.AT | codes.ASSERT | codes.ASSERT_NOT:
                ends = False
            case _:
                found, ends = found | characters((kind, value), flags), True
        if ends:
            break
    return found


def flat(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the nodes in order, with plain groups replaced by their nodes."""
    for kind, value in nodes:
        if kind is codes.SUBPATTERN:
            yield from flat(value[3])
        else:
            yield kind, value


def slow(pattern: str, flags: int = 0, *, searches: bool = False) -> list[str]:
    """Return the reasons why an expression may take more than a linear number of steps."""
    parsed = parser.parse(pattern, flags)
    flags |= parsed.state.flags
    return list(_slow(list(flat(parsed)), flags, searches=searches))


def _slow(nodes: Sequence[Node], flags: int, *, searches: bool) -> Iterator[str]:
    open_: frozenset[str] = frozenset()
    begins = searches
    for place, (kind, value) in enumerate(nodes):
        inner = touched([(kind, value)], flags)
        if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            is_long = value[1] is codes.MAXREPEAT or value[1] > MANY
            below = list(flat(value[2]))
            yield from _slow(below, flags, searches=False)
            if (
                is_long
                and any(k in (codes.MAX_REPEAT, codes.MIN_REPEAT) for k, _ in below)
                and _repeats_itself(below, flags)
            ):
                yield "repeats what repeats"
            if is_long and open_ & first(below, flags):
                yield f"shares {sorted(open_ & inner)[:3]} with a repetition before it"
            if is_long and begins and place + 1 < len(nodes):
                yield "a search begins with a repetition"
            begins = begins and value[0] == 0
            if is_long:
                open_ |= inner
        elif kind is codes.BRANCH:
            for branch in value[1]:
                yield from _slow(list(flat(branch)), flags, searches=begins)
            longs = [
                n for branch in value[1] for n in flat(branch) if n[0] in (codes.MAX_REPEAT, codes.MIN_REPEAT)
            ]
            if open_ & touched(longs, flags):
                yield "an alternative shares with a repetition before it"
            open_ |= touched([n for n in longs if n[1][1] is codes.MAXREPEAT], flags)
            begins = False
        elif kind in (codes.ASSERT, codes.ASSERT_NOT, codes.AT):
            # An assertion constrains the text before and after it, and consumes nothing.
            continue
        elif kind is codes.POSSESSIVE_REPEAT or kind is codes.ATOMIC_GROUP:
            # Its match is never given back. If the match may be empty, the text before it meets the text
            # after it.
            must = kind is codes.POSSESSIVE_REPEAT and value[0] > 0
            begins = begins and not must
            open_ = frozenset() if must and not open_ & inner else open_
            if open_ & inner:
                yield "a possessive repetition shares with a repetition before it"
        else:
            begins = False
            # A character that no earlier repetition can match separates the text before it from the text
            # after it.
            open_ = open_ if open_ & inner else frozenset()


def _repeats_itself(below: Sequence[Node], flags: int) -> bool:
    """Return whether a repeated part may end in a repetition that also matches the beginning of the part."""
    kind, value = below[-1]
    if kind not in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return False
    return bool(touched(value[2], flags) & touched(below[:1], flags))


@cache
def expressions(package: str) -> list[tuple[str, int, bool, str]]:
    """Return every regular expression of a package.

    Each has its text, its flags, whether it is used for a search, and its place.
    """
    found = []
    for path in sorted((ROOT / package).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"\bre\.", text):
            continue
        tree = ast.parse(text)
        names = {}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Assign)
                and _function(node.value) == "compile"
                and isinstance(node.targets[0], ast.Name)
            ):
                names[node.targets[0].id] = node.value
        searched = {
            node.func.value.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in SEARCHING
            and isinstance(node.func.value, ast.Name)
        }
        for node in ast.walk(tree):
            function = _function(node)
            if function is None or function == "escape":
                continue
            assert isinstance(node, ast.Call)
            name = next((name for name, value in names.items() if value is node), None)
            given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
            flags = sum(
                getattr(re, each.attr)
                for each in given
                if isinstance(each, ast.Attribute) and each.attr.isupper()
            )
            place = f"{path.relative_to(ROOT)}:{node.lineno}"
            found.append((_text(node.args[0]), flags, function in SEARCHING or name in searched, place))
    return found


def _function(node: ast.AST) -> str | None:
    """Return the name of the called function of `re`."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ):
        return node.func.attr if node.func.value.id == "re" else None
    return None


def _text(node: ast.expr) -> str:
    """Return the text of an expression, with a few letters for computed parts."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(value) for value in values)
        case ast.BinOp(left=left, right=right):
            return _text(left) + _text(right)
        case _:
            return "abc"


@pytest.mark.parametrize("package", PACKAGES)
def test_expressions_take_steps_in_proportion(package):
    reasons = {
        place: slow(pattern, flags, searches=searches)
        for pattern, flags, searches, place in expressions(package)
        if pattern not in ALLOWED
    }
    assert {place: reason for place, reason in reasons.items() if reason} == {}


def test_the_highlighter_takes_steps_in_proportion():
    rules = [
        rule
        for state in HornLexer.tokens.values()
        for rule in state
        if isinstance(rule, tuple) and not isinstance(rule, str)
    ]
    patterns = [rule[0] for rule in rules if isinstance(rule[0], str)]
    assert len(patterns) > 20
    assert {pattern: slow(pattern) for pattern in patterns if slow(pattern)} == {}


def test_all_expressions_are_found():
    texts = [
        path.read_text(encoding="utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py")
    ]
    calls = re.compile(r"\bre\.(compile|match|fullmatch|search|sub|findall|finditer|split)\(")
    assert (
        sum(len(expressions(package)) for package in PACKAGES)
        == sum(len(calls.findall(text)) for text in texts)
        > 30
    )


@pytest.mark.parametrize(
    ("pattern", "searches"),
    [
        (r"\s*(?P<left>\d+)?(?P<cells>[^\d]*?)(?P<right>\d+)?\s*", False),
        (r"\s*(?P<key>[a-z][a-z ]*?)\s*:\s*(?P<value>\S*)\s*", False),
        (r"\s*([a-z ]+?)\s*:\s*(.*?)\s*", False),
        (r"(a|b+)*c|(?:x*)*", False),
        (r"[+#!?]*$", True),
        (r"\d+$", True),
        (r"% (From .+: .+|Proved)\.\n?", False),
    ],
)
def test_what_grows_faster_is_seen(pattern, searches):
    assert slow(pattern, searches=searches)


@pytest.mark.parametrize("pattern", [r"\s*+a*+\s*+", r"a+b+c*", r"'(?:[^']|'')*+'", r"\w+", r"a.{0,3}b*"])
def test_what_grows_in_proportion_is_let_be(pattern):
    assert slow(pattern) == []
