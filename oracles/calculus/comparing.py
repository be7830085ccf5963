"""The extracted checker beside the project's: on what ships, on attacks, and on certificates that were tampered with."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.fuzz.cases import proofs
from benchmarks.fuzz.second_reader import learned, small
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json
from hornbook.compiler.trust.lemma_proofs import lemma_base
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import load
from oracles.calculus.building import verdicts
from oracles.calculus.questions import given_text, question_text, theory_text
from oracles.proofs.attack import attacks
from oracles.proofs.random_worlds import RandomWorlds
from oracles.proofs.two_readers import THEORIES, Both, Case, bent, cases_of
from oracles.reader.certificate import Lemma, NotDecided
from oracles.reader.linear import Refused
from oracles.reader.theory import Theory as Read

KINDS = ("accepted", "refused", "not covered")
CHESS = THEORIES / "chess"


@dataclass(frozen=True)
class Question:
    """A rule with a certificate, what the project's checker says of it (`""` if it accepts), and what stands for it before the
    extracted one; where that is not asked, `early` is the verdict.
    """

    group: str
    name: str
    shown: str
    project: str
    text: str
    early: str


@dataclass
class Tally:
    """What was compared: how often each pair of verdicts was given in a group, and why; and the disagreements."""

    counts: dict[str, Counter[tuple[bool, str]]] = field(default_factory=dict)
    why: dict[str, Counter[str]] = field(default_factory=dict)
    disagreements: list[str] = field(default_factory=list)

    def take(self, question: Question, said: str) -> None:
        kind = said.partition(": ")[0]
        accepts = not question.project
        self.counts.setdefault(question.group, Counter())[accepts, kind] += 1
        self.why.setdefault(question.group, Counter())[said if kind == "not covered" else kind] += 1
        if kind not in KINDS or (kind != "not covered" and (kind == "accepted") != accepts):
            self.disagreements.append(
                f"{question.group}, {question.name}\nchecker: {question.project or 'accepts'}\nextracted: {said}\n{question.shown}"
            )


def question_of(
    group: str, name: str, both: Both, rule: Rule, form: Any, data: Any, *, is_lemma: bool = False
) -> Question:
    """What is asked of a rule and its certificate, as JSON is read; what comes after a lemma may rest on it."""
    lemmas = {known: lemma for known, lemma in both.lemmas.items() if known != rule.name}
    project = ""
    try:
        verify(rule, certificate_from_json(data), both.theory, lemmas)
    except (ValueError, RejectedError, RecursionError) as problem:
        project = str(problem) or "no reason"
    text, early = "", ""
    known = {
        known: Lemma(read, lemma.rank, lemma.reached, lemma.alone)
        for known, lemma in lemmas.items()
        if (read := both.form(lemma.rule)) is not None
    }
    if form is None:
        early = "refused: it is no rule of the language"
    elif form[2][0] == "plan":
        early = "not covered: a plan"
    else:
        try:
            text = question_text(form, data, both.read, known, is_lemma=is_lemma)
        except Refused as problem:
            early = f"refused: {problem}"
        except NotDecided as problem:
            early = f"not covered: {problem}"
        except RecursionError:
            early = "refused: nested too deep"
    return Question(group, name, f"{print_rule(rule)}\n{json.dumps(data)}", project, text, early)


def asked(
    program: Path,
    folder: Path,
    both: Both,
    questions: Sequence[Question],
    tally: Tally,
    lemmas: Sequence[Question] = (),
    given: Sequence[str] = (),
) -> None:
    """Adds what is said of questions about one theory, which may rest on lemmas that are asked about first, and on given ones."""
    texts = [question.text for question in (*lemmas, *questions) if not question.early]
    said = iter(verdicts(program, "\n".join((theory_text(both.read), *given)), texts, folder))
    for _ in [lemma for lemma in lemmas if not lemma.early]:
        next(said)
    for question in questions:
        tally.take(question, question.early or next(said))


def shipped() -> Iterator[tuple[str, list[Case]]]:
    """The groups of certified rules that ship, and the small theories that have proofs of every form."""
    yield "firm", learned("firm")
    gains = load(CHESS / "parts" / "gains.horn")
    base = rulebase.read(CHESS / "plans" / "pawns.horn", gains)
    yield "pawns", list(cases_of(Both.shipped(gains, "gains"), base))
    yield "lemmas of chess", list(lemmas_of(CHESS / "chess.horn"))
    yield "small theories", small()


def lemmas_of(path: Path) -> Iterator[Case]:
    """The proved lemmas of a theory, which are proved from it without its lemmas."""
    theory = load(path)
    read = Read.read(path, THEORIES)
    both = Both(theory.without_lemmas(), read.without_lemmas())
    for entry in lemma_base(theory):
        assert entry.certificate is not None
        rule = replace(entry.rule, lemma=False)
        data = json.loads(json.dumps(certificate_as_json(entry.certificate)))
        yield Case(both, rule, both.form(rule), data, entry.certificate.steps)


def random_proofs(worlds: type[RandomWorlds], theories: int, seed: int) -> Iterator[Case]:
    """The proofs by cases of random rules of so many random theories."""
    random = Random(seed)
    for _ in range(theories):
        some = worlds(random)
        yield from proofs(some, Both.of_texts(some.theory, [some.text]), random)


def compare_rules(program: Path, folder: Path, tally: Tally, groups: Mapping[str, Sequence[Case]]) -> None:
    """Certified rules, as they are."""
    for group, cases in groups.items():
        for both, some in _by_theory(cases):
            asked(program, folder, both, _as_they_are(group, both, some), tally)


def compare_alone(program: Path, folder: Path, tally: Tally, groups: Mapping[str, Sequence[Case]]) -> None:
    """Certified rules, each by itself: what the project's checker accepts of reached states is a lemma that is taken as right."""
    for group, cases in groups.items():
        for both, some in _by_theory(cases):
            questions = _as_they_are(group, both, some, are_lemmas=False)
            asked(program, folder, both, questions, tally, given=given_lemmas(both))


