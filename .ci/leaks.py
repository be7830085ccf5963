"""What the compiled cores have not freed when all that used them is gone, asked of LeakSanitizer.

Run by .ci/sanitize, with cores that are built with AddressSanitizer. Python itself and the packages behind it
keep memory to their end, so only blocks count that were taken from within the cores.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from hornbook.matcher.compiled.engine import CompiledEngine  # noqa: E402
from hornbook.matcher.program.coded import Fact, Match, Var  # noqa: E402
from hornbook.matcher.program.errors import EngineError, NoDerivationsError  # noqa: E402
from hornbook.planner.machines.network import NetworkMachine  # noqa: E402
from oracles.engine.random_programs import ProgramMaker  # noqa: E402 - it is found by the line above
from oracles.gdl.random_ground import random_ground_program  # noqa: E402

PROGRAMS = 100
LOST = 54_321
"""The size of the blocks that are lost on purpose, to see that losses are found."""
BLOCKS = 64
"""How many are lost: the address of the last may still lie on the stack, where LeakSanitizer takes it for one
in use.
"""


def work(seed: int) -> None:
    """One engine, with refused updates, marks, results in every form, and mostly left with marks open."""
    random = Random(seed)
    program = ProgramMaker(huge=seed % 3 == 0).program(random)
    engine = CompiledEngine(program.predicates, derivations=random.choice(("none", "one", "all")))
    with contextlib.suppress(EngineError):
        engine.update(add=program.given, add_rules=program.rules)
    for _ in range(3):
        engine.push()
        given = [fact for fact in program.given if random.random() < 0.3]
        with contextlib.suppress(EngineError):
            engine.update(retract=given)
        with contextlib.suppress(EngineError):
            change = engine.update(add=given)
            sorted(change.added | change.removed)
            look_at(engine, len(program.predicates))
        if random.random() < 0.6:
            engine.pop()
    with contextlib.suppress(EngineError):
        engine.update(remove_rules=[rule.id for rule in program.rules[:1]])


def play(seed: int) -> None:
    """One network of ground rules, random games on it, and what it refuses."""
    program = random_ground_program(Random(seed))
    core = NetworkMachine(program).core
    core.playouts(seed, 100, 10.0, 10)
    for words in (core.initial(), []):
        with contextlib.suppress(ValueError):
            core.look(words)
            core.next([0] * core.role_count)
    with contextlib.suppress(ValueError):
        NetworkMachine(replace(program, terminal=-1))


def look_at(engine: CompiledEngine, predicates: int) -> None:
    for predicate in range(predicates):
        rows = engine.facts(predicate)
        columns = engine.columns(predicate)
        variables = tuple(Var(index) for index in range(len(columns)))
        assert len(engine.query((Match(predicate, variables),), variables)) == len(rows)
        if columns:
            engine.update(add_columns={predicate: columns})
        for cells in list(rows)[:3]:
            with contextlib.suppress(NoDerivationsError):
                engine.derivation(Fact(predicate, cells))
                engine.derivations(Fact(predicate, cells))


def report() -> list[str]:
    """Return the blocks that nothing points to, each with the stack that took it."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        screen = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            ctypes.CDLL(None)["__lsan_do_recoverable_leak_check"]()
        finally:
            os.dup2(screen, 2)
            os.close(screen)
        said.seek(0)
        return re.split(r"\n(?=(?:Direct|Indirect) leak)", said.read())


def main() -> int:
    tracked = []
    for part in range(2):
        for seed in range(PROGRAMS // 2):
            work(seed * 2 + part)
            play(seed * 2 + part)
        gc.collect()
        tracked.append(len(gc.get_objects()))
    take = ctypes.CDLL(None).malloc
    take.restype = ctypes.c_void_p
    for _ in range(BLOCKS):
        take(LOST)
    blocks = report()
    lost = (re.search(r"leak of (\d+) byte\(s\) in (\d+) object", block) for block in blocks)
    found = sum(int(m[2]) for m in lost if m and int(m[1]) == LOST * int(m[2]))
    if found < BLOCKS // 2:
        print(*blocks, sep="\n")
        print(f"leaks are not found here: of {BLOCKS} blocks lost on purpose {found} are reported")
        return 1
    ours = [block for block in blocks if re.search(r"/_core\.|(matcher|planner|play)/core/|/native/", block)]
    # Python's collector has tuples and lists on its own list, so LeakSanitizer never sees them lost.
    more = tracked[1] - tracked[0]
    print(*ours, sep="\n\n")
    print(
        f"{PROGRAMS} programs and networks; blocks that the cores have lost: {len(ours)}; more"
        f" objects than halfway: {more}"
    )
    return 1 if ours or more > PROGRAMS // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
