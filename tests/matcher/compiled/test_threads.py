"""Tests of the compiled engine with threads, signals and the clock.

One engine works for one thread, and many engines for many threads.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AggregateOf,
    Apply,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.errors import ConcurrentUseError, EngineError, TimeLimitError
from oracles.walks.random_walks import wander
from oracles.walks.walk_events import Tally

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, NODE = range(3)
PREDICATES = [CodedPredicate(2), CodedPredicate(2), CodedPredicate(1)]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)
MANY = tuple(Match(NODE, (Var(place),)) for place in range(9))
NEVER = (*MANY, Compare("<", Apply("+", X, Apply("+", Y, Var(8))), 0))
"""A body that runs practically forever: three hundred nodes in nine places, and no combination matches."""
ENDLESS = CodedRule("endless", Match(PATH, (X, Y)), NEVER, 9)
NODES = [Fact(NODE, (number,)) for number in range(300)]


def engine_with_seconds(seconds: float) -> CompiledEngine:
    engine = CompiledEngine(PREDICATES, derivations="all", limits=Limits(seconds=seconds))
    engine.update(add=[*NODES, Fact(EDGE, (1, 2)), Fact(EDGE, (2, 3))], add_rules=[STEP, GO_ON])
    return engine


def state(engine: CompiledEngine) -> object:
    paths = sorted(engine.facts(PATH))
    return (
        [(set(engine.facts(number)), set(engine.given(number))) for number in range(3)],
        dict(engine.rules),
        [(engine.derivation(Fact(PATH, row)), engine.derivations(Fact(PATH, row))) for row in paths],
    )


LONG: dict[str, Callable[[CompiledEngine], object]] = {
    "an update": lambda engine: engine.update(add=[Fact(EDGE, (3, 4))], add_rules=[ENDLESS]),
    "a query": lambda engine: engine.query(NEVER, [X]),
    "an aggregate": lambda engine: engine.query([AggregateOf(Z, "count", (X,), NEVER[:2] + NEVER[3:])], [Z]),
}


@pytest.mark.parametrize("call", LONG.values(), ids=LONG.keys())
def test_a_long_call_ends_when_the_time_is_over_and_changes_nothing(call):
    engine = engine_with_seconds(0.2)
    before = state(engine)
    with pytest.raises(TimeLimitError, match=r"more than 0\.2 seconds"):
        call(engine)
    assert state(engine) == before
    engine.update(add=[Fact(EDGE, (3, 4))])
    assert (1, 4) in engine.facts(PATH)


def test_what_grows_without_end_stops_when_the_time_is_over():
    count = CodedRule("count", Match(NODE, (Y,)), (Match(NODE, (X,)), Compare("=", Y, Apply("+", X, 1))), 2)
    engine = CompiledEngine(PREDICATES, limits=Limits(facts=50_000_000, seconds=0.1))
    engine.update(add=NODES[:3])
    with pytest.raises(TimeLimitError):
        engine.update(add=NODES[5:7], add_rules=[count])
    assert engine.facts(NODE) == {(0,), (1,), (2,)}
    assert not engine.rules


@contextmanager
def working(engine: CompiledEngine, call: Callable[[CompiledEngine], object]) -> Iterator[list[str]]:
    """Run a thread inside the engine during this block; yield a list that grows at its beginning and end."""
    events: list[str] = []

    def work() -> None:
        events.append("begins")
        with pytest.raises(TimeLimitError):
            call(engine)
        events.append("ends")

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield events
    finally:
        thread.join()


@pytest.mark.parametrize("call", LONG.values(), ids=LONG.keys())
def test_other_threads_run_on_while_an_engine_works(call):
    """If they did not, a few ticks at most would fall between the two events."""
    engine = engine_with_seconds(0.4)
    ticks = 0
    with working(engine, call) as events:
        while "ends" not in events:
            ticks += "begins" in events
            time.sleep(0.001)
    assert ticks > 20


USES: dict[str, Callable[[CompiledEngine], object]] = {
    "update": lambda engine: engine.update(add=[Fact(EDGE, (3, 4))]),
    "update of rules": lambda engine: engine.update(remove_rules=["step"]),
    "query": lambda engine: engine.query([Match(EDGE, (X, Y))], [X]),
    "facts": lambda engine: engine.facts(EDGE),
    "given": lambda engine: engine.given(EDGE),
    "columns": lambda engine: engine.columns(EDGE),
    "count": lambda engine: engine.count(EDGE),
    "bytes": lambda engine: engine.bytes(),
    "in": lambda engine: Fact(EDGE, (1, 2)) in engine,
    "derivation": lambda engine: engine.derivation(Fact(PATH, (1, 2))),
    "derivations": lambda engine: engine.derivations(Fact(PATH, (1, 2))),
    "push": lambda engine: engine.push(),
    "pop": lambda engine: engine.pop(),
    "add_predicates": lambda engine: engine.add_predicates([CodedPredicate(1)]),
}


@pytest.mark.deep
def test_an_engine_that_another_thread_uses_says_so():
    engine = engine_with_seconds(1.0)
    engine.push()
    before = state(engine)
    refused = set()
    with working(engine, lambda engine: engine.query(NEVER, [X])) as times:
        while len(times) < 2 and not refused:
            try:
                engine.facts(EDGE)
            except ConcurrentUseError:
                refused.add("facts")
        for name, use in USES.items():
            with pytest.raises(ConcurrentUseError, match="another thread") as caught:
                use(engine)
            assert isinstance(caught.value, EngineError)
            refused.add(name)
    assert refused == USES.keys()
    assert state(engine) == before
    for name, use in USES.items():
        if name != "update of rules":  # under a mark
            use(engine)


def test_an_engine_may_go_from_thread_to_thread():
    engine = engine_with_seconds(10)
    with ThreadPoolExecutor(1) as other:
        other.submit(engine.update, add=[Fact(EDGE, (3, 4))]).result()
        assert (1, 4) in engine.facts(PATH)
        engine.push()
        other.submit(engine.pop).result()
        assert len(other.submit(engine.update, retract=[Fact(EDGE, (1, 2))]).result().removed) == 4


def closure(seed: int) -> None:
    """Update chains that grow and shrink, and compare the number of facts with its formula."""
    engine = CompiledEngine(PREDICATES)
    engine.update(add_rules=[STEP, GO_ON])
    length = 0
    for step in range(36):
        more = 1 + (seed * 31 + step * 17) % 23
        if step % 5 == 4:
            missing = min(more, length)
            engine.update(
                retract=[Fact(EDGE, (place, place + 1)) for place in range(length - missing, length)]
            )
            length -= missing
        else:
            engine.update(add=[Fact(EDGE, (place, place + 1)) for place in range(length, length + more)])
            length += more
        assert len(engine.facts(PATH)) == length * (length + 1) // 2
    assert engine.facts(PATH) == {(a, b) for a in range(length) for b in range(a + 1, length + 1)}


@pytest.mark.deep
def test_several_engines_work_in_several_threads():
    with ThreadPoolExecutor(4) as threads:
        for each in [threads.submit(closure, seed) for seed in range(8)]:
            each.result()


@pytest.mark.deep
def test_random_walks_in_several_threads():
    def walks(part: int) -> Tally:
        tally = Tally()
        for seed in range(10_000 + 10 * part, 10_000 + 10 * (part + 1)):
            wander(seed, "recursive", tally)
        return tally

    with ThreadPoolExecutor(4) as threads:
        tallies = list(threads.map(walks, range(4)))
    assert all(tally["steps"] > 300 for tally in tallies)


INTERRUPTED = (Path(__file__).parent / "data" / "threads_interrupted.txt").read_text(encoding="utf-8")


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="there a process cannot interrupt itself")
@pytest.mark.parametrize("call", ["an update", "a query"])
def test_an_interrupted_call_changes_nothing(call):
    """The test runs in a new process, so that the signal interrupts nothing else."""
    program = INTERRUPTED
    if call == "an update":  # a rule cannot be added under a mark
        program = program.replace("engine.push()\n", "")
        program = program.replace("engine.pop()", "engine.update(retract=[Fact(0, (3, 4))])")
    here = [str(Path(__file__).parents[3]), str(Path(__file__).parent)]
    done = subprocess.run(
        [sys.executable, "-c", program.format(path=here, call=call)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split("\n") == ["interrupted True", "True", "True", ""]


def test_threads_that_change_one_engine_at_once_are_refused_or_heard_whole():
    """Each thread adds its own rules and facts and removes some.

    Every accepted change is visible, and no other.
    """
    engine = CompiledEngine(PREDICATES, derivations="all")
    taken: dict[int, set[int]] = {}
    refused = []
    barrier = threading.Barrier(4)

    def work(part: int) -> None:
        mine = taken[part] = set()
        barrier.wait()
        for number in range(part, 200, 4):
            rule = CodedRule(
                number, Match(PATH, (number, X)), (Match(NODE, (X,)), Compare("=", X, number)), 1
            )
            try:
                change = engine.update(add=[Fact(NODE, (number,))], add_rules=[rule])
                mine.add(number)
                len(engine.facts(PATH))
                set(change.added)
                engine.derivation(Fact(PATH, (number, number)))
                if number % 3 == 0:
                    engine.update(remove_rules=[number], retract=[Fact(NODE, (number,))])
                    mine.discard(number)
            except ConcurrentUseError:
                refused.append(number)

    with ThreadPoolExecutor(4) as threads:
        for each in [threads.submit(work, part) for part in range(4)]:
            each.result()
    there = set().union(*taken.values())
    assert there
    assert engine.facts(NODE) == {(number,) for number in there}
    assert engine.facts(PATH) == {(number, number) for number in there}
    assert engine.rules.keys() == there
    for number in there:
        derivation = engine.derivation(Fact(PATH, (number, number)))
        assert derivation is not None
        assert derivation.rule == number
    engine.update(remove_rules=sorted(there))
    assert engine.facts(PATH) == set()


def test_two_threads_do_not_add_a_rule_of_one_name_twice():
    """No other thread runs between the core's part of an update and the registration of its rule names."""
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(EDGE, (1, 2))])
    core = engine._core

    class Slow:
        """A core that lets another thread run immediately after each update."""

        def __getattr__(self, name: str) -> object:
            return getattr(core, name)

        def update(self, *arguments: object) -> object:
            done = core.update(*arguments)
            engine._core = core
            with ThreadPoolExecutor(1) as other, pytest.raises(ConcurrentUseError):
                other.submit(engine.update, add_rules=[STEP]).result()
            return done

    engine._core = Slow()
    engine.update(add_rules=[STEP])
    assert (len(engine.rules), engine.facts(PATH)) == (1, {(1, 2)})
    engine.update(remove_rules=["step"])
    assert engine.facts(PATH) == set()


def test_what_an_update_did_can_be_read_while_another_thread_is_inside_or_says_so():
    engine = engine_with_seconds(0.4)
    added = engine.update(add=[Fact(EDGE, (3, 4))]).added
    read = 0
    with working(engine, LONG["an update"]) as times:
        while len(times) < 2:
            try:
                assert Fact(PATH, (1, 4)) in set(added)
                assert len(added.columns(EDGE)[0]) == 1
                read += 1
            except ConcurrentUseError:
                time.sleep(0.001)
    assert Fact(PATH, (1, 4)) in set(added)
