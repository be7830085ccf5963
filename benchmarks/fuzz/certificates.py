"""Mutated certificates: each is read and replayed, or rejected with a reason, without other exceptions.

Proofs of all forms (steps, lemmas, closed sets, separated replies, the firm's learned rules) are written as
their line of JSON. Something in it is moved, dropped, doubled or exchanged, as a value or as text. The line
is read as part of a proof file and of a store, then replayed, renewed, shown and written again. Regularly a
whole file is read and a store is imported. Accepted input must name the unchanged theory, and must be equal
after writing and reading. Otherwise the exit code is 1, and the input is printed.

Usage:

    python benchmarks/fuzz/certificates.py [--inputs 1000000] [--seed 1]
        [--output benchmarks/results/certificate_fuzz.txt]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import hornbook  # noqa: E402
from hornbook.compiler.checker.certificate import Certificate, ProofStep  # noqa: E402
from hornbook.compiler.checker.checker import Lemma, verify  # noqa: E402
from hornbook.compiler.checker.context import RejectedError  # noqa: E402
from hornbook.compiler.generalise.certification import certificate_of  # noqa: E402
from hornbook.compiler.rules import rulebase  # noqa: E402
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, rule_base  # noqa: E402
from hornbook.compiler.rules.certificates import (  # noqa: E402
    certificate_as_json,
    certificate_from_json,
    certificate_text,
    read_proof,
)
from hornbook.compiler.rules.stored_rules import read_entry, stored_rule  # noqa: E402
from hornbook.compiler.rules.verification import renew, verify_all  # noqa: E402
from hornbook.inputs.theories import load  # noqa: E402
from hornbook.kb.ast.terms import Variable  # noqa: E402
from hornbook.kb.ast.theory import Theory  # noqa: E402
from hornbook.kb.sources.proofs import proofs_path  # noqa: E402
from hornbook.kb.store import Store, StoredRule, StoreError  # noqa: E402
from hornbook.kb.store.closure import read_theory  # noqa: E402
from hornbook.kb.store.text import export_text, import_text  # noqa: E402
from hornbook.matcher.program.hornbook_error import HornbookError  # noqa: E402
from oracles.proofs.hunt import GOES, RULE, STAYING, STAYS, THEORY  # noqa: E402 - the checkout comes before what is installed
from oracles.proofs.learned_rules import rule_of, step, theory_of  # noqa: E402

KIN = """
sort person. static parent(person, person).
derived grandparent(person, person). derived great(person, person).
two_steps: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
three_steps: great(?a, ?d) :- grandparent(?a, ?c), parent(?c, ?d).
"""
SETS = """
sort s. fluent m(s, s). fluent n(s -> int) counts m. static near(s, s). fluent v(s -> int).
action go(s). derived good(s). derived fine(s). game win(s).
near(a1, a2).
all_near: good(?b) :- n(?b, ?k), all ?l in m(?b, ?l): (near(?l, ?x), v(?x, ?i), ?i > 2).
fine: fine(?b) :- good(?b), v(?b, ?i), ?i * 2 > ?i.
moved: before win(?b) by go(?b) is GI :- go(?b), before fine(?b).
"""
OF_SETS = "n(?b, 1), m(?b, ?l), near(?l, ?x), v(?x, ?j), ?j > 5, v(?b, ?i), ?i * 2 > ?i"
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 2**31, 2**63, -(2**63), 2**64, 10**40, 1.5, float("inf"), float("nan"),
    "", " ", "?", "?a", "?b", "?q^", "?b@", "?_", "?#1.0", "?(b)", "'", "''", "'?a", "x" * 300, "\n", "\0",
    "\x1b[31m", "\u2028", "\ud800", "before", "after", "split", "cases", "rest", "rule ", "lemma ", "reached",
    "lemma lower", [], {}, [[]], [{}], [None],
    {"a": "?a"}, {"a": []}, {"split": "q^", "cases": [], "rest": []}, [["goes", None, {}]], [[], []],
)  # fmt: skip
ODD_TEXT = (
    "",
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    ":",
    "null",
    "1e999",
    "-",
    "9" * 5000,
    "\\ud800",
    "\\",
    "\x00",
    "\r",
    "[" * 3000,
)
ROWS, FILES, STORES = 10, 200, 2_000
"""Intervals, in inputs, between additional readings as the row of a store, as a file, and as
the text of a store.
"""
SLOW = 20.0
"""Limit of seconds for one input."""


@dataclass(frozen=True, slots=True)
class Case:
    """Rule base that follows from its theory, as lines of its proof file."""

    theory: Theory
    base: RuleBase
    lemmas: Mapping[str, Lemma]
    lines: tuple[str, ...]


class Fault(Exception):
    """Error for an input that was not handled; the message describes it."""


def cases(*, firm: bool) -> list[Case]:
    """Return rule bases with proofs of every form."""
    hunted = rule_of(f"caught: {RULE}")
    caught = RuleEntry(hunted, certificate_of(hunted, (), THEORY, {}, (GOES, STAYS), STAYING), None)
    sets = theory_of(SETS)
    won = rule_of(f"won: win(?b) by go(?b) is GI :- {OF_SETS}.")
    steps = [step("all_near", b="?b", k=1), step("fine", b="?b", i="?i"), step("moved", None, b="?b")]
    kin = theory_of(KIN)
    lower = rule_of("lower: grandparent(?x, ?z) :- parent(?x, ?y), parent(?y, ?z).")
    upper = rule_of("upper: great(?a, ?d) :- parent(?a, ?b), parent(?b, ?c), parent(?c, ?d).")
    first = RuleEntry(lower, certificate_of(lower, (_step("two_steps", a="x", b="y", c="z"),), kin, {}), None)
    rest = (_step("lower", x="a", y="b", z="c"), _step("three_steps", a="a", c="c", d="d"))
    second = certificate_of(upper, rest, kin, {"lower": Lemma(lower, 1)})
    found = [
        case(THEORY, rule_base("made", [caught])),
        case(sets, rule_base("made", [RuleEntry(won, certificate_of(won, steps, sets, {}), None)])),
        case(kin, rule_base("made", [first, RuleEntry(upper, second, None)])),
    ]
    if firm:
        known = load("firm")
        assert known.path is not None
        found.append(case(known, rulebase.read(known.path.with_name("rules.horn"), known)))
    return found


def _step(rule: str, **variables: str) -> ProofStep:
    return ProofStep(rule, None, tuple((name, Variable(other)) for name, other in variables.items()))


def case(theory: Theory, base: RuleBase) -> Case:
    wrong = [verdict for verdict in verify_all(base, theory) if not verdict.follows]
    assert not wrong, wrong
    return Case(
        theory, base, base.lemmas(), tuple(json.dumps(rulebase.proof_as_json(entry)) for entry in base)
    )


def tampered(line: str, numbers: Random) -> str:
    """Return a line with some mutations."""
    data = json.loads(line)
    for _ in range(numbers.randint(1, 3)):
        _tamper(data, numbers)
    text = json.dumps(data, ensure_ascii=numbers.random() < 0.5)
    if numbers.random() < 0.2:
        for _ in range(numbers.randint(1, 3)):
            begin = numbers.randrange(len(text) + 1)
            text = text[:begin] + numbers.choice(ODD_TEXT) + text[begin + numbers.randrange(4) :]
    return text


def _tamper(data: Any, numbers: Random) -> None:
    """Replace, drop, double, exchange or rename something at a random place, preferably a deep one."""
    places = list(_places(data))
    if not places:
        return
    container, key = numbers.choice(places)
    other, place = numbers.choice(places)
    match numbers.randrange(6):
        case 0 | 1:
            container[key] = _copy(numbers.choice(ODD))
        case 2:
            del container[key]
        case 3 if isinstance(container, list):
            container.insert(numbers.randint(0, len(container)), _copy(container[key]))
        case 4 if isinstance(container, dict):
            name = numbers.choice((str(numbers.choice(ODD)), f"{key}^", "lemma upper", "rule won", "reached"))
            container[name] = _copy(container[key])
        case _:
            container[key] = _copy(other[place])


def _copy(data: Any) -> Any:
    return json.loads(json.dumps(data))


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    todo = [data]
    while todo:
        item = todo.pop()
        keys = list(item) if isinstance(item, dict) else range(len(item)) if isinstance(item, list) else ()
        for key in keys:
            yield item, key
            todo.append(item[key])


def outcome(known: Case, number: int, line: str) -> str:
    """Return the outcome for a line that replaces a rule's proof. Raise Fault if it is not handled."""
    entry = list(known.base)[number]
    lemmas = {name: lemma for name, lemma in known.lemmas.items() if name != entry.rule.name}
    try:
        name, (certificate, provenance) = read_proof(line)
    except (ValueError, RecursionError) as problem:
        return _reason("not read", problem)
    _is_the_same_again(certificate)
    read = RuleEntry(entry.rule, certificate, provenance)
    certificate_text(certificate), rulebase.comment(read), json.dumps(rulebase.proof_as_json(read)).encode()
    try:
        renew(read, known.theory, lemmas)
    except RejectedError as problem:
        _reason("not renewed", problem)
    try:
        verify(entry.rule, certificate, known.theory, lemmas)
    except RejectedError as problem:
        return _reason("refused", problem)
    _check_accepted(entry, certificate, known.theory, lemmas)
    return "accepted" if name == entry.rule.name else "accepted, for another name"


