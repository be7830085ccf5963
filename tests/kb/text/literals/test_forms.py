"""Dates, times and decimal numbers: their texts, and their Python values."""

from __future__ import annotations

import datetime
import decimal
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.text.literals.forms import (
    BadLiteralError,
    Form,
    form_of_kind,
    literal_value,
    value_of_python,
)
from hornbook.kb.text.literals.values import FIRST_DAY, LAST_DAY, DateValue, TimeValue, decimal_value

RANGES = {
    "date": (FIRST_DAY, LAST_DAY),
    "time": (FIRST_DAY * 86_400, (LAST_DAY + 1) * 86_400 - 1),
    "decimal": (-(2**63), 2**63 - 1),
    "percent": (-(2**63), 2**63 - 1),
}
PERCENT = [Form("percent"), Form("percent", 1), Form("percent", 15)]
FORMS = [Form("date"), Form("time"), Form("decimal", 1), Form("decimal", 2), Form("decimal", 15), *PERCENT]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.written)
@given(st.data())
def test_a_value_is_read_back_from_its_text_and_its_python_value(form: Form, data: st.DataObject) -> None:
    value = form.number(data.draw(st.integers(*RANGES[form.kind])))
    read = [form.of_text(str(value)), form.of_python(value.python)]
    if form.kind != "percent":  # its Python value is that of a decimal number
        read.append(value_of_python(value.python))
    for each in read:
        assert each == value
        assert type(each) is type(value)
    assert form_of_kind(value.kind) == form
    assert pickle.loads(pickle.dumps(value)).python == value.python


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.written)
@given(st.data())
def test_a_literal_has_the_form_of_its_text(form: Form, data: st.DataObject) -> None:
    value = form.number(data.draw(st.integers(*RANGES[form.kind])))
    assert type(literal_value(str(value))) is form.number


@pytest.mark.parametrize("text", ["5.5", "5.5 %", "5.5%", "5.50 percent", " 5.5 percent ", "+5.5"])
def test_a_percentage_has_several_texts_in_tables(text: str) -> None:
    value = Form("percent", 1).of_text(text)
    assert (int(value), str(value), value.python) == (55, "5.5 percent", decimal.Decimal("5.5"))
    assert str(Form("percent").of_text("19 %")) == "19 percent"
    with pytest.raises(BadLiteralError, match="more than 0 digits"):
        Form("percent").of_text("5.5 %")


def test_values_are_integers_for_engines() -> None:
    value = decimal_value(1250, 2)
    assert (value, hash(value), json.dumps(value), str(value)) == (1250, hash(1250), "1250", "12.50")
    assert str(decimal_value(-5, 2)) == "-0.05"
    assert f"{DateValue(0)} {TimeValue(-1)}" == "1970-01-01 1969-12-31T23:59:59"


def test_a_year_beyond_9999_is_written_with_a_sign() -> None:
    assert str(DateValue(2_932_897)) == "+10000-01-01"
    assert str(DateValue(-719_163)) == "+00000-12-31"
    with pytest.raises(BadLiteralError):
        Form("date").of_text("+10000-01-01")
    with pytest.raises(OverflowError, match=r"\+10000-01-01 is outside"):
        _ = DateValue(2_932_897).python


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T01:00", 3600),
        ("1970-01-01 01:00:05", 3605),
        ("1970-01-01T01:00:00Z", 3600),
        ("1970-01-01T01:00:00+02:00", -3600),
        ("1970-01-01T01:00:00-0130", 9000),
        ("1970-01-01T01:00:00.000", 3600),
    ],
)
def test_a_time_with_an_offset_is_one_of_utc(text: str, seconds: int) -> None:
    assert Form("time").of_text(text) == seconds


def test_a_time_zone_of_python_is_taken_into_account() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=2))
    assert Form("time").of_python(datetime.datetime(1970, 1, 1, 2, tzinfo=zone)) == 0


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (Form("date"), "2023-02-29"),
        (Form("date"), "29.02.2024"),
        (Form("date"), 5),
        (Form("date"), datetime.datetime(2024, 1, 1, 12)),  # noqa: DTZ001
        (Form("date"), decimal_value(5, 2)),
        (Form("time"), "2024-01-01T25:00"),
        (Form("time"), datetime.datetime(2024, 1, 1, 0, 0, 0, 5)),  # noqa: DTZ001
        (Form("time"), datetime.date(2024, 1, 1)),
        (Form("decimal", 2), "1.234"),
        (Form("decimal", 2), "1,5"),
        (Form("decimal", 2), "1e3"),
        (Form("decimal", 2), 1.5),
        (Form("decimal", 2), True),
        (Form("decimal", 2), decimal.Decimal("NaN")),
        (Form("decimal", 2), decimal_value(5, 1)),
        (Form("decimal", 2), "92233720368547758.08"),
    ],
)
def test_other_values_are_refused(form: Form, value: Any) -> None:
    with pytest.raises(BadLiteralError):
        form.of_python(value)


def test_a_decimal_number_may_have_fewer_digits_in_a_table() -> None:
    assert [Form("decimal", 2).of_python(each) for each in ("7", "7.5", "+7.500", 7)] == [700, 750, 750, 700]
