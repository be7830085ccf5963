"""Tests of the parse cache: unchanged rule files are not parsed again, changed ones are also replayed."""

from __future__ import annotations

import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules import certificates, rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.parse_cache import form_of_node, node_of_form
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import NOWHERE, Atom, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.check_unit import empty_unit
from hornbook.kb.check.program.dependencies import span_of
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.proofs import proofs_path
from oracles.proofs.learned_rules import rule_of, step

KIN = """
theory kin.
sort person.
static parent(person, person).
derived grandparent(person, person).
two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
"""
RULES = """
% By hand, and not certified.
draft: grandparent(?a, ?b) :- parent(?a, ?b), ?a != 'New York'.
"""
EVERY_KIND = """
one: a(?x, _, 'Two words', '?mark', '''quote', -3) :- before b(?x), after c(_, _), ?n + 2 * ?m // 3 - 1 >= min(?x, 4).
two: take(?b) by move(?c, ?p) is GI :- take(?b) is GP, ?x != ?y, ?x = ?z.
three: a(?n) :- all ?x, ?y in m(?k, ?x, ?y): (b(?x), ?x != ?y, all ?z in n(?x, ?z): b(?z)).
four: a(?n) :- ?n = count ?x in (m(?k, ?x) or n(?k, ?x)) but ?x or d, 3 = count ?x in (m(?k, ?x)).
five: a(?n) :- ?n = sum ?x where (m(?k, ?x), b(_)), absent (b(?n), c(_, _)), ?n = count ?x, ?y where (m(?x, ?y)).
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("HORNBOOK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def theory() -> Theory:
    return load_text(KIN)


@pytest.fixture
def written(tmp_path, theory) -> Path:
    """Return a file with a certified rule and a draft."""
    path = tmp_path / "rules.horn"
    text = "old: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c)."
    rule = rule_of(text)
    certificate = certificate_of(rule, [step("two_steps", a="?a", b="?b", c="?c")], theory, {})
    origin = Provenance("line", "cases.horn", "grandparent(x, z)", (GroundFact("parent", ("x", "y")),))
    rulebase.write(rule_base("kin", [RuleEntry(rule, certificate, origin)]), path)
    path.write_text(path.read_text() + RULES)
    return path


@pytest.fixture
def parsed(monkeypatch) -> list[str]:
    """Return the files that are parsed, in order."""
    found: list[str] = []

    def counted(text: str, file: str = "<text>"):
        found.append(file)
        return parse(text, file)

    monkeypatch.setattr(rulebase, "parse", counted)
    return found


def same(one: RuleBase, other: RuleBase) -> bool:
    """Return whether two rule bases are equal, also in the source spans and verdicts of their rules."""
    output = [
        [
            (e, e.rule.span, e.rule.label, e.is_edited, e.is_certified, e.refused, e.answering.of_given)
            for e in base
        ]
        for base in (one, other)
    ]
    return output[0] == output[1] and one == other


def test_what_is_read_again_is_what_it_was_and_is_not_parsed(written, theory, parsed):
    first = rulebase.read(written, theory)
    assert parsed == [str(written)]
    again = rulebase.read(written, theory)
    assert parsed == [str(written)]
    assert same(first, again)
    assert [entry.is_certified for entry in again] == [True, False]
    assert rulebase.rules_text(again) == rulebase.rules_text(first)
    assert rulebase.written(again, written) == rulebase.written(first, written)
    assert all(verdict.follows == verdict.entry.is_certified for verdict in verify_all(again, theory))


def test_the_shipped_rules_are_read_again_as_they_were(tmp_path):
    firm = load("firm")
    assert firm.path is not None
    for name in ("rules.horn", "rules.proofs.jsonl"):
        shutil.copy(firm.path.with_name(name), tmp_path / name)
    path = firm.path.with_name("rules.horn")
    assert same(rulebase.read(path, firm), rulebase.read(path, firm))


def test_a_proof_is_read_when_it_is_queried_for(written, theory, monkeypatch):
    first = rulebase.read(written, theory)
    read: list[str] = []
    proof = certificates.read_proof

    def counted(line: str):
        read.append(line)
        return proof(line)

    monkeypatch.setattr(certificates, "read_proof", counted)
    entry = rulebase.read(written, theory).entries["old"]
    assert entry.is_certified
    assert entry.answering == first.entries["old"].answering
    KnowledgeBase(theory).add_rules([entry.proved_for(theory)])
    assert read == []
    assert (entry.certificate, entry.provenance) == (
        first.entries["old"].certificate,
        first.entries["old"].provenance,
    )
    assert len(read) == 1


def test_who_changes_an_entry_has_one_that_is_looked_at_anew(written, theory):
    """The verdict on a proof holds only for the exact rule of its entry."""
    rulebase.read(written, theory)
    entry = rulebase.read(written, theory).entries["old"]
    changed = replace(entry, rule=replace(entry.rule, body=entry.rule.body[:1]))
    assert changed.is_edited
    assert not changed.is_certified
    assert replace(entry, refused="why not").is_certified is False
    assert replace(entry, certificate=None).is_certified is False


def test_an_unread_proof_goes_to_other_processes(written, theory):
    first = rulebase.read(written, theory)
    sent = pickle.loads(pickle.dumps(rulebase.read(written, theory)))
    assert same(first, sent)


@pytest.mark.parametrize("what", ["text", "proofs", "theory"])
def test_what_is_another_is_parsed_and_replayed(what, written, theory, parsed):
    rulebase.read(written, theory)
    proofs = proofs_path(written)
    if what == "text":
        written.write_text(written.read_text().replace("parent(?b, ?c).", "parent(?c, ?b)."))
    elif what == "proofs":
        proofs.write_text(proofs.read_text().replace('"two_steps"', '"three_steps"'))
    else:
        theory = load_text(KIN.replace("parent(?b, ?c).", "parent(?b, ?c), ?a != ?c."))
    for number in (2, 3):
        found = rulebase.read(written, theory)
        assert len(parsed) == number
        assert not any(entry.is_certified for entry in found)


def test_each_file_gets_its_own_rules_from_the_cache(written, theory, tmp_path, parsed):
    rulebase.read(written, theory)
    other = tmp_path / "other.horn"
    other.write_text("import kin.\nfew: grandparent(?a, ?a) :- parent(?a, ?a).\n")
    for _ in range(2):
        assert list(rulebase.read(other, theory).entries) == ["few"]
        assert list(rulebase.read(written, theory).entries) == ["old", "draft"]
        assert len(parsed) == 2


def test_a_copy_of_a_file_is_not_parsed_and_has_its_own_places(written, theory, tmp_path, parsed):
    rulebase.read(written, theory)
    copy = tmp_path / "copy.horn"
    shutil.copy(written, copy)
    shutil.copy(proofs_path(written), proofs_path(copy))
    assert {entry.rule.span.file for entry in rulebase.read(copy, theory)} == {str(copy)}
    assert len(parsed) == 1


def test_verifying_takes_the_text_and_not_what_is_stored(written, theory, parsed):
    rulebase.read(written, theory)
    rulebase.read(written, theory)
    assert len(parsed) == 1
    base = rulebase.read(written, theory, verify=False)
    assert len(parsed) == 2
    assert [verdict.follows for verdict in verify_all(base, theory)] == [False, True]


def test_a_cache_that_takes_nothing_is_left_only(written, theory, cache, parsed):
    cache.write_text("no folder")
    for number in (1, 2):
        assert [entry.is_certified for entry in rulebase.read(written, theory)] == [True, False]
        assert len(parsed) == number


def test_rules_of_another_theory_are_refused_each_time(written, theory):
    rulebase.read(written, theory)
    named = load_text(KIN.replace("theory kin.", "theory clan."))
    for _ in range(2):
        with pytest.raises(TheoryError, match="these rules are for the theory `kin`, not `clan`"):
            rulebase.read(written, named)


def test_an_import_that_leads_elsewhere_is_found_each_time(written, tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "kin.horn").write_text(KIN)
    theory = load(tmp_path / "one" / "kin.horn")
    rulebase.read(written, theory)
    assert rulebase.read(written, theory).entries["old"].is_certified
    (tmp_path / "kin.horn").write_text(KIN)
    with pytest.raises(TheoryError, match="this import leads to"):
        rulebase.read(written, theory)


def test_every_kind_of_condition_is_stored_as_it_is():
    rules = [clause for clause in parse(EVERY_KIND).clauses if isinstance(clause, Rule)]
    assert len(rules) == 5
    nodes = [node for rule in rules for node in (rule.head, *rule.body)]
    assert {type(node).__name__ for node in nodes} >= {
        "Atom", "GameStatement", "Comparison", "All", "CountIn", "Aggregate", "Absent",
    }  # fmt: skip
    for node in nodes:
        again = node_of_form(form_of_node(node))
        assert again == node
        assert again.span == NOWHERE


def test_a_message_names_the_rule_where_its_conditions_have_no_place(written, theory):
    first = rulebase.read(written, theory).entries["old"].rule
    again = rulebase.read(written, theory).entries["old"].rule
    subject = empty_unit(theory.vocabulary)
    assert isinstance(first.body[0], Atom)
    assert span_of(first, ("parent", None), subject) == first.body[0].span
    assert span_of(again, ("parent", None), subject) == again.span == first.span
