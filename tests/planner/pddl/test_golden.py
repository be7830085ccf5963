"""Golden tests of diagnostics for PDDL: each code has files with the mistake and their exact messages.

Set HORNBOOK_UPDATE_GOLDEN=1 to write the messages again. Review the changes before committing.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hornbook.kb.sources.diagnostics import CODES, TheoryError
from hornbook.planner.pddl.domains import read_domain_part
from hornbook.planner.pddl.problems import read_problem_part

GOLDEN = Path(__file__).parent / "golden"
OF_PDDL = [code for code in CODES if code > "HB110"]


@pytest.mark.parametrize("code", OF_PDDL)
def test_what_is_printed_for_each_code(code):
    found = []
    sources = {}
    for kind, read in (("domain", read_domain_part), ("problem", read_problem_part)):
        path = GOLDEN / f"{code}.{kind}.pddl"
        if path.exists():
            sources[path.name] = path.read_text(encoding="utf-8")
            found += read(sources[path.name], path.name)[1]
    printed = f"{TheoryError(found, sources)}\n"
    expected = GOLDEN / f"{code}.txt"
    if os.environ.get("HORNBOOK_UPDATE_GOLDEN"):
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")
    codes = [diagnostic.code for diagnostic in found]
    assert codes.count(code) >= max(map(codes.count, codes)), "the files are about another code"


def test_every_golden_file_belongs_to_a_code():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(OF_PDDL)
    assert {path.name.partition(".")[0] for path in GOLDEN.glob("*.pddl")} == set(OF_PDDL)


def test_every_mistake_has_a_correction():
    for path in GOLDEN.glob("*.pddl"):
        read = read_domain_part if path.name.endswith(".domain.pddl") else read_problem_part
        for diagnostic in read(path.read_text(encoding="utf-8"), path.name)[1]:
            assert diagnostic.help, diagnostic
