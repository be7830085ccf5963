"""Tests of JSON and JSON Lines as tables."""

from __future__ import annotations

import json
import tempfile
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables import table_facts
from hornbook.kb.tables.readers.table_format import TableFormat
from hornbook.kb.tables.tables import TableError, TableFacts, load_table, read_json
from hornbook.kb.text.literals.values import DateValue, TimeValue, decimal_value

THEORY = load_text(
    "sort thing. sort code = word | int. sort day = date. sort moment = time. sort euro = decimal(2)."
    " sort flag = true | false. static row(thing, code, int, day, moment, euro, flag)."
    " static line(thing, thing, euro). static lives(thing -> thing). static counted(int). static rains."
    " static on(day). static pair(thing, thing)."
)
WORDS = THEORY.vocabulary


def written(folder: str | Path, records: Any, name: str = "a.jsonl") -> Path:
    path = Path(folder) / name
    lines = (
        "".join(f"{json.dumps(each)}\n" for each in records)
        if name.endswith(".jsonl")
        else json.dumps(records)
    )
    path.write_text(lines, encoding="utf-8")
    return path


def values(found: TableFacts) -> list[tuple[Any, ...]]:
    return [fact.values for fact in found.facts]  # noqa: PD011


def read(folder: Path, spec: str, records: Any, **settings: Any) -> TableFacts:
    return load_table(f"{spec}={written(folder, records)}", WORDS, **settings)


def refusal(folder: Path, spec: str, text: str, name: str = "a.jsonl") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(TableError) as caught:
        load_table(f"{spec}={folder / name}", WORDS)
    return str(caught.value)


facts = st.tuples(
    st.text(max_size=4),
    st.text("5-a'", max_size=3) | st.integers(-(2**63), 2**63 - 1),
    st.integers(-(2**63), 2**63 - 1),
    st.dates().map(lambda day: DateValue(day.toordinal() - date(1970, 1, 1).toordinal())),
    st.integers(-60_000_000_000, 250_000_000_000).map(TimeValue),
    st.integers(-(2**63), 2**63 - 1).map(lambda units: decimal_value(units, 2)),
    st.sampled_from(["true", "false"]),
)


@given(st.lists(facts, max_size=4, unique=True), st.sampled_from(["a.json", "a.jsonl", "answers.json"]))
def test_answers_as_json_are_read_back(rows: list[Any], name: str) -> None:
    base = KnowledgeBase(THEORY)
    base.add([GroundFact("row", row) for row in rows])
    names = ("thing", "code", "int", "day", "moment", "euro", "flag")
    found = list(base.query(f"row({', '.join(f'?{each}' for each in names)})").json_rows())
    with tempfile.TemporaryDirectory() as folder:
        if name == "answers.json":
            path = written(folder, [{"answers": found}], name)
            columns = [f"answers.{each}" for each in names]
        else:
            path, columns = written(folder, found, name), None
        read_back = read_json(path, "row", WORDS, columns=columns)
    assert set(values(read_back)) == set(rows)


@st.composite
def orders(draw: st.DrawFn) -> list[dict[str, Any]]:
    line = st.fixed_dictionaries({"article": st.text(max_size=3), "price": st.integers(-999, 999)})
    order = st.fixed_dictionaries(
        {"id": st.text(max_size=3), "note": st.none() | st.integers() | st.lists(st.booleans())},
        optional={"tags": st.lists(st.text(max_size=2))},
    )
    return [each | {"lines": draw(st.lists(line, max_size=3))} for each in draw(st.lists(order, max_size=4))]


@given(orders())
def test_nested_lists_are_flattened_as_pandas_does_it(records: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, records)
        columns = ["id", "lines.article", "lines.price"]
        found = read_json(path, "line", WORDS, columns=columns).facts if records else []
    expected = []
    if any(each["lines"] for each in records):
        frame = pd.json_normalize(records, "lines", ["id"], record_prefix="lines.")
        expected = frame[columns].to_numpy().tolist()
    assert [[each[0], each[1], each[2]] for each in (fact.values for fact in found)] == [  # noqa: PD011
        [first, second, third * 100] for first, second, third in expected
    ]


