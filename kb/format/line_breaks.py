"""Line breaks in a clause, for the printer and the formatter.

A clause is a sequence of pieces: its tokens, each with the space before it and the comments after it. A
clause that fits on one line is printed on one line, except that a label has its own line. Otherwise the
conditions follow below the head, indented by two, with as many on a line as fit. Existing line breaks between
conditions are kept. Only a condition longer than a line is broken itself, inside its longest parenthesis.

Invariants: The same pieces always give the same lines, and the pieces of these lines give them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import takewhile

from hornbook.kb.text.scanner import Token
from hornbook.matcher.program.dataclass import dataclass

WIDTH = 100
"""The maximum length of a line, if its pieces allow it. Comments do not count."""
INDENT = 2
_HEADERS = {"frame": "COLON", "replies": "COLON", "example": "COLON", "expect": "COLON", "persists": "UNLESS"}
"""The token that ends the header of a clause, by the first word of the clause."""
_ENDINGS = ("gives", "unless", "then")
"""The words that begin the last part of a clause or of a case, or a later action of an example."""


@dataclass(frozen=True, slots=True)
class LayoutPiece:
    """A token with its surroundings: a space or a line break before it, and comments after it.

    - `type`: The type of the token (kb/text/scanner.py), such as `COMMA`.
    - `space`: Whether there is a space before the token.
    - `line_break`: Whether there is a line break before it in the text.
    - `same_line`: The comment on its line.
    - `below`: The comments on lines of their own.
    """

    text: str
    type: str
    space: bool
    line_break: bool = False
    same_line: str | None = None
    below: tuple[str, ...] = ()

    @property
    def has_comments(self) -> bool:
        return self.same_line is not None or bool(self.below)


Pieces = Sequence[LayoutPiece]


def pieces_of(tokens: Sequence[Token]) -> list[LayoutPiece]:
    """Return the pieces of a printed clause, which is on one line and has correct spaces and no comments."""
    ends = [tokens[0].column, *(token.end_column for token in tokens)]
    return [LayoutPiece(t.text, t.type, t.column > end) for t, end in zip(tokens, ends, strict=False)]


def break_lines(pieces: Pieces) -> list[str]:
    """Return the lines of a clause."""
    lines = _LineWriter()
    # A colon after the word `lemma` makes it a label.
    is_lemma = pieces[0].type == "LEMMA" and pieces[1].type != "COLON"
    colon = 2 if is_lemma else 1
    if [piece.type for piece in pieces[colon : colon + 2]] == ["EXCEPTION", "TO"]:
        colon = next(place for place, piece in enumerate(pieces) if piece.type == "COLON")
    if len(pieces) > colon and pieces[colon].type == "COLON":
        lines.place_above(pieces[: colon + 1], 0)
        pieces = pieces[colon + 1 :]
    if lines.fits_on_line(pieces):
        lines.place(pieces, 0)
        return lines.finished()
    header, items = _header_and_items(pieces)
    if header:
        lines.place_above(header, INDENT)
    for number, item in enumerate(items):
        if number and (item[0].line_break or items[number - 1][-1].type == "SEMICOLON"):
            lines.end_line()
        lines.place(item, INDENT)
    return lines.finished()


@dataclass(slots=True)
class _LineWriter:
    """The finished lines, and the current line, which may be empty.

    `indent` is the indentation of the next line. In the methods, `deeper` is the additional indentation of
    the lines after the first one of some pieces. Both are numbers of spaces.
    """

    indent: int = 0
    done: list[str] = field(default_factory=list)
    current: str = ""

    def place_above(self, pieces: Pieces, deeper: int) -> None:
        """Write pieces and the comments after them on lines above the rest of the clause, and indent the
        rest.
        """
        last = pieces[-1]
        self.place([*pieces[:-1], replace(last, below=())], deeper)
        self.end_line()
        self.indent += INDENT
        self.done += [" " * self.indent + comment for comment in last.below]

    def place(self, pieces: Pieces, deeper: int) -> None:
        """Write pieces with their comments. The pieces after a comment begin a new line, indented deeper."""
        parts = _cut(pieces, [i for i, piece in enumerate(pieces) if piece.has_comments])
        for number, part in enumerate(parts):
            is_end = 0 < number == len(parts) - 1
            closes = is_end and part[0].type in ("DOT", "RPAR")
            self.indent -= deeper if closes else 0
            self._place_bare(part, deeper)
            if number == 0 and len(parts) > 1:
                self.indent += deeper
            if is_end and not closes:
                self.indent -= deeper
            last = part[-1]
            if last.has_comments:
                self.current += "" if last.same_line is None else f"  {last.same_line}"
                self.end_line()
                self.done += [" " * self.indent + comment for comment in last.below]

    def _place_bare(self, pieces: Pieces, deeper: int) -> None:
        """Write pieces on this line if they fit, else on the next line, else on several lines, indented
        deeper.
        """
        if self.current and len(self.current) + pieces[0].space + _length(pieces) > WIDTH:
            self.end_line()
        parts = [pieces] if self.current or self.fits_on_line(pieces) else _broken(pieces)
        if len(parts) == 1:
            self._write(pieces)
            return
        self._place_bare(parts[0], deeper)
        self.indent += deeper
        for part in parts[1:]:
            self._place_bare(part, deeper)
        self.indent -= deeper

    def _write(self, pieces: Pieces) -> None:
        """Append pieces to the current line, or begin it with them."""
        text = _text(pieces)
        if not self.current:
            self.current = " " * self.indent + text
        else:
            self.current += (" " if pieces[0].space else "") + text

    def fits_on_line(self, pieces: Pieces) -> bool:
        """Return whether pieces fit on one line and have comments only at their end."""
        return not any(piece.has_comments for piece in pieces[:-1]) and self.indent + _length(pieces) <= WIDTH

    def end_line(self) -> None:
        """End the current line, unless it is empty."""
        if self.current:
            self.done.append(self.current)
            self.current = ""

    def finished(self) -> list[str]:
        """Return all lines, after ending the current one."""
        self.end_line()
        return self.done


def _text(pieces: Pieces) -> str:
    """Return the text of pieces on one line, without the space before the first."""
    rest = "".join(" " + piece.text if piece.space else piece.text for piece in pieces[1:])
    return pieces[0].text + rest


def _length(pieces: Pieces) -> int:
    """Return the length of `_text(pieces)`."""
    return sum(len(piece.text) + piece.space for piece in pieces) - pieces[0].space


def _depths(pieces: Pieces) -> list[int]:
    """Return the parenthesis depth of each piece. A parenthesis has the depth outside."""
    depths, depth = [], 0
    for piece in pieces:
        depth -= piece.type == "RPAR"
        depths.append(depth)
        depth += piece.type == "LPAR"
    return depths


def _cut(pieces: Pieces, after: Sequence[int]) -> list[Pieces]:
    """Return the pieces in parts that end at the indices in `after`."""
    starts = [0, *(index + 1 for index in after if index + 1 < len(pieces))]
    return [pieces[start:end] for start, end in zip(starts, [*starts[1:], len(pieces)], strict=True)]


def _header_and_items(pieces: Pieces) -> tuple[Pieces, list[Pieces]]:
    """Return the header of a clause, and its items: conditions, cases or facts, each with the comma after it.

    The header ends with `:-`, or with the word or colon in _HEADERS. A clause without a header is one item.
    """
    depths = _depths(pieces)
    opening = {"IF", _HEADERS.get(pieces[0].text, "IF")}
    # The second word of such a clause is always a name, even if it is a word such as `unless`.
    places = (i for i, piece in enumerate(pieces) if piece.type in opening and depths[i] == 0)
    ends = (i + 1 for i in places if i > 1 or pieces[i].type == "IF")
    header_length = next(ends, 0)
    pieces, depths, header = pieces[header_length:], depths[header_length:], pieces[:header_length]
    if not header:
        return header, [pieces]
    after = [
        i
        for i, piece in enumerate(pieces)
        if depths[i] == 0
        and (
            piece.type in ("COMMA", "SEMICOLON")
            or (i > 0 and _joins_conditions(pieces, depths, i + 1))
            or (i + 1 < len(pieces) and pieces[i + 1].text in _ENDINGS and depths[i + 1] == 0 and i > 0)
        )
    ]
    return header, _cut(pieces, after)


def _joins_conditions(pieces: Pieces, depths: Sequence[int], place: int) -> bool:
    """Return whether the piece at an index is an `or` between conditions: outside of parentheses, and not
    among the exceptions of a count.
    """
    if place == len(pieces) or pieces[place].text != "or" or depths[place]:
        return False
    before = takewhile(lambda i: depths[i] or pieces[i].type != "COMMA", reversed(range(place)))
    return all(pieces[i].type != "BUT" for i in before)


def _broken(pieces: Pieces) -> list[Pieces]:
    """Return an overlong item in parts.

    It is cut after the colon of an `all`, before the `says` of a declaration, at bars or commas, or else in
    its longest parenthesis.
    """
    depths = _depths(pieces)
    colon = next((i for i, piece in enumerate(pieces) if depths[i] == 0 and piece.type == "COLON"), None)
    if colon is not None and colon + 1 < len(pieces):
        return _cut(pieces, [colon])
    if pieces[0].type == "KIND" and len(pieces) > 3 and pieces[-3].text == "says":
        return _cut(pieces, [len(pieces) - 4])
    bars = [i for i, piece in enumerate(pieces) if depths[i] == 0 and piece.type in ("VBAR", "COMMA")]
    if bars and bars != [len(pieces) - 1]:
        return _cut(pieces, bars)
    start, end = _longest_group(pieces, depths)
    inside = range(start + 1, end)
    after = [i for i in inside if depths[i] == 1 and pieces[i].type == "COMMA"]
    after += [i - 1 for i in inside if depths[i] == 1 and pieces[i].text == "or" and i > start + 1]
    return _cut(pieces, sorted(set(after))) if after else _cut(pieces, _any_break(pieces))


def _longest_group(pieces: Pieces, depths: Sequence[int]) -> tuple[int, int]:
    """Return the indices of the first and last piece of the longest parenthesis that is in no other one."""
    longest, best, start = -1, (0, 0), 0
    for index, piece in enumerate(pieces):
        if depths[index] == 0 and piece.type == "LPAR":
            start = index
        elif depths[index] == 0 and piece.type == "RPAR":
            length = _length(pieces[start : index + 1])
            if length > longest:
                longest, best = length, (start, index)
    return best


def _any_break(pieces: Pieces) -> list[int]:
    """Return the index of the piece before the space nearest to the middle, in a list, or an empty list.

    This is the last resort if there are no commas.
    """
    spaces = [i - 1 for i, piece in enumerate(pieces) if i and piece.space]
    middle = len(pieces) / 2
    return [min(spaces, key=lambda place: abs(place - middle))] if spaces else []
