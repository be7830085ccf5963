"""Tests of words with characters that other programs treat as line end, blank or nothing.

Every format keeps such words.
"""

from __future__ import annotations

import csv
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.compiler.learn.learning import learn_all, read_examples
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.verification import verify_all
from hornbook.games.lessons import lines_in, texts_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Constant, Rule
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_word
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.store import Store, text
from hornbook.kb.tables.tables import read_csv
from hornbook.kb.text.writing import write_text
from hornbook.theories.chess import adapter as chess
from hornbook.theories.chess.problems import problem as chess_problems
from hornbook.theories.firm.adapter import read as read_firm
from hornbook.theories.firm.adapter import template
from hornbook.theories.firm.tables.writing import csv_of_firm
from hornbook.theories.go import adapter as go
from hornbook.theories.go.problems import jsonl, sgf, shipped

LINE_BREAKERS = "\v\f\x1c\x1d\x1e\x85\u2028\u2029"
WORDS = [f"a{each}b" for each in LINE_BREAKERS]
words = st.text("ab' \u00e9" + LINE_BREAKERS, max_size=8).map(lambda inner: f"x{inner}y")
"""Words with blanks and line ends inside. Around a word in a table, such characters are not part of it."""

MARKED = """theory marked.
sort thing.
sort mark.
fluent has(thing, mark).
action look(thing).
game win(thing).
looked: before win(?x) by look(?x) is GI :- look(?x), before has(?x, WORD).
example marks: has(a, WORD), has(b, WORD), look(a).
"""


def learned(folder: Path, word: str) -> tuple[Path, RuleBase]:
    path = folder / "marked.horn"
    path.write_text(MARKED.replace("WORD", print_word(word)), encoding="utf-8", newline="")
    theory = load(path)
    *_, last = learn_all(read_examples(path, theory), theory, RuleBase(theory.name))
    return path, last.base


@pytest.mark.parametrize("word", WORDS, ids=ascii)
def test_a_rule_base_and_its_proofs_are_read_as_they_were_written(tmp_path, word):
    path, base = learned(tmp_path, word)
    theory, rules = load(path), tmp_path / "rules.horn"
    rulebase.write(base, rules)
    found = rulebase.read(rules, theory)
    assert list(found.entries) == list(base.entries)
    assert [entry.provenance for entry in found] == [entry.provenance for entry in base]
    assert word in [
        term.value for entry in found for term in entry.rule.body[-1].terms if isinstance(term, Constant)
    ]
    assert all(verdict.follows for verdict in verify_all(found, theory))
    before = read_text(rules)
    rulebase.write(found, rules)
    assert read_text(rules) == before


@settings(max_examples=25)
@given(words, words, words)
def test_proofs_keep_every_word(example, file, word):
    with tempfile.TemporaryDirectory() as folder:
        path, base = learned(Path(folder), "m")
        (entry,) = base
        provenance = Provenance(example, file, word, (GroundFact("has", ("a", word), "before"),))
        rules = Path(folder) / "rules.horn"
        rulebase.write(rule_base("marked", [replace(entry, provenance=provenance)]), rules)
        (found,) = rulebase.read(rules, load(path))
        assert (found.provenance, found.certificate) == (provenance, entry.certificate)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_names_with_ends_of_lines_spoil_no_rule(tmp_path, end):
    """A problem or file name may contain any such character.

    The comment above a rule is one line in any case.
    """
    path, base = learned(tmp_path, "m")
    (entry,) = base
    provenance = Provenance(f"a{end}b c.", f"d{end}.horn", "win", ())
    rules = tmp_path / "rules.horn"
    rulebase.write(rule_base("marked", [replace(entry, provenance=provenance)]), rules)
    assert [each.provenance for each in rulebase.read(rules, load(path))] == [provenance]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_rules_with_any_ends_of_lines_are_brought_up_to_date(tmp_path, end):
    path, base = learned(tmp_path, "m")
    rules = tmp_path / "rules.horn"
    rulebase.write(base, rules)
    whole = read_text(rules)
    by_hand = f"{whole}\n% mine\nother:\n  win(?x) by look(?x) is GI :- has(?x, m), has(?x, n).\n"
    rules.write_bytes(by_hand.replace("\n", end).encode())
    rulebase.write(base, rules)
    stored = whole.rstrip("\n") + "\n\n% mine\n"
    assert rules.read_bytes() == (stored.replace("\n", "\r\n") if end == "\r\n" else stored).encode()
    assert len(rulebase.read(rules, load(path))) == 1


