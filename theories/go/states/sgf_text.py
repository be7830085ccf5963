"""SGF as text: decoded bytes, and game trees with nodes and properties, each with its position.

SGF names its encoding in the property `CA` of the first root. Without it, a file is UTF-8 if its bytes are
valid UTF-8, and Latin-1 otherwise, as in the standard. Lower-case letters of property names are dropped
(`AddBlack` is `AB`), as in older versions of SGF; a name of lower-case letters only is read as capitals.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import NoReturn

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import decode
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import with_plain_ends
from hornbook.theories.places import SourcePlace


@dataclass(frozen=True, slots=True)
class Property:
    """Values of a property as written, without brackets, and the position of its first occurrence."""

    name: str
    values: list[str]
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class SgfNode:
    """Properties of a node by their names, and the position of the node."""

    place: SourcePlace
    properties: dict[str, Property] = field(default_factory=dict)

    def value(self, name: str) -> str | None:
        """Return the value of a property, or None without it."""
        found = self.properties.get(name)
        return None if found is None else found.values[0]

    def place_of(self, *names: str) -> SourcePlace:
        """Return the position of the first of these properties that exists, or else of the node."""
        return next((self.properties[name].place for name in names if name in self.properties), self.place)


@dataclass(frozen=True, slots=True)
class SgfTree:
    """Main line of a game tree: the first child of each node."""

    place: SourcePlace
    nodes: tuple[SgfNode, ...]

    def text(self, names: Sequence[str]) -> str:
        """Return the main line as SGF, with only the properties of these names."""
        return f"({''.join(_written(node, names) for node in self.nodes)})"


def _written(node: SgfNode, names: Sequence[str]) -> str:
    there = [node.properties[name] for name in names if name in node.properties]
    return ";" + "".join(each.name + "".join(f"[{value}]" for value in each.values) for each in there)


MOST_NODES = 100_000
"""Maximal number of nodes of one game tree.

