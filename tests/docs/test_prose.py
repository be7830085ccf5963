"""Docstrings and comments are short sentences with explicit subjects, and names are no participles.

The rules are those of CONTRIBUTING.md. A pattern only finds candidates, so a share of the sentences may match.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "app",
    "benchmarks",
    "compiler",
    "kb",
    "matcher",
    "oracles",
    "planner",
    "play",
    "render",
    "theories",
)
MAX_WORDS = 30
MAX_SHARE = 0.06
"""The largest share of sentences that match a pattern, in each folder."""
BEGINNINGS = re.compile(r"(What|Of|Who|Whose|Where|That|Those|Such)\b")
PHRASES = re.compile(
    r"\bwho(ever)? (is|are|has|would|wants?|plays|asks|moves)\b"
    r"|\b(of|by|in|to|from) (which|whom|whose)\b"
    r"|\bwhat (is|are|it|they|there|has|have|was|holds|comes|rests|stands)\b"
    r"|\brests? on\b|\bstands? (there|for|in|beside|at)\b|\b(nobody|somebody|whoever)\b"
    r"|\bis (so|said|told|asked|spoken|meant)\b|\b(says?|said|told|spoken) (of|about)\b"
    r"|\bnor\b.*\bnor\b|\b(one thing|made one|by itself|beside it|beside them)\b"
)
PARTICIPLES = re.compile(r"(?:^|_)(said|told|asked|wanted|kept|held|begun|gone|stood|spoken|foretold)(?:_|$)")
MAX_PARTICIPLES = 0.02
"""The largest share of names with such a participle; public names and fields of stored data keep theirs."""


def texts(source: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a module."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text with at least four words; code counts as one word."""
    plain = " ".join(re.sub(r">>>[^\n]*|`[^`]*`", "x", text).split())
    found = re.split(r"(?<=[.:;!?])\s+(?=[A-Z\"(])", plain)
    return [sentence for sentence in found if len(sentence.split()) > 3]


def is_unclear(sentence: str) -> bool:
    long = len(sentence.split()) > MAX_WORDS
    return long or BEGINNINGS.match(sentence) is not None or PHRASES.search(sentence) is not None


def names(source: str) -> Iterator[str]:
    """Yield the names that a module binds."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def sources(folder: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in (ROOT / folder).rglob("*.py")]


@pytest.mark.parametrize("folder", FOLDERS)
def test_sentences_are_plain(folder):
    found = [s for source in sources(folder) for text in texts(source) for s in sentences(text)]
    unclear = [sentence for sentence in found if is_unclear(sentence)]
    assert len(found) > 50
    assert len(unclear) <= MAX_SHARE * len(found), unclear[:20]


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_are_no_participles(folder):
    found = [name for source in sources(folder) for name in names(source)]
    participles = [name for name in found if PARTICIPLES.search(name.lower())]
    assert len(participles) <= MAX_PARTICIPLES * len(found), sorted(set(participles))


@pytest.mark.parametrize(
    "sentence",
    [
        "What is kept beside it stands there.",
        "Return the rows of which nobody asks.",
        " ".join(["word"] * 31),
    ],
)
def test_the_patterns_find_unclear_sentences(sentence):
    assert is_unclear(sentence)


def test_the_patterns_accept_plain_sentences():
    assert not is_unclear("Return the stored facts of a relation. Raise KeyError if there is none.")
