"""Comparison of the extracted checker with the project's on shipped certificates, attacks and mutated
certificates.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.fuzz.cases import proofs
from benchmarks.fuzz.second_reader import learned, lemmas, small
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.certificates import certificate_from_json
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.format.printer import print_rule
from oracles.calculus.building import verdicts
from oracles.calculus.questions import given_text, question_text, theory_text
from oracles.proofs.attack import attacks
from oracles.proofs.random_worlds import RandomWorlds
from oracles.proofs.two_readers import THEORIES, Both, CertifiedCase, bent, cases_of
from oracles.reader.certificate import NotDecided, ReaderLemma
from oracles.reader.linear import RefusedError

KINDS = ("accepted", "refused", "not covered")
CHESS = THEORIES / "chess"


@dataclass(frozen=True)
class CheckerQuestion:
    """A rule with a certificate, the project checker's verdict, and the text for the extracted checker.

    The verdict is `""` if the project's checker accepts. `early` is the verdict if the extracted checker is
    not run.
    """

    group: str
    name: str
    shown: str
    project: str
    text: str
    early: str


@dataclass
class CheckerTally:
    """Counts of each pair of verdicts by group, with the reasons, and the disagreements."""

    counts: dict[str, Counter[tuple[bool, str]]] = field(default_factory=dict)
    why: dict[str, Counter[str]] = field(default_factory=dict)
    disagreements: list[str] = field(default_factory=list)

    def take(self, question: CheckerQuestion, verdict: str) -> None:
        kind = verdict.partition(": ")[0]
        accepts = not question.project
        self.counts.setdefault(question.group, Counter())[accepts, kind] += 1
        self.why.setdefault(question.group, Counter())[verdict if kind == "not covered" else kind] += 1
        if kind not in KINDS or (kind != "not covered" and (kind == "accepted") != accepts):
            self.disagreements.append(
                f"{question.group}, {question.name}\nchecker: {question.project or 'accepts'}\nextracted: "
                f"{verdict}\n{question.shown}"
            )


def question_of(
    group: str, name: str, both: Both, rule: Rule, form: Any, data: Any, *, is_lemma: bool = False
) -> CheckerQuestion:
    """Return the question for a rule and its certificate, which is given as JSON is read.

    Rules after a lemma may use it.
    """
    lemmas = {known: lemma for known, lemma in both.lemmas.items() if known != rule.name}
    project = ""
    try:
        verify(rule, certificate_from_json(data), both.theory, lemmas)
    except (ValueError, RejectedError, RecursionError) as problem:
        project = str(problem) or "no reason"
    text, early = "", ""
    known = {
        known: ReaderLemma(read, lemma.rank, lemma.reached, lemma.alone)
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
        except RefusedError as problem:
            early = f"refused: {problem}"
        except NotDecided as problem:
            early = f"not covered: {problem}"
        except RecursionError:
            early = "refused: nested too deep"
    return CheckerQuestion(group, name, f"{print_rule(rule)}\n{json.dumps(data)}", project, text, early)


def judge_questions(
    program: Path,
    folder: Path,
    both: Both,
    questions: Sequence[CheckerQuestion],
    tally: CheckerTally,
    lemmas: Sequence[CheckerQuestion] = (),
    given: Sequence[str] = (),
) -> None:
    """Add the verdicts on questions about one theory to a tally.

    The questions may use `lemmas`, which are judged first, and `given` lemmas, which are assumed.
    """
    texts = [question.text for question in (*lemmas, *questions) if not question.early]
    answers = iter(verdicts(program, "\n".join((theory_text(both.read), *given)), texts, folder))
    for _ in [lemma for lemma in lemmas if not lemma.early]:
        next(answers)
    for question in questions:
        tally.take(question, question.early or next(answers))


def shipped() -> Iterator[tuple[str, list[CertifiedCase]]]:
    """Yield the groups of shipped certified rules, and the small theories that have proofs of every form."""
    yield "firm", learned("firm")
    gains = load(CHESS / "parts" / "gains.horn")
    base = rulebase.read(CHESS / "plans" / "pawns.horn", gains)
    yield "pawns", list(cases_of(Both.shipped(gains, "gains"), base))
    yield "lemmas of chess", lemmas("chess")
    yield "small theories", small()


def random_proofs(worlds: type[RandomWorlds], theories: int, seed: int) -> Iterator[CertifiedCase]:
    """Yield proofs by cases of random rules, from `theories` random theories."""
    random = Random(seed)
    for _ in range(theories):
        some = worlds(random)
        yield from proofs(some, Both.of_texts(some.theory, [some.text]), random)


def compare_rules(
    program: Path, folder: Path, tally: CheckerTally, groups: Mapping[str, Sequence[CertifiedCase]]
) -> None:
    """Compare the checkers on unchanged certified rules."""
    for group, cases in groups.items():
        for both, some in _by_theory(cases):
            judge_questions(program, folder, both, _as_they_are(group, both, some), tally)


def compare_separately(
    program: Path, folder: Path, tally: CheckerTally, groups: Mapping[str, Sequence[CertifiedCase]]
) -> None:
    """Compare the checkers on certified rules, each separately.

    A rule about reached states that the project's checker accepts is assumed as a lemma for the later rules.
    """
    for group, cases in groups.items():
        for both, some in _by_theory(cases):
            questions = _as_they_are(group, both, some, are_lemmas=False)
            judge_questions(program, folder, both, questions, tally, given=given_lemmas(both))


def given_lemmas(both: Both) -> list[str]:
    reached = (both.form(lemma.rule) for lemma in both.lemmas.values() if lemma.reached)
    return [given_text(form, both.read) for form in reached if form is not None]


def _as_they_are(
    group: str, both: Both, cases: Sequence[CertifiedCase], *, are_lemmas: bool = True
) -> list[CheckerQuestion]:
    return [
        question_of(group, case.rule.name, both, case.rule, case.form, case.data, is_lemma=are_lemmas)
        for case in cases
    ]


def compare_attacks(program: Path, folder: Path, tally: CheckerTally) -> None:
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
                break  # later rules use this lemma
            both.add(forged.rule, forged.certificate(attack.theory, both.lemmas))
        judge_questions(program, folder, both, questions, tally)


def compare_mutants(
    program: Path,
    folder: Path,
    tally: CheckerTally,
    groups: Mapping[str, Sequence[CertifiedCase]],
    number: int,
    seed: int,
    *,
    assume_lemmas: bool = False,
) -> None:
    """Compare the checkers on `number` mutated certificates of each group.

    With `assume_lemmas`, the lemmas of each rule are assumed.
    """
    for group, cases in groups.items():
        made: dict[int, tuple[Both, list[CheckerQuestion]]] = {}
        for place in range(number):
            random = Random(f"{seed} {group} {place}")
            case = random.choice(cases)
            rule, form, data = bent(case, random)
            question = question_of(f"{group}, tampered with", f"mutant {place}", case.both, rule, form, data)
            made.setdefault(id(case.both), (case.both, []))[1].append(question)
        if assume_lemmas:
            for both, questions in made.values():
                judge_questions(program, folder, both, questions, tally, given=given_lemmas(both))
            continue
        lemmas = {id(both): _as_they_are(group, both, some) for both, some in _by_theory(cases)}
        for key, (both, questions) in made.items():
            judge_questions(program, folder, both, questions, tally, lemmas[key])


def _by_theory(cases: Sequence[CertifiedCase]) -> list[tuple[Both, list[CertifiedCase]]]:
    found: dict[int, tuple[Both, list[CertifiedCase]]] = {}
    for case in cases:
        found.setdefault(id(case.both), (case.both, []))[1].append(case)
    return list(found.values())
