"""Mutations of texts and theories, accidental and malicious, for fuzzing; equal numbers give equal texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hornbook.kb.text.scanner import KEYWORDS, MARKS, Token, scan

NASTY = (
    "\0", "\r", "\r\n", "\n", "\n\n", "\t", "\v", "\f", "\x1b[31m", "\x1c", "\x85", "\xa0", "\u2028",
    "\u2029", "\ufeff",
    "\u200b", "\u202e", "\ud800", "\udfff", "\N{COMBINING ACUTE ACCENT}", "\U0001f600", "é", "²", "٣", "ſ",
    "İ", "ß",
    " ", " " * 300, "\t " * 100, "'", '"', "\\", "%", "<b>", "{}", "[]", ";", ",", ":", ".", "-", "+", "=",
    "?", "_",
    "a" * 200, "A", "(", ")" , "[", "]", "{", "}", "null", "true", "NaN", "Infinity",
)  # fmt: skip
NUMBERS = (
    "0", "-1", "1", "00", "1.5", "1e400", "255", "256", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616", "9" * 20, "9" * 400, "9" * 4301, "٣", "0x10", "1_000",
)  # fmt: skip
LONGEST = 200_000
"""The limit of characters of a mutated text; longer ones are cut."""


def mutated(text: str, others: Sequence[str], words: Sequence[str], numbers: Random) -> str:
    """Return the text after one to five mutations.

    `others` are texts to take pieces from, `words` are words of the format.
    """
    for _ in range(numbers.randint(1, 5)):
        text = _slip(text, others, words, numbers)[:LONGEST]
    return text


def _slip(text: str, others: Sequence[str], words: Sequence[str], numbers: Random) -> str:
    start, end = _span(text, numbers)
    piece = text[start:end]
    match numbers.randrange(12):
        case 0:
            return text[:start] + text[end:]
        case 1:
            times = numbers.choice((1, 1, 1, 2, 10)) if numbers.random() < 0.99 else 2_000
            return text[:end] + piece * times + text[end:]
        case 2 | 3:
            return text[:start] + numbers.choice(NASTY) + text[start:]
        case 4:
            return text[:start] + numbers.choice(NASTY) + text[end:]
        case 5 | 6 if words:
            return (
                text[:start]
                + numbers.choice(words)
                + (text[start:] if numbers.random() < 0.5 else text[end:])
            )
        case 7:
            other = numbers.choice(others)
            a, b = _span(other, numbers)
            return text[:start] + other[a:b] + text[end:]
        case 8:
            return text[:start]
        case 9:
            lines = text.split("\n")
            a, b = numbers.randrange(len(lines)), numbers.randrange(len(lines))
            lines[a], lines[b] = lines[b], lines[a]
            return "\n".join(lines)
        case 10:
            return _other_number(text, numbers)
        case _:
            character = numbers.choice("([{\"'\\ \t?:,;-a") if numbers.random() < 0.03 else ""
            return text[:start] + character * numbers.choice((10, 1_000, 20_000)) + text[start:]


def _span(text: str, numbers: Random) -> tuple[int, int]:
    """Return a span of a text, most often a short one."""
    start = numbers.randint(0, len(text))
    longest = numbers.choice((1, 1, 3, 10, 100, len(text)))
    return start, min(len(text), start + numbers.randint(0, longest))


def _other_number(text: str, numbers: Random) -> str:
    """Return the text with one of its numbers replaced."""
    start = numbers.randint(0, len(text))
    while start < len(text) and not text[start].isdigit():
        start += 1
    end = start
    while end < len(text) and text[end].isdigit():
        end += 1
    return text[:start] + numbers.choice(NUMBERS) + text[end:]


def as_bytes(text: str, numbers: Random) -> bytes:
    """Return the text as the bytes of a file, rarely with a byte order mark, as UTF-16, or with invalid
    UTF-8.
    """
    data = text.encode("utf-8", "surrogatepass")
    match numbers.randrange(60):
        case 0:
            return b"\xef\xbb\xbf" + data
        case 1:
            return text.encode("utf-16", "surrogatepass")
        case 2 | 3:
            return mutated_bytes(data, numbers)
        case _:
            return data


def mutated_bytes(data: bytes, numbers: Random) -> bytes:
    """Return bytes after one to five mutations: a bit, a byte, a span removed or doubled, an end cut off."""
    found = bytearray(data)
    for _ in range(numbers.choice((1, 1, 2, 3, 5))):
        place = numbers.randrange(len(found) + 1)
        end = min(len(found), place + numbers.choice((1, 4, 8, 100)))
        match numbers.randrange(6):
            case 0 if place < len(found):
                found[place] ^= 1 << numbers.randrange(8)
            case 1 if place < len(found):
                found[place] = numbers.choice((0, 0xFF, 0x80, numbers.randrange(256)))
            case 2:
                del found[place:end]
            case 3:
                found[place:place] = found[place:end]
            case 4:
                found[place:end] = bytes(numbers.randrange(256) for _ in range(end - place))
            case 5 if numbers.random() < 0.2:
                del found[place:]
    return bytes(found)


# Theories


Clause = tuple[Token, ...]
Declarations = dict[str, list[Clause]]


@dataclass(frozen=True)
class Corpus:
    """Clauses of theories as tokens, each theory with the declarations of its folder."""

    theories: tuple[tuple[tuple[Clause, ...], Declarations], ...]
    by_type: dict[str, tuple[str, ...]]

    @staticmethod
    def of(paths: Sequence[Path]) -> Corpus:
        theories, folders, by_type = [], {}, {}
        for path in paths:
            declarations = folders.setdefault(path.parent, {})
            clauses = [tuple(clause) for clause in scan(path.read_text(encoding="utf-8"), [])]
            # A text without imports is checked without reading another file.
            clauses = [clause for clause in clauses if clause[0].type not in ("IMPORT", "THEORY")]
            if clauses:
                theories.append((tuple(clauses), declarations))
            for clause in clauses:
                if clause[0].type in ("KIND", "SORT") and len(clause) > 2:
                    declarations.setdefault(clause[1].text, []).append(clause)
                for token in clause:
                    by_type.setdefault(token.type, {})[token.text] = None
        kinds = {kind: tuple(texts) for kind, texts in by_type.items()}
        return Corpus(tuple(theories), kinds)

    def theory(self, numbers: Random) -> str:
        """Return a small theory: some mutated clauses of one theory, with the declarations of their names."""
        clauses, declarations = numbers.choice(self.theories)
        first = numbers.randrange(len(clauses))
        taken = list(clauses[first : first + numbers.choice((1, 2, 3, 6))])
        texts = [[token.text for token in clause] for clause in [*declared(taken, declarations), *taken]]
        types = {token.text: token.type for clause in taken for token in clause}
        for _ in range(numbers.choice((0, 1, 1, 2, 3, 5))):
            self._slip(texts, types, numbers)
        text = "\n".join(" ".join(words) for words in texts)
        return mutated(text, [text], (*KEYWORDS, *MARKS), numbers) if numbers.random() < 0.1 else text

    def _slip(self, clauses: list[list[str]], types: dict[str, str], numbers: Random) -> None:
        """Make one mutation in place: in the tokens of a clause, or among clauses."""
        # Later clauses are the chosen ones, so mutations of the declarations are rarer.
        number = max(numbers.randrange(len(clauses)), numbers.randrange(len(clauses)))
        words = clauses[number]
        if not words:
            return
        place = numbers.randrange(len(words))
        other = numbers.randrange(len(words))
        kind = types.get(words[place], "NAME")
        match numbers.randrange(12):
            case 0:
                del words[place]
            case 1:
                words.insert(other, words[place])
            case 2:
                words[place], words[other] = words[other], words[place]
            case 3 | 4 | 5:
                same = [word for word in words if types.get(word) == kind]
                words[place] = numbers.choice(same or words)
            case 6 | 7:
                words[place] = numbers.choice(self.by_type.get(kind, ("x",)))
            case 8:
                words.insert(place, numbers.choice((*KEYWORDS, *MARKS)))
            case 9:
                words[place] = numbers.choice((*NUMBERS, "_", "?x", "?y", "'a b'", "''", "int", "'\u2028'"))
            case 10:
                clauses.insert(numbers.randrange(len(clauses) + 1), list(words))
            case 11:
                source = clauses[numbers.randrange(len(clauses))]
                start = numbers.randrange(len(source) + 1)
                words[place:place] = source[start : start + numbers.randint(1, 8)]


def declared(clauses: Sequence[Clause], declarations: Declarations) -> list[Clause]:
    """Return the declarations of all names in clauses; a name may be a sort and a predicate.

    Sorts come first.
    """
    found: dict[str, list[Clause]] = {}
    todo = list(clauses)
    while todo:
        for token in todo.pop():
            if token.text in declarations and token.text not in found:
                found[token.text] = [each for each in declarations[token.text] if each not in clauses]
                todo += found[token.text]
    return sorted(
        (each for some in found.values() for each in some), key=lambda clause: clause[0].type != "SORT"
    )
