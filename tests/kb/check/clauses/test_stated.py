"""Tests of `stated` predicates: only the theory gives their facts.

Adding, removing or concluding one elsewhere is refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from hornbook.cli import main
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load, load_text
from hornbook.kb.lower.matching import prepared_rules
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.tables.tables import TableError, load_table, read_rows
from hornbook.repl.session import Session
from oracles.proofs.random_theories import STATIC, random_state, theory_text

THEORY = """theory sides.
sort side = black | white.
sort point.
static opponent(side -> side) stated.
static foe(side, side) stated.
fluent stone(side, point).
opponent(black, white).
opponent(white, black).
foe(?a, ?b) :- opponent(?a, ?b).
"""
BLACK = GroundFact("opponent", ("black", "black"))
MESSAGE = GroundFact("opponent", ("black", "white"))
CONCLUDED = GroundFact("foe", ("black", "white"))
STONE = GroundFact("stone", ("black", "a1"))


@pytest.fixture
def base() -> KnowledgeBase:
    return KnowledgeBase(load_text(THEORY))


def stored(base: KnowledgeBase) -> list[GroundFact]:
    return list(base.facts())


@pytest.mark.parametrize("fact", [BLACK, MESSAGE, CONCLUDED], ids=str)
@pytest.mark.parametrize("engine", [None, "demand"])
def test_python_gives_and_takes_nothing_of_it(fact, engine):
    base = KnowledgeBase(load_text(THEORY), engine=engine)
    before = stored(base)
    refused = rf"^`{fact.relation}` is declared `stated`: .* \(HB070\); write it into the theory, or delete `stated`"
    for give in (
        lambda: base.add([STONE, fact]),
        lambda: base.add([fact], assume=[fact.relation]),
        lambda: base.retract([fact]),
        lambda: base.exchange([fact], [STONE]),
        lambda: base.exchange([], [STONE, fact]),
        lambda: base.engine.group({(fact.relation, None): [fact.values]}),
        lambda: prepared_rules(base.theory, facts=[fact]),
    ):
        with pytest.raises(FactError, match=refused):
            give()
        assert stored(base) == before
    base.add([STONE])
    assert base.query("stone(?s, _), foe(?s, ?o)").to_tuples() == [("black", "white")]


def test_a_text_that_is_added_says_nothing_of_it(base):
    before = stored(base)
    text = "stone(black, a1).\nopponent(black, white).\n foe(black, black).\nmore: foe(?a, ?a) :- stone(?a, _).\n"
    with pytest.raises(TheoryError) as refused:
        base.add_text(text, "more.horn")
    reported = [(str(d.span), d.code) for d in refused.value.diagnostics]
    assert [where for where, code in reported if code == "HB070"] == [
        "more.horn:2:1",
        "more.horn:3:2",
        "more.horn:4:7",
    ]
    assert stored(base) == before


@pytest.mark.parametrize("text", ["stone(black, a1), opponent(black, white)", "foe(white, white)"])
def test_nothing_of_it_is_given_at_the_prompt(text, base):
    session = Session(lambda _: base, base)
    with pytest.raises(TheoryError, match="declared `stated`"):
        session.facts_in(text)
    with pytest.raises(TheoryError, match="declared `stated`"):
        session.retract(text)


def test_no_table_has_it(base, tmp_path):
    table = tmp_path / "opponent.csv"
    table.write_text("black,white\n")
    with pytest.raises(TableError, match=rf"{re.escape(str(table))}: `opponent` is declared `stated`.*HB070"):
        load_table(f"opponent={table}", base.theory.vocabulary)
    with pytest.raises(TableError, match="HB070"):
        base.add_table("foe", [("black", "black")])
    with pytest.raises(TableError, match="HB070"):
        read_rows([("black", "white")], "opponent", base.theory.vocabulary, skip_bad=True)


def test_a_store_with_such_facts_is_not_opened(tmp_path):
    path = tmp_path / "sides.horn"
    path.write_text(THEORY)
    store = Store.create(tmp_path / "kept.hornbook")
    store.put_theory(path)
    store.add_facts([BLACK])
    with pytest.raises(FactError, match="HB070"):
        KnowledgeBase(store=store)
    store.retract_facts([BLACK])
    assert KnowledgeBase(store=store).query("opponent(black, ?o)").to_tuples() == [("white",)]
    store.close()


def test_a_command_says_where_a_text_gives_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("sides.horn").write_text(THEORY)
    Path("board.horn").write_text("stone(black, a1).\nopponent(white, black).\n")
    assert main(["query", "sides.horn", "foe(?a, ?b)", "--add", "board.horn"]) != 0
    reported = capsys.readouterr().err
    assert "board.horn:2:1" in reported
    assert "HB070" in reported
    assert "write it into the theory" in reported


def test_who_imports_a_theory_may_say_more(tmp_path):
    (tmp_path / "sides.horn").write_text(THEORY)
    more = tmp_path / "more.horn"
    more.write_text(
        "theory more.\nimport sides.\nfriends: foe(?a, ?a) :- opponent(?a, _).\nfoe(white, black).\n"
    )
    assert len(KnowledgeBase(load(more)).query("foe(?a, ?b)").to_tuples()) == 4


def test_an_instance_is_stated_where_its_theory_is(tmp_path):
    (tmp_path / "sides.horn").write_text(THEORY)
    own = tmp_path / "own.horn"
    text = "theory own.\nimport sides as two with opponent = other, side = colour, foe = foe.\nsort colour = black | white.\n"
    own.write_text(text)
    assert load(own).vocabulary.predicates["other"].stated
    own.write_text(text + "static foe(colour, colour).\n")
    with pytest.raises(TheoryError, match="is not what `foe` is here") as refused:
        load(own)
    assert "foe(colour, colour) stated`; here" in refused.value.diagnostics[0].help


@pytest.mark.parametrize("seed", range(8))
def test_the_word_changes_nothing_that_follows(seed):
    random = Random(seed)
    while True:
        text, state = theory_text(random), random_state(random)
        own = [f for f in state if f.relation in (*STATIC, "nears")]
        facts = [f"{fact.relation}({', '.join(map(str, fact.values))})." for fact in own]
        text = "\n".join((text, *facts))
        try:
            plain = load_text(text)
        except TheoryError:
            continue
        break
    message = load_text(re.sub(r"(static [^.]*)\.", r"\1 stated.", text))
    assert {p.name for p in message.vocabulary.predicates.values() if p.stated} == {*STATIC, "nears"}
    rest = [fact for fact in state if fact not in own]
    found = []
    for theory in (plain, message):
        base = KnowledgeBase(theory)
        base.add(rest)
        found.append(stored(base))
    assert found[0] == found[1]
    assert own
