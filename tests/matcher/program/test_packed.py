"""Tests of packed rules: they are the rules that were packed, engines conclude the same, and damage is refused."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    Call,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Function,
    Match,
    Var,
)
from hornbook.matcher.program.errors import (
    DuplicateRuleError,
    EngineError,
    HornbookError,
    MalformedError,
    UnsafeRuleError,
)
from hornbook.matcher.program.packed import PackedRules, packed
from oracles.engine.random_programs import EVERYTHING, ProgramMaker, RandomProgram
from oracles.pages.engines import EngineClass

EDGES = (CodedPredicate(2), CodedPredicate(2))
HEAD = Match(1, (Var(0), Var(1)))
STEP = CodedRule("step", HEAD, (Match(0, (Var(0), Var(1))),), 2)


def programs(seeds: int) -> list[RandomProgram]:
    return [
        ProgramMaker(EVERYTHING, huge=huge).program(Random(seed))
        for seed in range(seeds)
        for huge in (False, True)
    ]


def facts(engine: object, program: RandomProgram, *, is_packed: bool) -> object:
    try:
        engine.update(add=program.given)
        if is_packed:
            engine.add_packed(packed(program.rules))
        else:
            engine.update(add_rules=program.rules)
    except EngineError as problem:
        return type(problem), str(problem)
    return {number: engine.facts(number) for number in range(len(program.predicates))}


def test_unpacked_rules_are_the_packed_ones(times):
    for program in programs(100 * times):
        assert packed(program.rules).rules() == tuple(program.rules)


def test_engines_conclude_the_same_from_packed_rules(engine_class: EngineClass, times):
    for program in programs(40 * times):
        expected = facts(engine_class(program.predicates), program, is_packed=False)
        assert facts(engine_class(program.predicates), program, is_packed=True) == expected


def test_the_rules_of_an_engine_are_unpacked_on_demand(monkeypatch):
    unpacked: list[PackedRules] = []
    rules = PackedRules.rules
    monkeypatch.setattr(PackedRules, "rules", lambda self: unpacked.append(self) or rules(self))
    engine = CompiledEngine(EDGES)
    engine.add_packed(packed([STEP]))
    engine.update(add=[Fact(0, (1, 2))])
    assert engine.facts(1) == {(1, 2)}
    derivation = engine.derivation(Fact(1, (1, 2)))
    assert derivation is not None
    assert derivation.rule == "step"
    assert unpacked == []
    assert dict(engine.rules) == {"step": STEP}
    assert len(unpacked) == 1


def test_a_packed_rule_can_be_removed_and_replaced():
    engine = CompiledEngine(EDGES)
    engine.add_packed(packed([STEP]))
    with pytest.raises(DuplicateRuleError):
        engine.add_packed(packed([STEP]))
    turned = CodedRule("step", Match(1, (Var(1), Var(0))), STEP.body, 2)
    engine.update(add=[Fact(0, (1, 2))], remove_rules=["step"], add_rules=[turned])
    assert engine.facts(1) == {(2, 1)}
    assert dict(engine.rules) == {"step": turned}


def test_damaged_bytes_are_refused_and_change_nothing(times):
    random = Random(1)
    for program in programs(20 * times):
        if not program.rules:
            continue
        whole = packed(program.rules)
        for _ in range(20):
            data = bytearray(whole.data)
            for _ in range(random.randint(1, 3)):
                data[random.randrange(len(data))] = random.randrange(256)
            cut = bytes(data[: random.choice([len(data), random.randrange(len(data))])])
            engine = CompiledEngine(program.predicates)
            try:
                engine.add_packed(PackedRules(whole.ids, cut))
            except HornbookError:
                assert not engine.rules
            engine.update(add=())


@pytest.mark.parametrize("data", [b"", b"\xff" * 12, packed([STEP, STEP]).data, packed([STEP]).data + b"\0"])
def test_other_bytes_than_the_rules_are_malformed(data):
    engine = CompiledEngine(EDGES)
    with pytest.raises(MalformedError):
        engine.add_packed(PackedRules(("step",), data))
    assert not engine.rules


def test_a_rule_that_calls_a_function_is_not_packed():
    call = Compare("=", Var(1), Call(Function("f", lambda cells: cells[0]), (Var(0),)))
    with pytest.raises(ValueError, match="'f' cannot be packed"):
        packed([CodedRule("r", HEAD, (Match(0, (Var(0), Var(1))), call), 2)])


@pytest.mark.parametrize("is_first", [False, True], ids=["later facts", "facts first"])
def test_an_unsafe_packed_rule_concludes_nothing(is_first):
    """A packed rule was accepted before, and is planned when it is needed; damage may make it unsafe."""
    absent = AbsentOf((Match(0, (Var(1), Var(2))),))
    unsafe = CodedRule("unsafe", HEAD, (Match(0, (Var(0), Var(0))), absent), 3)
    engine = CompiledEngine(EDGES)
    given = Fact(0, (1, 1))
    if is_first:
        engine.update(add=[given])

    def matched() -> None:
        engine.add_packed(packed([unsafe]))
        engine.exchange([], [engine.group([given])])

    with pytest.raises((UnsafeRuleError, MalformedError)):
        matched()
    assert not engine.facts(1)