def _reason(kind: str, problem: Exception) -> str:
    message = str(problem)
    if not message or len(message) > 20_000 or "Error(" in message or "object is not" in message:
        raise Fault(f"{kind}, for no reason that people could read: {message[:500]}")
    return kind


def _is_the_same_again(certificate: Certificate) -> None:
    again = certificate_from_json(json.loads(json.dumps(certificate_as_json(certificate))))
    if again != certificate:
        raise Fault("the certificate is another one when it is written and read again")


def _check_accepted(
    entry: RuleEntry, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Lemma]
) -> None:
    """Check that an accepted certificate belongs to its rule, this theory and this checker, and
    ranks above its lemmas.
    """
    fresh = certificate_of(
        entry.rule, certificate.steps, theory, lemmas, certificate.replies, certificate.open
    )
    there, expected = dict(certificate.fingerprints), dict(fresh.fingerprints)
    # Additional names only change the dependencies of its integrity assumptions.
    named = {name for name in expected if name != "theory promises"}
    if certificate.of != fresh.of or any(there.get(name) != expected[name] for name in named):
        raise Fault("it is accepted, and is of another rule or theory")
    if certificate.reached and not fresh.reached:
        raise Fault("it is accepted, and says more than what it rests on")
    if any(lemmas[name].rank >= certificate.rank for name in certificate.lemmas):
        raise Fault("it is accepted, and its lemmas are not below it")


