"""Tests of the engines against pyDatalog on positive programs without arithmetic and with linear recursion."""

from __future__ import annotations

from random import Random

import pytest

from oracles.engine.random_programs import PLAIN, ProgramMaker
from oracles.language import pydatalog_programs
from oracles.pages.engines import ENGINES

pytestmark = pytest.mark.deep


def test_the_facts_are_those_of_pydatalog(record_property, times):
    maker = ProgramMaker(PLAIN, linear=True, least_arity=1)
    programs = [maker.program(Random(seed)) for seed in range(200 * times)]
    answers = pydatalog_programs.saturate_all(
        (program.predicates, program.given, program.rules) for program in programs
    )
    endless = 0
    for program, facts in zip(programs, answers, strict=True):
        if facts is None:
            endless += 1
            continue
        for engine_class in ENGINES.values():
            engine = engine_class(program.predicates)
            engine.update(add=program.given, add_rules=program.rules)
            for number in range(len(program.predicates)):
                assert engine.facts(number) == facts[number]
    print(f"pyDatalog found no end of {endless} of {len(programs)} programs")
    record_property("pydatalog_endless", endless)
    assert endless < len(programs) / 10
