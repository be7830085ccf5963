"""The command `hornbook rules trust`: the assumptions of a theory and of proofs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import reduce
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.options import flag
from hornbook.compiler.maintain.unproved import ProofAttempt, prove_all
from hornbook.compiler.prove.claims import as_lemma, claims_of
from hornbook.compiler.trust.footprint import Footprint, certificates_below, footprint, matched
from hornbook.compiler.trust.invariants import Invariant, invariants
from hornbook.compiler.trust.kinds import KINDS, Kind, kinds
from hornbook.compiler.trust.lemmas import ProvedLemma, proved_lemmas, through_lemmas
from hornbook.compiler.trust.shown import ShownClauses, shown
from hornbook.inputs.opening_store import TheoryWithRules, open_theory, with_rules
from hornbook.inputs.store_names import store_named
from hornbook.kb.ast.terms import Rule, statements
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.coloured import progress
from hornbook.terminal.messages import print_json
from hornbook.terminal.screen import show_report

_Clause = tuple[Rule, Kind]


@dataclass(frozen=True, slots=True)
class _Proved:
    """Statistics of proved rules.

    `rules` of them are proved and `others` are not; `steps` has the length of each proof. `all` is the union
    of their dependencies, and `by_clause` has the number of rules that depend on each clause. `matched` has
    the clauses that conclude their conditions. `invariants` has the predicates that a game provably restores.
    """

    rules: int
    others: int
    steps: tuple[int, ...]
    all: Footprint
    by_clause: Mapping[str, int]
    matched: frozenset[str]
    invariants: tuple[Invariant, ...]


def trust(
    theory: options.Theory,
    rules: options.Rules = None,
    clauses: Annotated[
        bool,
        flag(
            "--clauses", "List every clause with its kind and the number of proved rules that depend on it."
        ),
    ] = False,
    prove: Annotated[
        bool, flag("--prove", "Try to prove each claim from the other clauses, as if it were a lemma.")
    ] = False,
    json_output: options.Json = False,
) -> None:
    """List the assumptions of a theory and its proofs: clauses, file by file, and integrity assumptions.

    There are four kinds of clauses. A definition gives the meaning of a predicate and claims nothing. A
    transition describes the effect of an action. A claim asserts something about a predicate that is already
    defined. The fourth kind is about a game. Clauses that are proved about the domain outside of Hornbook are
    marked. Lemmas are not assumptions: they are listed separately, with the clauses that their proofs depend
    on.

    With rules, the command also shows the number of proved rules, the lengths of the proofs, and the
    assumptions that the proofs depend on. An error in any other clause cannot make these rules wrong. The
    conditions of rules are concluded by clauses too, and an error in these can make an answer wrong.
    """
    using, rests = _theory_and_rules(theory, rules)
    lemmas, known = proved_lemmas(using), using.without_lemmas()
    proved = None if rests is None else _proved(rests, using, lemmas)
    tried = _tried(known) if prove else None
    outside = shown(known)
    if json_output:
        print_json(_as_json(known, lemmas, proved, tried, outside))
    else:
        lines = [*_lines(known, proved, outside, clauses=clauses), *_lemmas(known, lemmas, clauses=clauses)]
        lines += [] if proved is None else _of_rules(known, proved)
        show_report("\n".join([*lines, *([] if tried is None else _claims(known, tried))]))


def _tried(theory: Theory) -> dict[str, list[ProofAttempt]]:
    """Return the proof attempts of each claim by its name. A claim about two tenses has several attempts."""
    claims = claims_of(theory)
    found: dict[str, list[ProofAttempt]] = {}
    with progress("proving claims", len(claims)) as update_progress:
        for claim in claims:
            found[claim.name] = list(prove_all(*as_lemma(claim, theory)))
            update_progress(advance=1)
    return found


def _claims(theory: Theory, tried: Mapping[str, Sequence[ProofAttempt]]) -> Iterator[str]:
    """Yield the claims in their order, each with the reason of its first failed attempt."""
    good = 0
    for file, there in _by_file(theory).items():
        for rule, _ in there:
            if rule.name in tried:
                reason = next((a.reason for a in tried[rule.name] if not a.proved), "")
                good += not reason
                yield f"  {file}:{rule.span.line}: {rule.name}: {reason or 'follows'}"
    yield (
        f"  of {counted(len(tried), 'claim')} {good} {'follows' if good == 1 else 'follow'} from the other"
        " clauses, in given states: `lemma` marks clauses to use only with a proof"
    )


def _theory_and_rules(theory: str, rules: Path | None) -> tuple[Theory, TheoryWithRules | None]:
    if rules is None and store_named(theory) is None:
        return open_theory(theory), None
    learned = with_rules(theory, rules)
    return learned.theory, learned


def _proved(learned: TheoryWithRules, theory: Theory, lemmas: Mapping[str, ProvedLemma]) -> _Proved:
    entries = [entry for entry in learned.active_base if entry.is_certified]
    proofs = [certificates_below([entry], learned.base) for entry in entries]
    prints = [through_lemmas(footprint(each, theory), lemmas) for each in proofs]
    return _Proved(
        len(entries),
        len(learned.active) - len(entries),
        tuple(len(e.certificate.all_steps) for e in entries if e.certificate is not None),
        reduce(Footprint.__or__, prints, Footprint()),
        Counter(name for each in prints for name in each.rules),
        matched((entry.rule for entry in entries), theory) - lemmas.keys(),
        tuple(each for each in invariants(theory, (entry.rule for entry in entries)) if each.proved),
    )


def _lines(theory: Theory, proved: _Proved | None, outside: ShownClauses, *, clauses: bool) -> Iterator[str]:
    files = _by_file(theory)
    yield (
        f"{theory.name}: {counted(len(theory.rules), 'clause')} and"
        f" {counted(len(theory.facts), 'fact')} are assumed,"
        f" {sum(_is_of_two_moments(rule) for rule in theory.rules)} of the clauses about two moments"
    )
    width = max((len(file) for file in (*files, "in all")), default=0)
    columns = [
        "clauses",
        *(f"{kind}s" for kind in KINDS),
        *(("shown",) if outside.clauses else ()),
        *(() if proved is None else ("rested on", "asked")),
    ]
    if files:
        yield _row("", columns, columns, width)
    for file, there in files.items():
        yield _row(file, _numbers(there, proved, outside), columns, width)
        for rule, kind in there if clauses else ():
            number = "" if proved is None else f"{proved.by_clause.get(rule.name, 0):>6} "
            mark = ", shown" if rule.name in outside.clauses else ""
            yield f"    {number}{kind:<10}  {rule.name}{mark}"
    if len(files) > 1:
        yield _row(
            "in all",
            _numbers([each for there in files.values() for each in there], proved, outside),
            columns,
            width,
        )
    yield from _shown(files, outside)
    yield from _promised(theory, proved)


def _shown(files: Mapping[str, Sequence[_Clause]], outside: ShownClauses) -> Iterator[str]:
    """Yield the clauses proved outside of Hornbook, the runs that checked them, and invalid records."""
    if outside.clauses:
        claims = [rule for there in files.values() for rule, kind in there if kind == "claim"]
        true = sum(rule.name in outside.clauses for rule in claims)
        yield (
            "  shown (proved of what the theory is about, outside of Hornbook, and not checked here):"
            f" {counted(len(outside.clauses), 'clause')}, {true} of {counted(len(claims), 'claim')}"
        )
    for run in outside.runs:
        state = "unchanged since then" if run.compared else "not installed here, so not compared"
        yield (
            f"    by {run.by}: checked on {run.date} by `{run.command}` (Coq {run.coq}),"
            f" {counted(run.compiled, 'source')} and no axioms; the proofs are {state}"
        )
    for run in outside.outdated:
        others = f" and {len(run.changed) - 1} more" if len(run.changed) > 1 else ""
        yield (
            f"  not counted: the proofs of {run.by} changed after they were checked on {run.date}"
            f" ({run.changed[0]}{others}); check them with `{run.command}`"
        )
    for path in outside.damaged:
        yield f"  damaged, so that nothing in it is counted: {path}"


def _lemmas(theory: Theory, lemmas: Mapping[str, ProvedLemma], *, clauses: bool) -> Iterator[str]:
    """Yield the proved lemmas, which are used without being assumed, and the unproved ones, which are not
    used.
    """
    if not theory.lemmas:
        return
    yield (
        f"{counted(len(lemmas), 'lemma')} proved, {len(theory.lemmas) - len(lemmas)} without a"
        " proof and not used"
    )
    if lemmas:
        steps = [number for each in lemmas.values() for number in each.steps]
        rest = frozenset(name for each in lemmas.values() for name in each.rests_on.rules)
        yield _of_certificates(theory, steps, rest)
    for rule in theory.lemmas if clauses else ():
        state = "without a proof"
        if rule.name in lemmas:
            each = lemmas[rule.name]
            state = (
                f"{counted(sum(each.steps), 'step')}, rests on {counted(len(each.rests_on.rules), 'clause')}"
            )
        yield f"    lemma       {rule.name}: {state}"


def _of_rules(theory: Theory, proved: _Proved) -> Iterator[str]:
    yield f"{counted(proved.rules, 'rule')} proved, {proved.others} without a proof"
    if proved.steps:
        rest = _of_certificates(theory, proved.steps, proved.all.rules)
        yield f"{rest}, and {len(proved.matched)} conclude what they ask for"
    for each in proved.invariants:
        number = f"{len(each.proved)} of {counted(len(each.proved) + len(each.unproved), 'clause')} proved"
        words = ", ".join(f"`{word}`" for word in each.words)
        yield f"  `{each.game}` restores {words}: {number}{', an invariant' if each.holds else ''}"


def _of_certificates(theory: Theory, steps: Sequence[int], rest: Collection[str]) -> str:
    return (
        f"  by certificates of {min(steps)} to {max(steps)} steps, median {median(steps):g};"
        f" they rest on {len(rest)} of the {counted(len(theory.rules), 'clause')}"
    )


def _row(file: str, cells: Iterable[object], columns: Iterable[str], width: int) -> str:
    return f"  {file:<{width}}" + "".join(
        f"  {cell!s:>{len(column)}}" for cell, column in zip(cells, columns, strict=True)
    )


def _numbers(clauses: Sequence[_Clause], proved: _Proved | None, outside: ShownClauses) -> list[int]:
    """Return the numbers of clauses: all, of each kind, shown, and used in proofs or conditions of proved
    rules.
    """
    by_kind = Counter(kind for _, kind in clauses)
    used = [outside.clauses] if outside.clauses else []
    used += [] if proved is None else [proved.all.rules, proved.matched]
    return [
        len(clauses),
        *(by_kind[kind] for kind in KINDS),
        *(sum(rule.name in names for rule, _ in clauses) for names in used),
    ]


def _promised(theory: Theory, proved: _Proved | None) -> Iterator[str]:
    """Yield a line for each kind of integrity assumption."""
    for description, names, used in (
        (
            "observed (what is concluded of it after an action is so in the next state)",
            _observed(theory),
            None if proved is None else proved.all.observed,
        ),
        (
            "replies (the opponent has these and no others)",
            _replies(theory),
            None if proved is None else proved.all.replies,
        ),
        ("complete (all that there is is given)", _complete(theory), None),
    ):
        if names:
            rest = "" if used is None else f"; rested on: {', '.join(sorted(used)) or 'none'}"
            yield f"  {description}: {', '.join(names)}{rest}"


def _observed(theory: Theory) -> list[str]:
    return [p.name for p in theory.vocabulary.predicates.values() if p.observed]


def _complete(theory: Theory) -> list[str]:
    return [p.name for p in theory.vocabulary.predicates.values() if p.complete]


def _replies(theory: Theory) -> list[str]:
    return [replies.game.predicate for replies in theory.replies]


def _is_of_two_moments(rule: Rule) -> bool:
    return len({s.tense for s in (rule.head, *statements(rule.body))} - {None}) > 1


def _by_file(theory: Theory) -> dict[str, list[_Clause]]:
    """Return the rules with their kinds by file, with paths relative to the theory's folder."""
    found: dict[str, list[_Clause]] = {}
    for rule, kind in zip(theory.rules, kinds(theory), strict=True):
        found.setdefault(rule.span.file, []).append((rule, kind))
    if theory.path is None:
        return found
    folder = theory.path.resolve().parent
    return {_seen_from(folder, file): clauses for file, clauses in found.items()}