def as_a_row(known: Case, number: int, line: str) -> None:
    """Read the line as the row of a store; it may be rejected. Raise Fault."""
    try:
        data = json.loads(line)
        certificate, text = json.dumps(data["certificate"]), json.dumps(data)
    except (ValueError, KeyError, TypeError, RecursionError):
        certificate = text = line
    row = stored_rule(list(known.base)[number])
    try:
        read_entry(StoredRule(row.name, row.text, certificate, text), "store.sqlite")
    except HornbookError as problem:
        _reason("no row", problem)


def as_a_file(known: Case, number: int, line: str, folder: Path) -> None:
    """Read the rules from files with the line among their proofs, and verify them. Raise Fault."""
    path = folder / "rules.horn"
    path.write_text(
        rulebase.rules_text(known.base).replace(f"import {known.base.theory}.\n", ""), encoding="utf-8"
    )
    lines = [*known.lines[:number], line, *known.lines[number + 1 :]]
    proofs_path(path).write_bytes("\n".join(lines).encode(errors="surrogatepass"))
    try:
        base = rulebase.read(path, known.theory)
    except HornbookError as problem:
        _reason("no file", problem)
        if f"{proofs_path(path).name}:" not in str(problem):
            raise Fault(f"it is not said where: {problem}") from problem
        return
    list(verify_all(base, known.theory))
    rulebase.write(base, path)


