"""Tests of the verdict cache: its verdicts equal the checker's.

Every field of a theory is part of the key or is not read by the checker.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from hornbook import cli
from hornbook.compiler.checker.certificate import MAX_SPLITS, CaseProof, Leaf, ProofStep
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.maintain.renewal import renew_rules
from hornbook.compiler.maintain.unproved import prove_all, with_proofs
from hornbook.compiler.rules import verdict_cache
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.rulebase import check_learned
from hornbook.compiler.rules.verification import verify_all, with_verdicts
from hornbook.inputs.theories import load
from hornbook.kb.ast.canonical import canonical
from hornbook.kb.ast.declarations import PredicateKind, Says, SortKind, SortName
from hornbook.kb.ast.terms import Atom, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.proofs import proofs_path

SHOP = (Path(__file__).parent / "data" / "verdict_cache_shop.horn").read_text(encoding="utf-8")
LEMMA = "lemma fit: before good(?x) :- fits(?x, _), known(?x).\n"
RULES = """
planned: plan have(?x) in 1 by make(?x) :- known(?x).
won: before have(?x) by make(?x) is GI :- make(?x), known(?x).
again: before have(?x) by make(?x) is GI :- make(?x), known(?x), part(?x, _).
by_key: before good(?x) :- before tag(?x, ?s), before tag(?x, ?t), known(?x), ?s = ?t.
dear: before cheap(?x) :- before price(?x, ?c), ?c < 50.
full: before whole(?x) :- before number(?x, 1), before holds(?x, ?y), known(?y).
two: before linked(?x, ?z) :- part(?x, ?y), part(?y, ?z).
three: before linked(?x, ?z) :- part(?x, ?w), part(?w, ?y), part(?y, ?z).
rare: before low(?x) :- before cheap(?x), absent known(?x).
by_cases: before seen(?x) :- before ready(?x).
by_lemma: before good(?x) :- fits(?x, small), known(?x).
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORNBOOK_CACHE", "cache")
    return tmp_path


@pytest.fixture(scope="module")
def theory() -> Theory:
    """Return a theory that uses a lemma with a proof."""
    loaded = load_text(SHOP + LEMMA)
    return replace(loaded, rules=(*loaded.rules, *loaded.lemmas), lemmas=())


@pytest.fixture(scope="module")
def base(theory: Theory) -> RuleBase:
    rules = [clause for clause in parse(RULES).clauses if isinstance(clause, Rule)]
    written = rule_base("shop", [RuleEntry(rule, None, None) for rule in rules])
    proved = with_proofs(written, prove_all(written, theory))
    assert [entry.rule.name for entry in proved if not entry.is_certified] == []
    certificates = [entry.certificate for entry in proved if entry.certificate is not None]
    assert any(each.keys for each in certificates)
    assert any(each.inverted for each in certificates)
    assert any(each.lemmas for each in certificates)
    assert any("rule fit" in dict(each.fingerprints) for each in certificates)
    return proved


# Changes of every field of a theory

POOLS: Mapping[str, tuple[object, ...]] = {
    "Predicate.kind": get_args(PredicateKind),
    "Predicate.key": (None, 0, 1),
    "Predicate.counts": (None, SortName("holds"), SortName("linked")),
    "Predicate.but": (None, SortName("known")),
    "Predicate.turn": (None, "alternates", "fleeting"),
    "Predicate.worth": (None, 7),
    "Predicate.says": (None, Says("?1")),
    "Sort.kind": get_args(SortKind),
    "Atom.tense": (None, "before", "after"),
    "Atom.predicate": ("known", "seen", "part", "linked"),
    "Rule.label": (None, "other", "made"),
    "Rule.alone": (frozenset(), frozenset({"linked"})),
    "ReplyCase.unless": (None, Atom("seen", ())),
    "Comparison.operator": ("<", ">", "!="),
    "Example.source": (None, "file.txt"),
    "Expect.answers": (None, ()),
}
"""Further values for fields. The types of the present values do not suggest them."""