def given_lemmas(both: Both) -> list[str]:
    reached = (both.form(lemma.rule) for lemma in both.lemmas.values() if lemma.reached)
    return [given_text(form, both.read) for form in reached if form is not None]


def _as_they_are(group: str, both: Both, cases: Sequence[Case], *, are_lemmas: bool = True) -> list[Question]:
    return [
        question_of(group, case.rule.name, both, case.rule, case.form, case.data, is_lemma=are_lemmas)
        for case in cases
    ]


def compare_attacks(program: Path, folder: Path, tally: Tally) -> None:
    for attack in attacks():
        both = Both.of_texts(attack.theory, [attack.theory_text, attack.stated])
        questions = []
        for forged in attack.rules:
            data = json.loads(json.dumps(forged.written_certificate(attack.theory, both.lemmas)))
            form = both.form(forged.rule)
            questions.append(
                question_of("attacks", attack.name, both, forged.rule, form, data, is_lemma=True)
            )
            if questions[-1].project:
                break  # what comes after it rests on it
            both.add(forged.rule, forged.certificate(attack.theory, both.lemmas))
        asked(program, folder, both, questions, tally)


def compare_mutants(
    program: Path,
    folder: Path,
    tally: Tally,
    groups: Mapping[str, Sequence[Case]],
    number: int,
    seed: int,
    *,
    alone: bool = False,
) -> None:
    """Certificates that were tampered with, as many of each group; `alone`: with their lemmas taken as right."""
    for group, cases in groups.items():
        made: dict[int, tuple[Both, list[Question]]] = {}
        for place in range(number):
            random = Random(f"{seed} {group} {place}")
            case = random.choice(cases)
            rule, form, data = bent(case, random)
            question = question_of(f"{group}, tampered with", f"mutant {place}", case.both, rule, form, data)
            made.setdefault(id(case.both), (case.both, []))[1].append(question)
        if alone:
            for both, questions in made.values():
                asked(program, folder, both, questions, tally, given=given_lemmas(both))
            continue
        lemmas = {id(both): _as_they_are(group, both, some) for both, some in _by_theory(cases)}
        for key, (both, questions) in made.items():
            asked(program, folder, both, questions, tally, lemmas[key])


def _by_theory(cases: Sequence[Case]) -> list[tuple[Both, list[Case]]]:
    found: dict[int, tuple[Both, list[Case]]] = {}
    for case in cases:
        found.setdefault(id(case.both), (case.both, []))[1].append(case)
    return list(found.values())
