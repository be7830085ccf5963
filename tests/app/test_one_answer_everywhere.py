"""Equal answers from every interface: Python, commands, the prompt, files, a store, and each engine.

The theory, the facts and the learned rules are the same. The order of the facts does not matter.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from random import Random

import pytest

from hornbook.cli import main
from hornbook.kb.ast.terms import Atom, GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.store import Store
from oracles.proofs.random_theories import (
    DERIVED,
    FLUENT,
    STATIC,
    random_action,
    random_state,
    random_theory,
)

pytestmark = pytest.mark.deep

Found = frozenset[tuple[str | int, ...]]
Ask = Callable[[str], Found]
VARIABLES = ("?a", "?b", "?c")
QUERIES = (
    *(f"{name}({', '.join(VARIABLES[: len(columns)])})" for name, columns in STATIC.items()),
    *(
        f"{word}{name}({', '.join(VARIABLES[: len(columns)])})"
        for name, columns in {**FLUENT, **DERIVED}.items()
        for word in ("", "after ")
    ),
    "goal(?a) by paint(?b, ?c) is ?v",
    "goal(?a) by shift(?b, ?c) is ?v",
    "on(?a), absent one(?a)",
    "?n = count ?a where two(?a, _)",
    "one(t1)",
    "after on(t1), absent after on(t2)",
    "link(?a, ?b), level(?b, ?n), ?m = ?n + 1, ?m > 1",
    "links(?a, _), all ?b in link(?a, ?b): on(?b)",
)


def written(facts: Collection[GroundFact]) -> str:
    return "".join(f"{fact.relation}({', '.join(map(str, fact.values))}).\n" for fact in facts)


def queried(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the output of a command that succeeds."""
    code = main(arguments)
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


def by_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ask:
    """Return a function that answers queries with `hornbook query`.

    `arguments` name the theory and the facts.
    """

    def ask(query: str) -> Found:
        found = json.loads(queried(capsys, "query", *arguments[:1], query, *arguments[1:], "--json"))
        return frozenset(tuple(answer.values()) for answer in found)

    return ask


def at_the_prompt(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str
) -> Ask:
    """Return a function that gives the prompt's answers after the input `typed`.

    Values contain no blanks, and all numerals are numbers.
    """
    questions = "".join(f"?mark = 12345\n{query}\n" for query in QUERIES)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n{questions}"))
    answers = queried(capsys, "repl", *arguments).split("?mark\n12345\n")[1:]
    return dict(zip(QUERIES, map(_read, answers), strict=True)).__getitem__


def _read(table: str) -> Found:
    """Return the answers that a table shows."""
    lines = table.splitlines()
    if lines[0] in ("yes", "no", "no answers"):
        return frozenset([()] if lines[0] == "yes" else [])
    return frozenset(
        tuple(int(cell) if cell.lstrip("-").isdigit() else cell for cell in line.split())
        for line in lines[1:]
    )


def from_python(base: KnowledgeBase) -> Ask:
    return lambda query: frozenset(base.query(query).to_tuples())


def bit_by_bit(random: Random, theory: str, facts: Collection[GroundFact]) -> KnowledgeBase:
    """Return a knowledge base built from single facts in random order.

    Some facts are removed and added again.
    """
    base = KnowledgeBase(theory)
    order = random.sample(list(facts), len(facts))
    for fact in order:
        base.add([fact])
        if random.random() < 0.2:
            removed = order[random.randrange(len(order))]
            if removed in base.given():
                base.retract([removed])
                base.add([removed])
    return base


def goals(base: KnowledgeBase) -> Iterator[str]:
    """Yield a few goals to learn from: the first conclusion of each relation."""
    for relation in base.relations():
        name = relation.relation
        if name.startswith("goal") or name in DERIVED or relation.tense == "after":
            for statement in base.engine.statements(name, relation.tense)[:1]:
                assert isinstance(statement, Atom | GameStatement)
                yield print_condition(statement)


@pytest.mark.parametrize("seed", range(1, 4))
def test_all_ways_to_ask_give_the_same_answers(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"everywhere {seed}")
    monkeypatch.chdir(tmp_path)
    while True:
        theory = random_theory(random)
        facts = [*random_state(random), random_action(random)]
        Path("made.horn").write_text(next(iter(theory.sources.values())), encoding="utf-8")
        try:
            base = KnowledgeBase("made.horn")
            base.add(facts)
            break
        except KnowledgeBaseError:
            continue  # not a state of the theory
    Path("state.horn").write_text(written(facts), encoding="utf-8")
    learned_from = [f"expect state: {goal}.\n" for goal in goals(base)]
    listed = ", ".join(line[:-1] for line in written(facts).splitlines())
    Path("cases.horn").write_text(f"import made.\nexample state: {listed}.\n{''.join(learned_from)}")
    main(["learn", "made.horn", "--problems", "cases.horn", "--into", "rules.horn"])
    capsys.readouterr()
    rules = Path("rules.horn").read_text(encoding="utf-8").count(":-")
    queried(capsys, "kb", "new", "made.sqlite", "made.horn")
    queried(capsys, "kb", "add", "made.sqlite", "--add", "state.horn")
    queried(capsys, "kb", "new", "learned.sqlite", "made.horn")
    with Store("learned.sqlite", "write") as store:
        KnowledgeBase(store=store).add(facts)
    queried(capsys, "kb", "import", "learned.sqlite", "rules.horn")
    ways: dict[str, Ask] = {
        "bit by bit": from_python(bit_by_bit(random, "made.horn", facts)),
        "files": by_command(capsys, "made.horn", "--add", "state.horn"),
        "files, rules": by_command(capsys, "made.horn", "--add", "state.horn", "--rules", "rules.horn"),
        "store": by_command(capsys, "made.sqlite"),
        "store, rules": by_command(capsys, "learned.sqlite"),
        "typed": at_the_prompt(
            capsys, monkeypatch, Path("state.horn").read_text(encoding="utf-8"), "made.horn"
        ),
        "prompt, rules": at_the_prompt(
            capsys, monkeypatch, ":load rules.horn", "made.horn", "--add", "state.horn"
        ),
        "prompt, store": at_the_prompt(capsys, monkeypatch, ":state on", "learned.sqlite"),
    }
    with monkeypatch.context() as plain:
        plain.setenv(VARIABLE, "plain")
        by_plain = KnowledgeBase("made.horn")
        by_plain.add(facts)
        ways["plain"] = from_python(by_plain)
    expected = from_python(base)
    story = f"{theory.sources}\n{written(facts)}"
    # A command opens everything anew for each query, so each gets only a few queries.
    few = set(random.sample(QUERIES, 5))
    for query in QUERIES:
        answers = expected(query)
        for way, ask in ways.items():
            if query in few or not way.startswith(("files", "store")):
                assert ask(query) == answers, (way, query, story)
    assert sum(bool(expected(query)) for query in QUERIES) >= len(QUERIES) // 3
    assert rules >= 3, rules
