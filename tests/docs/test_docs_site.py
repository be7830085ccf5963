"""Tests that the API reference has every public name, and only existing names."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import hornbook

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
DIRECTIVES = re.findall(r"^\.\. auto(\w+):: (\S+)((?:\n   :.*)*)", PAGE, re.MULTILINE)


def test_every_public_name_is_described():
    described = {target for _, target, _ in DIRECTIVES}
    assert sorted({f"hornbook.{name}" for name in hornbook.__all__} - described) == []


@pytest.mark.parametrize(("kind", "target", "options"), DIRECTIVES, ids=lambda part: part.strip())
def test_what_is_described_is_there_and_says_what_it_is(kind, target, options):
    if kind == "module":
        described = import_module(target)
    else:
        module, _, name = target.rpartition(".")
        described = getattr(import_module(module), name)
    assert described.__doc__
    members = re.search(r":members: (.*)", options)
    for name in members[1].split(", ") if members else ():
        assert hasattr(described, name), f"{target} has no {name}"
        assert getattr(described, name).__doc__ or kind == "class", f"{target}.{name} does not say what it is"