def test_a_damaged_proof_is_reported_with_what_is_stored(tmp_path):
    path, base = learned(tmp_path, "m")
    rules = tmp_path / "rules.horn"
    rulebase.write(base, rules)
    with proofs_path(rules).open("a", encoding="utf-8") as file:
        file.write('\n{"rule": "x"\n')
    with pytest.raises(Exception, match=r"jsonl:3:1[\s\S]*the others keep their proofs") as reported:
        rulebase.read(rules, load(path))
    assert "delete" not in str(reported.value)


@given(words)
def test_the_language_keeps_every_word(word):
    written = f"p({print_word(word)}, ?x) :- q(?x).\n"
    (rule,) = parse(format_text(written)).clauses
    assert isinstance(rule, Rule)
    assert rule.head.terms[0] == Constant(word)
    assert parse(f"{written}% {word}\nq(a).").clauses[1].span.line == 3


@settings(max_examples=30)
@given(st.lists(words, min_size=1, max_size=3, unique=True))
def test_tables_and_stores_keep_every_word(found):
    theory = load_text("sort thing. static p(thing).")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "p.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["thing"], *([word] for word in found)])
        facts = read_csv(folder / "p.csv", "p", theory.vocabulary).facts
        assert [fact.values for fact in facts] == [(word,) for word in found]
        base = KnowledgeBase(theory)
        base.add(facts)
        assert sorted(row[0] for row in base.query("p(?x)").rows) == sorted(found)


@settings(max_examples=5)
@given(words, words)
def test_a_store_as_text_keeps_every_word(word, other):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store.create(folder / "a.sqlite") as store:
            store.put_theory("family")
            store.add_facts([GroundFact("parent", (word, other))])
            store.add_event("tried", {"word": word})
            exported = text.export_text(store)
        write_text(folder / "a.jsonl", exported)
        text.import_text(read_text(folder / "a.jsonl"), "a.jsonl", folder / "b.sqlite")
        with Store(folder / "b.sqlite") as copy:
            assert copy.facts() == [GroundFact("parent", (word, other))]
            assert text.export_text(copy) == exported


@settings(max_examples=30)
@given(words)
def test_problems_keep_every_name(word):
    known = jsonl.parse_problems(shipped("hundred").read_text(encoding="utf-8").split("\n")[0])[0]
    problem = replace(known, id=word)
    assert jsonl.parse_problems(jsonl.print_problems([problem, known])) == [problem, known]
    read = sgf.parse_problems(sgf.print_problems([problem]))
    # A name in SGF is one line of text, and every kind of white space in it is a blank.
    assert [each.id for each in read] == [word.replace("\v", " ").replace("\f", " ")]
    first = chess_problems.parse_problems(
        chess_problems.shipped("learn").read_text(encoding="utf-8").split("\n")[0]
    )
    renamed = [replace(first[0], id=word)]
    assert chess_problems.parse_problems(chess_problems.print_problems(renamed)) == renamed


def test_lines_of_problems_are_stored_whole(tmp_path):
    line = '{"id": "a\u2028b", "size": 9}'
    (tmp_path / "p.jsonl").write_text(f"{line}\n", encoding="utf-8")
    assert texts_of(lines_in([tmp_path / "p.jsonl"])) == {"a\u2028b": line}


@settings(max_examples=30)
@given(words)
def test_the_table_of_a_firm_keeps_every_name(word):
    firm = read_firm(template(), "01.csv")
    name = word.strip()
    products = {name if known == "bread" else known: product for known, product in firm.products.items()}
    assert "bread" in firm.products
    renamed = replace(firm, products=products)
    assert read_firm(csv_of_firm(renamed), "02.csv") == renamed


@pytest.mark.parametrize("mark", LINE_BREAKERS, ids=ascii)
def test_a_comment_of_a_diagram_ends_with_its_line(mark):
    assert go.read(f"% a{mark}b ?\nX .\n. O\n", "board").rows == 2
    fen = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1"
    assert chess.read(f"% a{mark}b\n{fen} % c{mark}d", "fen").to_move == "white"
    ranks = "k.......\n" + "........\n" * 6 + ".......K\n"
    assert chess.read(f"% a{mark}b\n{ranks}", "diagram").to_move == "white"
    with pytest.raises(Exception, match=r":3:1\b"):
        go.read(f"X . % {mark}\n. O\n? .\n", "board")


def test_an_entry_without_a_proof_is_written_too(tmp_path):
    path, base = learned(tmp_path, "m")
    (entry,) = base
    rules = tmp_path / "rules.horn"
    rulebase.write(rule_base("marked", [RuleEntry(entry.rule, None, None)]), rules)
    assert read_text(proofs_path(rules)) == ""
    assert not next(iter(rulebase.read(rules, load(path)))).is_certified
