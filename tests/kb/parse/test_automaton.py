"""Tests of the automaton: lark makes the same one from the grammar, and its own loop gives the same results."""

from __future__ import annotations

import random
import runpy
from pathlib import Path

import pytest
from lark import Lark
from lark.lexer import Lexer

from hornbook.kb.desugar.desugaring import desugar
from hornbook.kb.parse.automaton import Automaton
from hornbook.kb.parse.syntax import parse
from hornbook.kb.parse.term_builder import Builder
from hornbook.kb.text.scanner import KEYWORDS, Token, scan

ROOT = Path(__file__).parents[3]
SHIPPED = sorted((ROOT / "theories").rglob("*.horn"))
MADE = runpy.run_path(str(ROOT / "packaging" / "automaton.py"))


class LarkToken(Token):
    """A token with the attributes that lark reads from the last token of a clause."""

    end_line = start_pos = end_pos = None


class TokenLexer(Lexer):
    """A lexer that passes the scanner's tokens to lark. A keyword that is not expected becomes a NAME."""

    __future_interface__ = 2

    def __init__(self, conf):
        pass

    def lex(self, lexer_state, parser_state):
        states = parser_state.parse_conf.states
        for token in lexer_state.text:
            is_word = token.type in KEYWORDS.values() and token.type not in states[parser_state.position]
            yield LarkToken("NAME" if is_word else token.type, *token[1:])


@pytest.fixture(scope="module")
def lark():
    """Return lark's own parser of the scanner's tokens, with its builder."""
    builder = Builder()
    grammar = (ROOT / "kb/parse/grammar.lark").read_text(encoding="utf-8")
    starts = ["clause", "query"]
    return Lark(grammar, parser="lalr", lexer=TokenLexer, start=starts, transformer=builder), builder


def test_the_file_is_what_its_script_writes():
    text = MADE["PAGE"].read_text(encoding="utf-8")
    assert text == MADE["text"](), "run `python packaging/automaton.py`"


def test_every_method_is_one_of_the_builder():
    methods = {method for _, _, method, _ in MADE["tables"]()["reductions"] if method}
    assert all(callable(getattr(Builder, method)) for method in methods)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_clauses_that_ship_mean_what_larks_own_loop_makes_of_them(lark, path):
    parser, builder = lark
    text = path.read_text(encoding="utf-8")
    theirs = []
    for tokens in scan(text, []):
        builder.begin(str(path))
        clause = parser.parse(tokens, start="clause")
        if builder.abbreviates or builder.calculations:
            clause = desugar(clause, builder.wildcards)
        theirs += clause if isinstance(clause, list) else [clause]
    assert [repr(clause) for clause in parse(text, str(path)).clauses] == [repr(each) for each in theirs]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_what_can_follow_is_what_lark_accepts(lark, path):
    parser, builder = lark
    own_builder = Builder()
    ours = Automaton(own_builder)
    choose = random.Random(path.name)
    for tokens in scan(path.read_text(encoding="utf-8"), []):
        start = choose.choice(["clause", "query"])
        taken = []
        own_builder.begin("file", in_query=start == "query")
        ours.run(tokens, start, taken)
        # At a random place, or where the tokens stop to fit
        end = choose.randrange(len(taken)) if choose.random() < 0.5 else max(len(taken) - 1, 0)
        builder.begin("file", in_query=start == "query")
        theirs = parser.parse_interactive(taken[:end], start=start)
        theirs.exhaust_lexer()
        assert ours.expected([token.type for token in taken[:end]], start) == theirs.accepts()