The largest collections of openings have fewer, and more would take minutes.
"""
_START = re.compile(r"\(\s*;")
_LATER_START = re.compile(r"^[^%(\r\n]*+(?:\((?!\s*;)[^%(\r\n]*+)*+\(\s*;", re.MULTILINE)
_TOKEN = re.compile(r"(?P<name>[A-Za-z]+)|(?P<value>\[)|(?P<mark>[;()])")
_VALUE = re.compile(r"(?:[^\\\]]|\\.)*+", re.DOTALL)
_LINE_END = re.compile(r"\n")
_SPACE = re.compile(r"\s*")


def is_sgf(text: str) -> bool:
    """Return whether a text is SGF: it begins like SGF, or has a game tree outside the `%`
    comments of a diagram.
    """
    start = text.lstrip("\ufeff").lstrip()
    return start.startswith("(") or _LATER_START.search(text) is not None


def trees(text: str, file: str) -> Iterator[SgfTree]:
    """Yield the game trees of a text in order, skipping text in between. Raise TheoryError (HB005)."""
    text = with_plain_ends(text)
    lines = [0, *(found.end() for found in _LINE_END.finditer(text))]
    start = _START.search(text)
    while start is not None:
        reader = _SgfReader(text, file, lines, start.start())
        yield reader.tree()
        start = _START.search(text, reader.at)


def tree_starts(text: str, file: str) -> list[int]:
    """Return the offset of each game tree of a text. Raise TheoryError (HB005) if it is malformed."""
    lines = [0, *(found.end() for found in _LINE_END.finditer(text))]
    found: list[int] = []
    start = _START.search(text)
    while start is not None:
        found.append(start.start())
        reader = _SgfReader(text, file, lines, start.start())
        reader.tree()
        start = _START.search(text, reader.at)
    return found


class _SgfReader:
    """Parser of one game tree, from its opening parenthesis on; `lines` has the offset of
    each line of the text.
    """

    def __init__(self, text: str, file: str, lines: Sequence[int], at: int) -> None:
        self.text, self.file, self.lines, self.at = text, file, lines, at
        self.begins = at
        self.main: list[SgfNode] = []
        self.node: SgfNode | None = None
        self.nodes = 0
        # For each open tree: whether it is in the main line, and whether a variation of it has ended.
        self.open: list[list[bool]] = []

    def tree(self) -> SgfTree:
        while True:
            self.at = self._after_space(self.at)
            found = _TOKEN.match(self.text, self.at)
            if found is None:
                self._refuse_rest()
            self.at = found.end()
            if found["name"]:
                self._property(found[0], found.start())
            elif found["value"]:
                self.fail(found.start(), "a value without a property", "a property is written `B[cd]`")
            elif found[0] == ";":
                self._begin_node(found.start())
            elif found[0] == "(":
                is_main = not self.open or (self.open[-1][0] and not self.open[-1][1])
                self.open.append([is_main, False])
                self.node = None
                if not self.text.startswith(";", self._after_space(self.at)):
                    self.fail(found.start(), "a game tree without a node", "a tree begins with `(;`")
            else:
                self.open.pop()
                self.node = None
                if not self.open:
                    return SgfTree(self.place(self.begins), tuple(self.main))
                self.open[-1][1] = True

    def _begin_node(self, at: int) -> None:
        if self.open[-1][1]:
            self.fail(at, "a node after a variation", "a node stands before the variations that follow it")
        self.nodes += 1
        if self.nodes > MOST_NODES:
            message = f"this game tree has more than {MOST_NODES:,} nodes"
            self.place(at).fail(message, "write fewer variations, or several files")
        self.node = SgfNode(self.place(at))
        if self.open[-1][0]:
            self.main.append(self.node)

    def _property(self, written: str, start: int) -> None:
        if self.node is None:
            self.fail(start, f"the property {written} stands in no node", "a node begins with `;`")
        name = "".join(letter for letter in written if letter.isupper()) or written.upper()
        values = []
        while (at := self._after_space(self.at)) < len(self.text) and self.text[at] == "[":
            found = _VALUE.match(self.text, at + 1)
            assert found is not None
            if not self.text.startswith("]", found.end()):
                self.fail(at, f"this value of {name} does not end", "a value ends with `]`")
            values.append(found[0])
            self.at = found.end() + 1
        if not values:
            self.fail(start, f"the property {written} has no value", "a property is written `B[cd]`")
        known = self.node.properties.get(name)
        if known is None:
            self.node.properties[name] = Property(name, values, self.place(start, len(written)))
        else:
            known.values.extend(values)

    def _after_space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        assert found is not None
        return found.end()

    def _refuse_rest(self) -> NoReturn:
        if self.at >= len(self.text):
            self.fail(self.begins, "a game tree that begins here does not end", "a tree ends with `)`")
        self.fail(
            self.at, f"unexpected character `{self.text[self.at]}`", "text stands in brackets: `C[text]`"
        )

    def place(self, at: int, length: int = 1) -> SourcePlace:
        line = bisect_right(self.lines, at)
        return SourcePlace(self.file, self.text, line, at - self.lines[line - 1] + 1, length)

    def fail(self, at: int, message: str, hint: str) -> NoReturn:
        self.place(at).fail(f"this is not SGF: {message}", hint)


# Encodings

_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "big5": "cp950",
    "euc_kr": "cp949",
}
"""Extensions of encodings that many programs write under the name of the encoding."""
_ALIASES = {"windows-31j": "cp932", "cn-gb": "gb2312", "cn-big5": "big5"}
"""Names of encodings that Python does not know."""
_EAST_ASIAN = ("gb18030", "cp932", "cp950", "cp949")
_CHARSET = re.compile(rb"[;\]\s][a-z]*C[a-z]*A[a-z]*\s*\[([^\]\\]*)\]|[;\]\s]ca\s*\[([^\]\\]*)\]")
_AMBIGUOUS = re.compile(rb"[\x80-\xff]\\[\]\\]")
"""Pattern of a backslash after a non-ASCII byte: a separate character in Latin-1, and the second half of a
letter in some encodings.
"""
_SYNTAX = "(;B[aa])\\:"


def decode_sgf(data: bytes, file: str) -> str:
    """Return the text of an SGF file in its declared encoding. Raise TheoryError (HB004, HB005)."""
    text = decode(data, file, otherwise="latin-1")
    named = None if data.startswith(codecs.BOM_UTF8) else _charset(data)
    if named is None:
        return text if _is_utf_8(data) else _of_no_named_encoding(data, text, file)
    found = _decoded(data, _codec(named, data, file), named, file)
    if found != text and _is_utf_8(data) and _main_line(found, file) != _main_line(text, file):
        _fail_at_charset(
            data,
            file,
            f"the file says that it is {named}, and it seems to be UTF-8",
            "correct the property CA",
        )
    return found


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _charset(data: bytes) -> str | None:
    """Return the encoding that the first root declares, or None."""
    try:
        tree = next(trees(data.decode("latin-1"), ""), None)
        named = None if tree is None else tree.nodes[0].value("CA")
    except TheoryError:
        named = None
    # In another encoding, bytes may hide the end of a value, and so the text after it.
    if named is None and _AMBIGUOUS.search(data) is not None:
        found = _CHARSET.search(data)
        named = None if found is None else (found[1] or found[2] or b"").decode("latin-1")
    return named.strip() or None if named is not None else None


def _codec(named: str, data: bytes, file: str) -> str:
    """Return Python's name of an encoding.

    Raise TheoryError (HB005) if it is unknown, or unsuitable for SGF.
    """
    try:
        found = codecs.lookup(_ALIASES.get(named.lower(), named.lower().removeprefix("x-"))).name
        syntax = _SYNTAX.encode("ascii")
        # Python's encodings of host names cannot replace missing characters.
        is_same = _SYNTAX.encode(found) == syntax and syntax.decode(found, errors="replace") == _SYNTAX
        if not is_same or found in ("raw-unicode-escape", "utf-7"):
            raise LookupError
    except (LookupError, ValueError):
        _fail_at_charset(
            data, file, f"the encoding `{named}` is not known", "save the file as UTF-8 with `CA[UTF-8]`"
        )
    return _WIDER.get(found, found)


def _fail_at_charset(data: bytes, file: str, message: str, hint: str) -> NoReturn:
    text = with_plain_ends(data.decode("utf-8", errors="replace"))
    at = max(0, text.find("CA["))
    line = text.count("\n", 0, at) + 1
    SourcePlace(file, text, line, at - text.rfind("\n", 0, at), 2).fail(message, hint)


def _decoded(data: bytes, encoding: str, named: str, file: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        before = with_plain_ends(data[: problem.start].decode(encoding, errors="replace"))
        text = data.decode(encoding, errors="replace")
        place = SourcePlace(file, text, before.count("\n") + 1, len(before) - before.rfind("\n"))
        place.fail(
            f"the file says that it is {named}, and byte 0x{data[problem.start]:02X} is not",
            "correct the property CA, or save the file as UTF-8 with `CA[UTF-8]`",
        )


def _of_no_named_encoding(data: bytes, latin: str, file: str) -> str:
    """Return the text as Latin-1, or in the only East Asian encoding that gives SGF if Latin-1 is ambiguous.

    Raises TheoryError (HB005) if several encodings give different SGF.
    """
    is_ambiguous = _AMBIGUOUS.search(data) is not None
    if not is_ambiguous and _main_line(latin, file) is not None:
        return latin
    found: dict[tuple[tuple[tuple[str, int], ...], ...], str] = {}
    for encoding in ("latin-1", *_EAST_ASIAN):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        line = _main_line(text, file)
        if line is not None:
            found.setdefault(line, text)
    if len(found) > 1:
        place = SourcePlace(file, latin, 1)
        place.fail(
            "the file does not name its encoding, and it can be read in several", "name it, as in `CA[GBK]`"
        )
    return next(iter(found.values()), latin)


def _main_line(text: str, file: str) -> tuple[tuple[tuple[str, int], ...], ...] | None:
    """Return the properties of the main lines of a text without values, or None if it is not SGF."""
    try:
        return tuple(
            tuple((each.name, len(each.values)) for each in node.properties.values())
            for tree in trees(text, file)
            for node in tree.nodes
        )
    except TheoryError:
        return None
