"""Notes on the keys and counts of a theory: whether proofs may use each of them, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hornbook.compiler.witness.queries import GIVEN, OBSERVED, OPEN, PROVED, Place, constraints
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.theory import Theory, counts_of
from hornbook.kb.sources.diagnostics import Diagnostic, note

_WORDS = {
    GIVEN: "checked on every given fact",
    PROVED: "proved for what the rules conclude",
    OBSERVED: "observed, so checked on the facts that are given next",
    OPEN: "neither proved nor observed, so no proof may use it",
}
_HELP = (
    "let the conditions of the rules that conclude it exclude each other, or declare it `observed` and"
    " audit it"
)


def notes(theory: Theory) -> list[Diagnostic]:
    """Return a note (HB060) for each key and each count: whether and why proofs may use it.

    The notes are in the order of declarations.
    """
    known, predicates = constraints(theory), theory.vocabulary.predicates
    found = []
    for predicate in predicates.values():
        if predicate.key is not None and predicate.kind != "meta":
            found.append(_note(f"the key of `{predicate.name}`", predicate, known.keys, known.reached.keys))
    for name, counter in counts_of(theory.vocabulary).items():
        subject = f"the count of `{name}` by `{counter.name}`"
        found.append(_note(subject, predicates[name], known.counts, known.reached.closed, counter))
    return found


def _note(
    subject: str,
    predicate: Predicate,
    why: Mapping[Place, str],
    reached: frozenset[Place],
    declared: Predicate | None = None,
) -> Diagnostic:
    parts = list(_parts(predicate, why, reached))
    is_open = OPEN in (why[place] for place in why if place[0] == predicate.name)
    return note(
        "HB060", f"{subject}: {'; '.join(parts)}", (declared or predicate).span, _HELP if is_open else ""
    )


def _parts(predicate: Predicate, why: Mapping[Place, str], reached: frozenset[Place]) -> Iterator[str]:
    name = predicate.name
    if not predicate.has_tense:
        yield _WORDS[why[name, None]]
        return
    yield _WORDS[why[name, "before"]]
    after = why[name, "after"]
    one = after != OPEN and (name, "after") not in reached
    yield f"after {'one ' if one else 'an '}action{' only' if one else ''}: {_WORDS[after]}"