def test_a_path_of_keys_is_a_column(tmp_path: Path) -> None:
    records = [{"id": "a", "home": {"city": "Bonn"}}, {"id": "b", "home": None}, {"id": "c"}]
    found = read(tmp_path, "lives(id, home.city)", records)
    assert values(found) == [("a", "Bonn")]
    assert found.without_value == 2


keys = st.lists(st.text('a.,"x ', max_size=4), min_size=1, max_size=3)


def quoted(path: list[str]) -> str:
    return ".".join('"' + key.replace('"', '""') + '"' for key in path)


def nested(path: list[str], value: Any) -> Any:
    return value if not path else {path[0]: nested(path[1:], value)}


@given(keys, keys)
def test_each_key_can_be_named_in_quotes(one: list[str], other: list[str]) -> None:
    """A nested path and a key with a dot are different columns, whatever characters the keys have."""
    if one == other[: len(one)] or other == one[: len(other)]:
        return
    depth = next(place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    merged: Any = {**nested(one[depth:], "v"), **nested(other[depth:], "w")}
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, [nested(one[:depth], merged)])
        found = load_table(f"pair({quoted(one)}, {quoted(other)})={path}", WORDS)
    assert values(found) == [("v", "w")]


def test_a_nested_path_and_a_key_with_a_dot_are_different_columns(tmp_path: Path) -> None:
    records = [{"a": {"b": "nested"}, "a.b": "key", "a.b.c": "x", "d,e": [{"f.g": "y"}]}]
    assert values(read(tmp_path, 'pair(a.b, "a.b")', records)) == [("nested", "key")]
    assert values(read(tmp_path, 'pair("a.b.c", "d,e"."f.g")', records)) == [("x", "y")]
    message = refusal(tmp_path, "pair(xyzzy, d)", json.dumps(records[0]))
    assert 'the first one has a.b, "a.b", "a.b.c", "d,e"."f.g"' in message
    message = refusal(tmp_path, "pair", '{"thing_1": "a", "thing.2": "b"}')
    assert 'such as `PREDICATE(thing_1, "thing.2")=FILE`' in message


def test_rows_of_one_record_have_its_number(tmp_path: Path) -> None:
    records = [{"id": "a", "tags": ["x", "y"]}, {"id": "b", "tags": []}, {"id": "c", "tags": ["z"]}]
    found = read(tmp_path, "pair(id, tags)", records)
    assert values(found) == [("a", "x"), ("a", "y"), ("c", "z")]
    assert [found.facts.rows.row(place).rpartition(":")[2] for place in range(3)] == ["1", "1", "3"]


def test_whole_and_decimal_numbers_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_facts._Collecting, "add_rows", None)
    records = [{"thing_1": "a", "thing_2": "b", "euro": number} for number in (1, 1.5, 1, -2)]
    found = read(tmp_path, "line", records)
    assert [str(row[2]) for row in values(found)] == ["1.00", "1.50", "1.00", "-2.00"]


def test_numbers_are_exact_and_typed(tmp_path: Path) -> None:
    text = '{"t": "a", "u": "b", "e": 1.10}\n{"t": "a", "u": "b", "e": 92233720368547758.07}\n'
    (tmp_path / "a.jsonl").write_text(text, encoding="utf-8")
    found = load_table(f"line(t, u, e)={tmp_path / 'a.jsonl'}", WORDS)
    assert [str(row[2]) for row in values(found)] == ["1.10", "92233720368547758.07"]
    message = refusal(tmp_path, "line(t, u, e)", '{"t": "5", "u": 5, "e": 1.105}')
    assert "column `u`: the integer 5 is not a word of sort `thing`" in message
    assert "column `e`: the Decimal 1.105 has more than 2 digits after the point" in message


def test_texts_have_the_format_of_the_table(tmp_path: Path) -> None:
    found = read(tmp_path, "on", [{"day": "31.12.2024"}], table_format=TableFormat(date="%d.%m.%Y"))
    assert str(values(found)[0][0]) == "2024-12-31"