def as_a_store(line: str, text: str, folder: Path) -> None:
    """Import and verify the text of a store with the line as the certificate of its rule. Raise Fault."""
    rows = [json.loads(row) for row in text.splitlines()]
    try:
        data = json.loads(line)["certificate"]
    except (ValueError, KeyError, TypeError, RecursionError):
        data = line
    for row in rows:
        if row.get("table") == "rules":
            row["certificate"] = json.dumps(data)
            values = (row[name] for name in ("name", "text", "certificate", "provenance"))
            row["fingerprint"] = StoredRule(*values).fingerprint
    place = folder / "store.sqlite"
    place.unlink(missing_ok=True)
    try:
        import_text("".join(f"{json.dumps(row)}\n" for row in rows), "store.jsonl", place)
    except StoreError as problem:
        _reason("no store", problem)
        return
    with Store(place) as store:
        for stored in store.rules():
            try:
                read_entry(stored, str(place))
            except HornbookError as problem:
                _reason("no row", problem)


def a_store(folder: Path) -> str:
    """Return the text of a store with a learned rule."""
    theory = load("cup")
    learned = hornbook.learn(theory).rules
    with Store.create(folder / "cup.sqlite") as store:
        store.put_theory(read_theory("cup"))
        learned.save(store)
        return export_text(store)


def fuzzed(inputs: int, seed: int, *, firm: bool, folder: Path) -> tuple[Counter[str], float]:
    """Return the outcomes of `inputs` inputs, and the longest time of one.

    Raise Fault for the first unhandled input.
    """
    known, text = cases(firm=firm), a_store(folder)
    counts: Counter[str] = Counter()
    slowest = 0.0
    for number in range(inputs):
        numbers = Random(f"{seed} {number}")
        one = numbers.choice(known)
        which = numbers.randrange(len(one.lines))
        line = tampered(one.lines[which], numbers)
        started = time.perf_counter()
        try:
            counts[outcome(one, which, line)] += 1
            if number % ROWS == 0:
                as_a_row(one, which, line)
            if number % FILES == 0:
                as_a_file(one, which, line, folder)
            if number % STORES == 0:
                as_a_store(line, text, folder)
        except Exception as problem:
            message = str(problem) if isinstance(problem, Fault) else traceback.format_exc()
            raise Fault(f"input {number} of seed {seed}: {message}\n{line!r}") from problem
        slowest = max(slowest, time.perf_counter() - started)
        if number % 50_000 == 49_999:
            print(f"{number + 1:,}: {dict(counts)}", file=sys.stderr, flush=True)
        if slowest > SLOW:
            raise Fault(f"input {number} of seed {seed} took {slowest:.0f} s\n{line!r}")
    return counts, slowest


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    started = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            counts, slowest = fuzzed(given.inputs, given.seed, firm=True, folder=Path(folder))
        except Fault as problem:
            print(problem)
            return 1
    lines = [
        f"command: python benchmarks/fuzz/certificates.py --inputs {given.inputs} --seed {given.seed}",
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; processor seconds",
        "",
        *(f"{count:>9,}  {what}" for what, count in sorted(counts.items())),
        f"{0:>9,}  not handled, or accepted and of another rule, theory or checker",
        "",
        f"{time.process_time() - started:,.0f} s in all; the slowest input took {1000 * slowest:.0f} ms",
    ]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if given.output is not None:
        given.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