def _seen_from(folder: Path, file: str) -> str:
    place = Path(file)
    return os.path.relpath(place.resolve(), folder) if place.is_file() else file


def _as_json(
    theory: Theory,
    lemmas: Mapping[str, ProvedLemma],
    proved: _Proved | None,
    tried: Mapping[str, Sequence[ProofAttempt]] | None,
    outside: ShownClauses,
) -> dict[str, Any]:
    by_clause = {} if proved is None else proved.by_clause
    found: dict[str, Any] = {
        "theory": theory.name,
        "clauses": [
            {
                "name": rule.name,
                "file": file,
                "line": rule.span.line,
                "conditions": len(rule.body),
                "kind": kind,
                "two_moments": _is_of_two_moments(rule),
                "shown": rule.name in outside.clauses,
                "rested_on_by": by_clause.get(rule.name, 0),
            }
            for file, there in _by_file(theory).items()
            for rule, kind in there
        ],
        "shown_by": [asdict(run) for run in outside.runs],
        "shown_no_more_by": [asdict(run) for run in outside.outdated],
        "facts": len(theory.facts),
        "observed": _observed(theory),
        "replies": _replies(theory),
        "complete": _complete(theory),
        "lemmas": [
            {
                "name": rule.name,
                "line": rule.span.line,
                "proved": rule.name in lemmas,
                "steps": list(lemmas[rule.name].steps) if rule.name in lemmas else [],
                "clauses": sorted(lemmas[rule.name].rests_on.rules) if rule.name in lemmas else [],
            }
            for rule in theory.lemmas
        ],
    }
    if tried is not None:
        found["claims"] = [
            {
                "name": name,
                "follows": all(attempt.proved for attempt in attempts),
                "reason": next((a.reason for a in attempts if not a.proved), ""),
            }
            for name, attempts in tried.items()
        ]
    if proved is not None:
        found["proved"] = {
            "rules": proved.rules,
            "without_a_proof": proved.others,
            "steps": list(proved.steps),
            "clauses": sorted(proved.all.rules),
            "asked": sorted(proved.matched),
            "observed": sorted(proved.all.observed),
            "replies": sorted(proved.all.replies),
            "invariants": [asdict(each) for each in proved.invariants],
        }
    return found
