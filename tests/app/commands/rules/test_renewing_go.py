"""Rules of Go after an edit of the theory: each is checked, or learned again from its problems."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook import cli, theories
from hornbook.compiler.checker import checker
from hornbook.compiler.maintain.renewal import Renewed
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.stored_rules import put_rules, read_rule_base
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.store_names import StoreName
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.store import Store, StoredExample
from hornbook.kb.store.closure import load_stored, read_theory
from hornbook.stores.renewing import renew_file, renew_store
from hornbook.theories.go.problems import read_problems, shipped, write_problems


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Copy the theory of Go into one folder, and add a few problems and the rules learned from them."""
    folder = tmp_path_factory.mktemp("go")
    place = Path(theories.__file__).parent / "go"
    (folder / "go").mkdir()
    parts = (place / "capture" / "capture.horn", place / "safety" / "safety.horn")
    for file in (*place.glob("*.horn"), *place.glob("parts/*.horn"), *parts, place / "domain.py"):
        shutil.copy(file, folder / "go")
    found = read_problems(shipped("hundred"))
    one, two = ([p for p in found if p.depth == depth] for depth in (1, 3))
    write_problems([*one[:8], *two[:4]], folder / "p.jsonl")
    theory, problems, into = folder / "go" / "go.horn", folder / "p.jsonl", folder / "rules.horn"
    assert cli.main(["learn", str(theory), "--problems", str(problems), "--into", str(into)]) == 0
    return folder


@pytest.fixture
def folder(learned, tmp_path):
    return Path(shutil.copytree(learned, tmp_path / "own"))


def edit(folder: Path, rule: str, pattern: str, new: str) -> None:
    """Edit a rule of the theory. Its text is the line of the label and the lines below it."""
    for file in (folder / "go").glob("*.horn"):
        text = file.read_text()
        found = re.search(rf"^{rule}:\n(  .*\n)+", text, re.MULTILINE)
        if found:
            file.write_text(text.replace(found[0], re.sub(pattern, new, found[0], flags=re.DOTALL)))
            return
    raise AssertionError(f"no rule {rule}")


def renewed(folder: Path) -> Renewed:
    theory = load(folder / "go" / "go.horn")
    found = renew_file(folder / "rules.horn", theory)
    assert all(
        verdict.follows for verdict in verify_all(rulebase.read(folder / "rules.horn", theory), theory)
    )
    return found


def again(folder: Path, *more: str) -> int:
    return cli.main(["rules", "relearn", f"{folder}/go/go.horn", "--into", f"{folder}/rules.horn", *more])


def named(folder: Path, rule: str) -> tuple[int, list[str]]:
    """Return the number of learned rules, and the rules whose proofs name the given rule of the theory."""
    base = rulebase.read(folder / "rules.horn", load(folder / "go" / "go.horn"))
    proofs = {entry.rule.name: entry.certificate for entry in base if entry.certificate is not None}
    return len(base), [name for name, proof in proofs.items() if f"rule {rule}" in dict(proof.fingerprints)]


def counts(found: Renewed) -> dict[str, int]:
    states = [fate.state for fate in found.fates]
    return {state: states.count(state) for state in dict.fromkeys(states)}


@pytest.mark.deep
def test_only_rules_that_name_the_edited_rule_get_new_certificates(folder, monkeypatch):
    size, naming = named(folder, "one_less_strong")
    assert 2 < len(naming) < size - 10
    edit(folder, "one_less_strong", r"\.\n$", ", player(black).\n")
    replayed: list[str] = []

    def counted(replay: Callable[..., object]) -> Callable[..., object]:
        def counting(rule: Rule, *rest: object, **how: object) -> object:
            replayed.append(rule.name)
            return replay(rule, *rest, **how)

        return counting

    for name in ("_replay",):
        monkeypatch.setattr(checker, name, counted(getattr(checker, name)))
    found = renew_file(folder / "rules.horn", load(folder / "go" / "go.horn"))
    assert set(naming) < set(replayed)
    assert {fate.entry.rule.name for fate in found.fates if fate.state == "renewed"} == set(naming)
    assert counts(found) == {"untouched": size - len(naming), "renewed": len(naming)}
    assert counts(renewed(folder)) == {"untouched": size}