def test_a_predicate_without_columns(tmp_path: Path) -> None:
    assert values(read(tmp_path, "rains", [{"holds": "yes"}])) == [()]


@pytest.mark.parametrize(
    ("spec", "text", "reason"),
    [
        ("counted", '{"int": 1}\n{"int": 1.0}', "row 2: column `int`: the decimal(1) 1.0, and `int` wants"),
        ("counted", '{"int": true}', "row 1: column `int`: the truth value True is no value of sort `int`"),
        ("counted", '{"int": 1}\n\n{"int": 2', "row 3: this is not JSON: "),
        ("counted", '{"int": 1, "int": 2}', "row 1: this is not JSON: an object has the key `int` twice"),
        ("counted", '{"int": NaN}', "row 1: this is not JSON: NaN is no number of JSON"),
        ("counted", '{"int": ' + "9" * 5000 + "}", "row 1: this is not JSON: "),
        ("counted", "[" * 100_000, "values are nested too deeply"),
        ("counted(n)", '{"n": ' + "[" * 900 + "1" + "]" * 900 + "}", "row 1: values are nested too deeply"),
        ("counted", "[1]", "row 1 is a list, and not an object with the columns as keys"),
        ("counted", "5", "row 1 is the integer 5, and not an object"),
        ("counted", '{"int": 1, "n": 2}', "row 1 has the key `n`, and the columns are int; name the columns"),
        ("counted(n)", '{"m": 1}\n{"k": 1}', "no record has `n`; the first one has m"),
        ("counted(a.number)", '{"a": {"numbr": 1}}', "no record has `a.number`; did you mean `a.numbr`?"),
        ("counted(n, m)", '{"n": 1}', "2 columns, where `counted(int)` has 1"),
        ("counted()", '{"n": 1}', "the columns of a JSON file are keys; leave the parentheses out"),
        (
            "counted(n)",
            '{"n": {"m": 1, "k": 2}}',
            "column `n`: the value is an object; its columns are n.m, n.k",
        ),
        ("line(t, u, e)", '{"t": "a", "u": "b", "e": 1e999999999}', "is not a number with 2 digits after"),
        ("line(t, u, e)", '{"t": "a", "u": "b", "e": 1e-999999999}', "is not a number with 2 digits after"),
        ("counted(n.m)", '{"n": 5}\n{"n": {"m": 1}}', "row 1: column `n.m`: the integer 5 is not an object"),
        (
            "pair(a, b)",
            '{"a": ["x"], "b": ["y"]}',
            "column `b`: the value is in a list beside the list at `a`",
        ),
        ("pair(a, b)", '{"a": "\\ud800", "b": "y"}', "column `a`"),
        ('counted("n)', '{"n": 1}', '`"n` is no path of keys, such as'),
        ("counted(n.)", '{"n": 1}', "`n.` is no path of keys, such as"),
        ("counted", '{"int": null}', "row 1: column `int`: the value is NULL"),
    ],
)
def test_bad_json_is_refused_with_its_row(tmp_path: Path, spec: str, text: str, reason: str) -> None:
    assert reason in refusal(tmp_path, spec, text)


def test_bytes_that_are_not_unicode_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'[{"thing_1": "a", "thing_2": "\xff"}]')
    with pytest.raises(TableError, match="row 1: column `thing_2`"):
        load_table(f"pair={tmp_path / 'a.json'}", WORDS)


def test_python_values_as_json_are_dates_and_decimal_numbers(tmp_path: Path) -> None:
    """The texts of `json.dumps(default=str)` are read, too."""
    row = {"t": "a", "c": 5, "n": 1, "d": date(2024, 2, 29), "m": datetime.fromisoformat("2024-02-29T12:30"),
           "e": Decimal("1.5"), "f": True}  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps([row], default=str), encoding="utf-8")
    found = load_table(f"row(t, c, n, d, m, e, f)={tmp_path / 'a.json'}", WORDS)
    assert list(map(str, values(found)[0])) == [
        "a",
        "5",
        "1",
        "2024-02-29",
        "2024-02-29T12:30:00",
        "1.50",
        "true",
    ]