def changed(value: Any, field: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the value with one part changed, for each part, with the name of the part."""
    pool = [each for each in POOLS.get(field, ()) if each != value]
    yield from ((field, each) for each in pool)
    kind = type(value).__name__
    if is_dataclass(value) and not isinstance(value, type):
        for part in (f.name for f in fields(value) if f.name != "span"):
            for name, each in changed(getattr(value, part), f"{kind}.{part}"):
                yield name, replace(value, **{part: each})
        if isinstance(value, Rule) and value.label is None:
            yield "Rule.span", replace(value, span=value.span._replace(line=value.span.line + 1))
    elif isinstance(value, tuple):
        for place, part in enumerate(value):
            around = value[:place], value[place + 1 :]
            yield f"{field} less", (*around[0], *around[1])
            yield f"{field} twice", (*around[0], part, part, *around[1])
            if place and canonical(part) != canonical(value[place - 1]):
                yield f"{field} in another order", (*value[: place - 1], part, value[place - 1], *around[1])
            for name, each in changed(part, f"{field}[]"):
                yield name, (*around[0], each, *around[1])
    elif isinstance(value, Mapping):
        yield f"{field} in another order", dict(reversed(value.items()))
        for key, part in value.items():
            yield f"{field} less", {name: each for name, each in value.items() if name != key}
            for name, each in changed(part, f"{field}[]"):
                yield name, {**value, key: each}
    elif isinstance(value, bool):
        yield field, not value
    elif isinstance(value, int):
        yield field, value + 1
    elif isinstance(value, str) and not pool:
        yield field, f"{value}_"


NOT_READ = ("path", "sources", "adapters", "examples", "expects", "proofs")
"""The fields of a theory that neither the checker nor the check of learned rules reads."""


def test_every_other_field_of_a_theory_is_part_of_its_digest(theory: Theory):
    known = theory_digest(theory)
    kinds = set()
    for name, other in changed(replace(theory, examples=(), expects=())):
        if name.startswith(tuple(f"Theory.{field}" for field in NOT_READ)):
            continue
        assert theory_digest(other) != known, name
        kinds.add(name)
    read = {f"Theory.{field.name}" for field in fields(Theory) if field.name not in (*NOT_READ, "vocabulary")}
    read |= {"Vocabulary.sorts", "Vocabulary.predicates"}
    assert {name for name in read if not any(kind.startswith(name) for kind in kinds)} <= {
        "Theory.invented",
        "Theory.lemmas",
    }
    expected = {"Rule.lemma", "Rule.of_given", "Rule.alone", "Rule.learned", "Rule.alternative", "Rule.span"}
    assert expected <= kinds
    assert {
        f"Predicate.{f}" for f in ("kind", "key", "counts", "but", "operational", "observed", "turn")
    } <= kinds


class Unreadable:
    """A value on which every operation fails."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(name)

    def __iter__(self) -> Iterator[Any]:
        raise AssertionError

    __len__ = __bool__ = __contains__ = __iter__  # type: ignore[assignment]


def test_what_is_no_part_of_the_digest_is_not_read(theory: Theory, base: RuleBase):
    assert theory_digest(
        replace(theory, **dict.fromkeys(("path", "sources", "proofs"), None))
    ) == theory_digest(theory)
    closed = replace(theory, **{name: Unreadable() for name in NOT_READ})
    lemmas = base.lemmas()
    for entry in base:
        assert entry.certificate is not None
        verify(entry.rule, entry.certificate, closed, lemmas)
    assert check_learned([entry.rule for entry in base], closed) == []


def outcome(base: RuleBase, theory: Theory) -> object:
    """Return whether each rule is accepted and the result of renewal, or the type of the failure."""
    try:
        accepted = {entry.rule.name: not entry.refused for entry in with_verdicts(base, theory)}
        renewed = renew_rules(base, theory, {})
    except Exception as problem:  # noqa: BLE001 - a theory that no file states may be anything
        return type(problem)
    return accepted, {fate.entry.rule.name: (fate.state, fate.reason) for fate in renewed.fates}, renewed.base


@pytest.mark.deep
def test_each_changed_field_gives_the_verdict_that_a_fresh_check_gives(
    theory: Theory, base: RuleBase, place: Path, times: int, monkeypatch: pytest.MonkeyPatch
):
    assert all(verdict.follows for verdict in verify_all(base, theory))
    kinds = {True: set[str](), False: set[str]()}
    (place / "no folder").touch()
    by_name: dict[str, list[Theory]] = {}
    for name, other in changed(theory):
        by_name.setdefault(name, []).append(other)
    random = Random(1)
    chosen = {
        name: random.sample(all_, len(all_) if name == "Rule.lemma" else min(3 * times, len(all_)))
        for name, all_ in by_name.items()
    }
    for name, other in ((name, other) for name, some in chosen.items() for other in some):
        monkeypatch.setenv("HORNBOOK_CACHE", "cache")
        warm = outcome(base, other)
        monkeypatch.setenv("HORNBOOK_CACHE", "no folder")
        fresh = outcome(base, replace(other))
        assert warm == fresh, name
        if isinstance(fresh, tuple):
            kinds[all(fresh[0].values())].add(name)
    assert "Rule.lemma" in kinds[False]
    assert "Theory.rules in another order" in kinds[True]
    assert len(kinds[True]) > 20
    assert len(kinds[False]) > 20


def test_swapped_clauses_without_labels_are_other_clauses(base: RuleBase, theory: Theory):
    """Their names, which certificates use, are derived from their line numbers."""
    with_verdicts(base, theory)
    cheap = SHOP.index("cheap(?x) :-"), SHOP.index("low(?x) :-"), SHOP.index("filled:")
    swapped = SHOP[: cheap[0]] + SHOP[cheap[1] : cheap[2]] + SHOP[cheap[0] : cheap[1]] + SHOP[cheap[2] :]
    loaded = load_text(swapped + LEMMA)
    other = replace(loaded, rules=(*loaded.rules, *loaded.lemmas), lemmas=())
    refused = {entry.rule.name for entry in with_verdicts(base, other) if entry.refused}
    assert refused == {"dear", "rare"}


def test_every_field_of_a_rule_and_its_certificate_is_part_of_the_key(base: RuleBase, theory: Theory):
    lemmas = base.lemmas()
    for entry in base:
        for part in ("rule", "certificate"):
            known = verdict_cache.proof_key(entry, lemmas, theory)
            for name, other in changed(getattr(entry, part)):
                with suppress(ValueError):  # a fingerprint without a name
                    assert (
                        verdict_cache.proof_key(replace(entry, **{part: other}), lemmas, theory) != known
                    ), name


def test_every_field_of_a_lemma_is_part_of_the_key(base: RuleBase, theory: Theory):
    lemmas = base.lemmas()
    entry = next(e for e in base if e.certificate is not None and e.certificate.lemmas)
    assert entry.certificate is not None
    name = entry.certificate.lemmas[0]
    known = verdict_cache.proof_key(entry, lemmas, theory)
    others = [lemma for _, lemma in changed(lemmas[name])] + [
        replace(lemmas[name], alone=frozenset({"known"}))
    ]
    assert len(others) > 5
    for lemma in others:
        assert verdict_cache.proof_key(entry, {**lemmas, name: lemma}, theory) != known
    assert verdict_cache.proof_key(entry, {}, theory) != known


# Edits of every clause of a file

PARTS = """theory parts.
sort thing.
static known(thing).
derived seen(thing).
seen(?x) :- known(?x).
known(screw).
"""
STOCK = (Path(__file__).parent / "data" / "verdict_cache_stock.horn").read_text(encoding="utf-8")
MINE = """import stock.
planned: plan have(?x) in 1 by make(?x) :- known(?x).
fine: before good(?x) :- known(?x), known(?x).
poor: before cheap(?x) :- known(?x), before at_hand(?x).
"""
COMMANDS = (
    ["prove", "stock.horn", "--json"],
    ["trust", "stock.horn", "--rules", "mine.horn", "--json"],
    ["verify", "mine.horn", "--theory", "stock.horn", "--json"],
    ["verify", "mine.horn", "--theory", "stock.horn", "--renew", "--json"],
    ["check", "stock.horn", "--json"],
)


def edits(text: str) -> Iterator[list[str]]:
    """Yield, for each line of a text, the texts with another line in its place."""
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines):
        before, after = lines[:place], lines[place + 1 :]
        others = ["", f"% A comment.\n{line}", line + line]
        if " :- " in line:
            label, _, clause = line.partition(": ") if ": " in line.partition("(")[0] else ("", "", line)
            others += [f"new: {clause}", clause]
            others += (
                [line.removeprefix("lemma ")]
                if line.startswith("lemma")
                else [f"lemma {label or 'new'}: {clause}"]
            )
            others += [line.replace(" :- ", " :- known(nut), ")]
        for old, new in (
            (" observed.", "."),
            ("fluent ", "derived "),
            ("fluent ", "static "),
            ("derived ", "fluent "),
            (").\n", ") operational.\n"),
            (" counts holds", ""),
            ("(screw)", "(nut)"),
            ("at_hand(?y).", "at_hand(?y) unless known(?y)."),
            ("make(?x).", "make(_)."),
            ("sort thing.", "sort thing = screw | nut."),
        ):
            others += [line.replace(old, new)] if old in line else []
        swapped = ["".join([*before, after[0], line, *after[1:]])] if after else []
        yield ["".join([*before, other, *after]) for other in others] + swapped


