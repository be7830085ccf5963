"""Tests of a knowledge base with a store: additions are stored, and facts given only for a query are not."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.store import Store, StoreError
from hornbook.kb.store.closure import read_theory
from hornbook.kb.tables.tables import read_rows

_TINY = """theory tiny.

sort thing.
fluent weight(thing -> int).
fluent heavy(thing).
derived light(thing).

r:
  heavy(?x) :- weight(?x, ?n), ?n > 2.
l:
  light(?x) :- weight(?x, ?n), ?n <= 2.
"""


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "tiny.horn"
    file.write_text(_TINY, encoding="utf-8")
    return file


@pytest.fixture
def store(file, tmp_path):
    with Store.create(tmp_path / "kb.sqlite") as made:
        made.put_theory(read_theory(file))
        yield made


def weight(thing: str, number: int) -> GroundFact:
    return GroundFact("weight", (thing, number))


def test_facts_that_are_added_are_there_again(store):
    base = KnowledgeBase(store=store)
    base.add([weight("a", 1), weight("b", 5)])
    base.exchange([weight("a", 1)], [weight("a", 3)])
    base.retract([weight("c", 1)])
    again = KnowledgeBase(store=store)
    assert again.query("heavy(?x)").to_tuples() == [("a",), ("b",)]
    assert sorted(store.facts()) == sorted(again.given())


def test_what_is_only_queried_is_not_stored(store):
    base = KnowledgeBase(store=store)
    base.push()
    base.add([weight("a", 5)])
    base.pop()
    assert store.facts() == []
    base.add([weight("a", 5)])
    assert len(store.facts()) == 1


def test_what_is_assumed_is_not_stored(store):
    base = KnowledgeBase(store=store)
    assumed = GroundFact("light", ("a",))
    with pytest.raises(FactError, match="a store keeps no assumptions"):
        base.add([assumed], assume=["light"])
    base.push()
    base.add([assumed], assume=["light"])
    base.pop()
    assert store.facts() == []


def test_what_the_theory_refuses_is_not_stored(store):
    base = KnowledgeBase(store=store)
    with pytest.raises(KnowledgeBaseError, match="two values for one key"):
        base.add([weight("a", 1), weight("a", 2)])
    with pytest.raises(FactError):
        base.add([GroundFact("weight", ("a",))])
    assert store.facts() == []


def test_what_the_store_refuses_is_not_added(store, monkeypatch):
    """The disk is full at the commit, after the engine has changed."""
    base = KnowledgeBase(store=store)
    base.add([weight("a", 5)])
    rows = Store._rows

    def no_commit(self: Store, sql: str, *values: object) -> list[object]:
        if sql == "COMMIT":
            raise StoreError("there is no room on the disk")
        return rows(self, sql, *values)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "_rows", no_commit)
        with pytest.raises(StoreError, match="no room"):
            base.exchange([weight("a", 5)], [weight("b", 5)])
        with pytest.raises(StoreError, match="no room"):
            base.add_text("weight(c, 9). s: heavy(?x) :- weight(?x, 1).")
    assert base.query("heavy(?x)").to_tuples() == [("a",)]
    assert store.facts() == [GroundFact("weight", ("a", 5), "before")]
    base.add([weight("d", 1)])
    assert base.query("heavy(?x)").to_tuples() == [("a",)]


def test_a_store_that_is_read_is_left_only(store):
    store.add_facts([weight("a", 5)])
    with Store(store.path) as reader:
        base = KnowledgeBase(store=reader)
        base.add([weight("b", 5)])
        assert len(base.query("heavy(?x)").rows) == 2
    assert len(store.facts()) == 1


def test_another_text_of_the_theory_is_refused(store, file):
    assert KnowledgeBase(file, store=store).theory.name == "tiny"
    with pytest.raises(StoreError, match="`tiny` is another than the store's"):
        KnowledgeBase(load_text(_TINY + "heavy(x) :- heavy(y)."), store=store)
    with pytest.raises(StoreError, match="no theory `family`"):
        KnowledgeBase("family", store=store)


def table(base, *rows):
    return read_rows(rows, "weight", base.theory.vocabulary).facts


def test_the_facts_of_a_table_are_stored_as_facts_are(store):
    base = KnowledgeBase(store=store)
    base.add([weight("a", 1), weight('say "ü"', 5)])
    base.add(table(base, ("a", 1), ('say "ü"', 5), ("b", 7), ("b", 7)))
    assert [(*fact.values, fact.tense) for fact in store.facts()] == [
        ("a", 1, "before"),
        ('say "ü"', 5, "before"),
        ("b", 7, "before"),
    ]
    assert store.count_facts() == 3
    again = KnowledgeBase(store=store)
    assert sorted(again.given()) == sorted(base.given()) == sorted(store.facts())
    base.push()
    base.add(table(base, ("c", 1)))
    base.pop()
    base.retract(table(base, ("a", 1)))
    assert store.count_facts() == 2


def test_a_table_is_in_the_engine_and_in_the_store_or_in_neither(store, monkeypatch):
    base = KnowledgeBase(store=store)
    base.add([weight("a", 1)])
    before = base.given()
    for rows, error in [([("b", 1), ("a", 2)], KnowledgeBaseError), ([("a", 1), ("b", 3)], StoreError)]:
        with monkeypatch.context() as patched:
            if error is StoreError:
                stored = Store._rows

                def refuse(self, sql, *values, stored=stored):
                    if sql == "COMMIT":
                        raise StoreError("there is no room on the disk")
                    return stored(self, sql, *values)

                patched.setattr(Store, "_rows", refuse)
            with pytest.raises(error):
                base.add(table(base, *rows))
        assert base.given() == before == store.facts()
        assert base.query("heavy(?x)").to_tuples() == []


def test_what_a_store_holds_is_given_all_at_once(store):
    """Some facts have another width or kind, which only other programs write.

    The first of them is reported.
    """
    store.add_facts([weight("a", 3), GroundFact("heavy", ("b",)), GroundFact("weight", ("c", 1), "before")])
    base = KnowledgeBase(store=store)
    assert base.query("heavy(?x)").to_tuples() == [("a",), ("b",)]
    assert base.query("light(?x)").to_tuples() == [("c",)]
    store.add_facts([GroundFact("weight", (1, "x"))])
    with pytest.raises(FactError, match="the integer 1 is not a word of sort `thing`"):
        KnowledgeBase(store=store)


def test_what_is_given_is_looked_up_once_for_a_change(store, monkeypatch):
    """The lookup does not happen for each of possibly millions of facts."""
    base = KnowledgeBase(store=store, engine="compiled")
    queried = []
    given = type(raw_engine(base)).given
    monkeypatch.setattr(type(raw_engine(base)), "given", lambda *each: queried.append(each) or given(*each))
    base.add(weight(f"a{number}", number) for number in range(100))
    base.exchange([weight("a1", 1)], [weight("a1", 2)])
    assert len(queried) < 10
