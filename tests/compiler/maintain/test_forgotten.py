"""The file that names the forgotten rules of a rule base."""

from __future__ import annotations

import json

import pytest

from hornbook.compiler.maintain.forgotten import forgotten_path, read_forgotten, write_forgotten
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.sources.diagnostics import TheoryError

TEXT = "import family.\n\nfirst: grandparent(?x, ?z) :- parent(?x, ?y), parent(?y, ?z).\n"
OTHER = "\nsecond: great_grandparent(?x, ?z) :- parent(?x, ?y), grandparent(?y, ?z).\n"


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "rules.horn"
    path.write_text(TEXT + OTHER)
    return path


def base_of(path):
    return rulebase.read(path, load("family"))


def test_forgotten_rules_are_read_as_they_were_written(rules):
    assert read_forgotten(rules, base_of(rules)) == {}
    write_forgotten(rules, base_of(rules), {"second": "no answer"})
    assert forgotten_path(rules).name == "rules.forgotten.json"
    assert read_forgotten(rules, base_of(rules)) == {"second": "no answer"}
    write_forgotten(rules, base_of(rules), {})
    assert not forgotten_path(rules).exists()


def test_a_rule_that_was_edited_is_used(rules):
    write_forgotten(rules, base_of(rules), {"first": "no answer", "second": "no answer"})
    rules.write_text(TEXT.replace("parent(?x, ?y), ", "parent(?x, ?y), parent(?x, _), ") + OTHER)
    assert read_forgotten(rules, base_of(rules)) == {"second": "no answer"}


def test_a_rule_that_was_moved_stays_forgotten(rules):
    write_forgotten(rules, base_of(rules), {"first": "no answer"})
    rules.write_text("% A comment.\n\n" + TEXT + OTHER)
    assert read_forgotten(rules, base_of(rules)) == {"first": "no answer"}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"forgotten": [1]}', json.dumps({"forgotten": [{"rule": "x"}]})]
)
def test_a_malformed_file_is_reported_with_a_way_out(rules, text):
    base = base_of(rules)
    forgotten_path(rules).write_text(text)
    with pytest.raises(TheoryError, match="does not name forgotten rules") as raised:
        read_forgotten(rules, base)
    assert "delete it, and all rules are used" in str(raised.value)