@pytest.mark.deep
def test_a_rule_that_falls_is_learned_again_from_its_problem_wherever_that_is_now(folder, capsys):
    size, (fallen,) = named(folder, "illegal_alone")
    theory = load(folder / "go" / "go.horn")
    before = rulebase.read(folder / "rules.horn", theory).entries[fallen]
    edit(folder, "illegal_alone", ".*", "")
    moved = (folder / "p.jsonl").rename(folder / "elsewhere.jsonl")
    proofs = folder / "rules.proofs.jsonl"
    text = re.sub(r'"file": "[^"]*"', '"file": "gone/p.jsonl"', proofs.read_text())
    proofs.write_text(text)
    assert counts(renewed(folder)) == {"untouched": size - 1, "retired": 1}
    capsys.readouterr()
    assert again(folder) == 1
    assert capsys.readouterr().err.endswith("of gone/p.jsonl is not found: name the file with --problems\n")
    assert again(folder, "--problems", str(moved)) == 0
    assert counts(renewed(folder)) == {"untouched": size}
    now = rulebase.read(folder / "rules.horn", load(folder / "go" / "go.horn"))
    (fresh,) = [entry for entry in now if entry.provenance and entry.provenance.file == "gone/p.jsonl"][-1:]
    assert before.provenance
    assert fresh.provenance
    assert fresh.provenance.example == before.provenance.example
    assert fresh.rule != before.rule


@pytest.mark.deep
def test_what_its_problem_does_not_teach_any_more_stays_retired_with_the_reason(folder):
    """Check that the edited theory is used. The shipped part of the theory would still give the rule."""
    size, naming = named(folder, "one_less_strong")
    edit(folder, "one_less_strong", ".*", "")
    found = renewed(folder)
    retired = found.in_state("retired")
    assert counts(found) == {"untouched": size - len(retired), "retired": len(retired)}
    assert {fate.entry.rule.name for fate in retired} > set(naming)
    assert any("it depends on `" in fate.reason for fate in retired)
    text = (folder / "rules.retired.horn").read_text()
    assert text.count("% Retired: ") == len(retired)
    assert all(f"{fate.entry.rule.name}:\n" in text for fate in retired)
    assert again(folder) == 0
    assert named(folder, "one_less_strong")[1] == []


def test_what_an_edited_theory_does_not_say_is_not_learned_by_it(folder):
    """Check that the edited theory is used. The shipped part of the theory would give the rule."""
    edit(folder, "a_last_liberty_is_filled", ".*", "")
    first = (folder / "p.jsonl").read_text().splitlines()[0]
    (folder / "first.jsonl").write_text(f"{first}\n")
    theory, problems, into = (folder / name for name in ("go/go.horn", "first.jsonl", "none.horn"))
    assert cli.main(["learn", str(theory), "--problems", str(problems), "--into", str(into)]) == 1
    assert len(rulebase.read(into, load(theory))) == 0


@pytest.mark.deep
def test_a_store_has_the_problems_that_it_learned_from(folder):
    theory, path = folder / "go" / "go.horn", folder / "go.sqlite"
    base = rulebase.read(folder / "rules.horn", load(theory))
    entries = [
        replace(e, provenance=replace(e.provenance, file="gone/p.jsonl")) for e in base if e.provenance
    ]
    with Store.create(path) as store:
        store.put_theory(read_theory(theory))
        put_rules(store, entries)
        for line in (folder / "p.jsonl").read_text().splitlines():
            name = json.loads(line)["id"]
            store.put_example(StoredExample(name, "gone/p.jsonl", name, line, "{}", 0.1))
    size, _ = named(folder, "illegal_alone")
    edit(folder, "illegal_alone", ".*", "")
    assert counts(renew_store(StoreName(path), None)[1]) == {"untouched": size - 1, "retired": 1}
    assert cli.main(["rules", "relearn", str(path)]) == 0
    with Store(path) as store:
        known = load_stored(store.theory())
        stored = read_rule_base(store, known)
    assert len(stored) == size
    assert all(verdict.follows for verdict in verify_all(stored, known))