def results(
    folder: Path, cache: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> list[object]:
    """Return the output and results of the commands in a folder, without intended effects of the cache."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HORNBOOK_CACHE", str(cache))
    found: list[object] = []
    for command in COMMANDS:
        capsys.readouterr()
        code = cli.main(command)
        printed = capsys.readouterr()
        data = json.loads(printed.out) if printed.out.startswith(("{", "[")) else printed.out
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key not in ("replayed", "seconds")}
        found.append((command, code, data, printed.err))
    return found


@pytest.mark.deep
@pytest.mark.parametrize("file", ["stock.horn", "parts.horn"])
def test_each_edited_clause_gives_the_results_that_an_empty_cache_gives(
    file: str, place: Path, times: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    first = place / "first"
    first.mkdir()
    for name, text in (("parts.horn", PARTS), ("stock.horn", STOCK), ("mine.horn", MINE)):
        (first / name).write_text(text)
    monkeypatch.chdir(first)
    monkeypatch.setenv("HORNBOOK_CACHE", str(place / "warm"))
    assert cli.main(["rules", "prove", "stock.horn"]) == 0
    assert cli.main(["rules", "prove", "mine.horn", "--theory", "stock.horn"]) == 0
    assert '"rule x"' in proofs_path(first / "mine.horn").read_text()
    assert all(code == 0 for _, code, *_ in results(first, place / "warm", capsys, monkeypatch))  # type: ignore[misc]
    seen = []
    random = Random(1)
    texts = [random.sample(each, min(times, len(each))) for each in edits((first / file).read_text())]
    for number, text in enumerate(chain.from_iterable(texts)):
        both = []
        for cache in ("warm", f"cold{number}"):
            folder = place / "edited"
            shutil.copytree(first, folder)
            (folder / file).write_text(text)
            both.append(results(folder, place / cache, capsys, monkeypatch))
            shutil.rmtree(folder)
        assert both[0] == both[1], text
        seen.append([code for _, code, *_ in both[0]])  # type: ignore[misc]
    assert [0] * len(COMMANDS) in seen
    assert any(codes[2] == 1 for codes in seen)


def test_a_mark_as_a_lemma_takes_the_proof_of_a_plan_away(place: Path, capsys: pytest.CaptureFixture[str]):
    for name, text in (("parts.horn", PARTS), ("stock.horn", STOCK), ("mine.horn", MINE)):
        Path(name).write_text(text)
    assert (
        cli.main(["rules", "prove", "stock.horn"])
        == cli.main(["rules", "prove", "mine.horn", "--theory", "stock.horn"])
        == 0
    )
    assert cli.main(["rules", "verify", "mine.horn", "--theory", "stock.horn"]) == 0
    Path("stock.horn").write_text(STOCK.replace("x: before", "lemma x: before"))
    assert cli.main(["rules", "prove", "stock.horn"]) == 0
    assert any(rule.name == "x" and rule.lemma for rule in load("stock.horn").rules)
    capsys.readouterr()
    assert cli.main(["rules", "trust", "stock.horn", "--rules", "mine.horn"]) == 0
    assert "2 rules proved, 1 without a proof" in capsys.readouterr().out
    assert cli.main(["rules", "verify", "mine.horn", "--theory", "stock.horn"]) == 1


def test_a_certificate_of_the_greatest_depth_has_a_key(base: RuleBase, theory: Theory):
    """The checker, and no earlier failure, therefore refuses the deepest proof that a file can contain."""
    proof: CaseProof = Leaf(())
    for _ in range(MAX_SPLITS):
        proof = Leaf((ProofStep("x", None, (), (), (), ((0, proof),)),))
    entry = base.entries["won"]
    assert entry.certificate is not None
    deep = replace(entry, certificate=replace(entry.certificate, cases=proof))
    assert verdict_cache.proof_key(deep, {}, theory) == verdict_cache.proof_key(deep, {}, theory)
