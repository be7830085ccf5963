"""Certificates as JSON and as text for readers.

The JSON may come from anywhere. It is parsed into a certificate of the documented form, or a ValueError names
the problem and its position. Nothing here is trusted: a certificate proves its rule only if the checker
accepts it, wherever it comes from. docs/reference/certificates.md describes the stored form.

In the functions that parse, `old` means a certificate of an earlier form, whose steps and leaves have no
witnesses, and `of` is a description of the parsed object for messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

from hornbook.compiler.checker.certificate import (
    FORMAT,
    HYPOTHESIS,
    MAX_NUMBER,
    MAX_SPLITS,
    CaseProof,
    Certificate,
    Inversion,
    Leaf,
    Opening,
    ProofStep,
    Split,
    Witness,
)
from hornbook.compiler.checker.form import form_of_term, term_of_form
from hornbook.compiler.rules.json_values import (
    field_of,
    integer_from_json,
    list_from_json,
    moment_from_json,
    object_from_json,
    several_from_json,
    text_from_json,
    truth_from_json,
)
from hornbook.compiler.rules.provenance import Provenance
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.terms import Atom, Term
from hornbook.kb.text.counts import counted

MAX_STEPS = 100_000
"""The maximum number of steps of a certificate."""
MAX_DEPTH = 60
"""The maximum nesting depth of witnesses."""


def certificate_text(certificate: Certificate) -> str:
    """Return a certificate as text: its steps in order, each with the moment at which a timeless rule is
    applied.
    """
    count = len(certificate.all_steps)
    head = f"certificate {certificate.of}: {counted(count, 'step')}, rank {certificate.rank}"
    lines = [head, *_shown_steps(certificate.steps, "  ")]
    for number, proof in enumerate(certificate.replies):
        can_be_played = certificate.open is not None and certificate.open[0] == number
        lines.append(f"  reply {number + 1}" + (", which can be played" if can_be_played else ""))
        lines += _shown_proof(proof, "    ")
    if certificate.cases is not None:
        lines += _shown_proof(certificate.cases, "  ")
    return "\n".join(lines)


def certificate_as_json(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate as JSON. Optional fields with their default values are left out."""
    written: dict[str, Any] = {
        "format": certificate.format,
        "rank": certificate.rank,
        "of": certificate.of,
        "steps": _steps_as_json(certificate.steps),
        "fingerprints": dict(certificate.fingerprints),
    }
    if certificate.replies:
        written["replies"] = [_proof_as_json(proof) for proof in certificate.replies]
    if certificate.cases is not None:
        written["cases"] = _proof_as_json(certificate.cases)
    if certificate.induction is not None:
        written["induction"] = certificate.induction
    if certificate.open is not None:
        number, terms = certificate.open
        named = {name: form_of_term(term) for name, term in terms}
        written["open"] = [number, named, *map(_witness_as_json, certificate.opened)]
    if certificate.end is not None:
        written["end"] = _witness_as_json(certificate.end)
    if certificate.reached:
        written["reached"] = True
    if certificate.keys:
        written["keys"] = _witness_as_json(certificate.keys)
    if certificate.inverted_by_lemmas:
        written["inverted_by_lemmas"] = list(certificate.inverted_by_lemmas)
    return written


def certificate_from_json(data: object) -> Certificate:
    """Return the certificate of JSON data.

    Raise ValueError with the problem and its position if the form is wrong.
    """
    try:
        return _certificate(data)
    except ValueError as problem:
        raise ValueError(f"not a certificate: {problem}") from None


def _shown_steps(steps: Iterable[ProofStep], indent: str) -> Iterator[str]:
    """Yield the lines of steps, each after its proofs for members and indented by `indent`, some spaces."""
    for step in steps:
        for place, proof in step.members:
            yield f"{indent}for any one member, of condition {place + 1} of {step.rule}:"
            yield from _shown_proof(proof, f"{indent}  ")
        name = "the rule itself, by induction" if step.rule == HYPOTHESIS else step.rule
        yield f"{indent}{name}" + (f" ({step.moment})" if step.moment else "")


def _shown_proof(proof: CaseProof, indent: str) -> Iterator[str]:
    """Yield the lines of a case proof: its steps, then its cases."""
    if isinstance(proof, Leaf):
        if not proof.steps:
            yield f"{indent}{'impossible' if _is_impossible(proof) else 'as it is'}"
        yield from _shown_steps(proof.steps, indent)
        for place, below in proof.members:
            yield f"{indent}for any one member, of condition {place + 1} that is asked of it:"
            yield from _shown_proof(below, f"{indent}  ")
        return
    if isinstance(proof, Inversion):
        yield from _shown_steps(proof.steps, indent)
        for number, below in enumerate(proof.cases, 1):
            yield f"{indent}{proof.moment} {print_condition(proof.statement)}, by the rule {number} for it"
            yield from _shown_proof(below, f"{indent}  ")
        return
    yield from _shown_steps(proof.steps, indent)
    for term, below in proof.cases:
        yield f"{indent}?{proof.variable} = {print_term(term)}"
        yield from _shown_proof(below, f"{indent}  ")
    yield f"{indent}any other ?{proof.variable}"
    yield from _shown_proof(proof.rest, f"{indent}  ")


def _is_impossible(leaf: Leaf) -> bool:
    return isinstance(leaf.end, tuple) and leaf.end[:1] == ("impossible",)


def _steps_as_json(steps: Iterable[ProofStep]) -> list[Any]:
    return [
        [
            s.rule,
            s.moment,
            {name: form_of_term(term) for name, term in s.substitution},
            _witness_as_json(s.proofs),
            _witness_as_json(s.notes),
            *_members_as_json(s.members),
        ]
        for s in steps
    ]


def _members_as_json(members: tuple[tuple[int, CaseProof], ...]) -> list[Any]:
    """Return proofs for members as the last element of a JSON list, or no element if there are none."""
    return [[[place, _proof_as_json(proof)] for place, proof in members]] if members else []


def _witness_as_json(witness: Witness) -> Any:
    """Return a witness with lists in place of tuples."""
    return [_witness_as_json(part) for part in witness] if isinstance(witness, tuple) else witness


def _proof_as_json(proof: CaseProof) -> Any:
    """Return a proof as JSON; a leaf is a list of its steps and its end."""
    if isinstance(proof, Leaf):
        return [_steps_as_json(proof.steps), _witness_as_json(proof.end), *_members_as_json(proof.members)]
    if isinstance(proof, Inversion):
        return {
            "invert": [*proof.place, list(map(form_of_term, proof.statement.terms))],
            "steps": _steps_as_json(proof.steps),
            "notes": _witness_as_json(proof.notes),
            "known": _witness_as_json(proof.known),
            "cases": [_proof_as_json(below) for below in proof.cases],
        }
    cases = [[form_of_term(term), _proof_as_json(below)] for term, below in proof.cases]
    steps = {"steps": _steps_as_json(proof.steps)} if proof.steps else {}
    return {"split": proof.variable, **steps, "cases": cases, "rest": _proof_as_json(proof.rest)}


def _certificate(data: object) -> Certificate:
    """Return the certificate of JSON data.

    Raise ValueError with the problem, but without the words before it.
    """
    of = "a certificate"
    form = field_of(data, "format", of, integer_from_json)
    if not 1 <= form <= FORMAT:
        raise ValueError(f"its format is {form}, and this Hornbook reads 1 to {FORMAT}")
    rank = field_of(data, "rank", of, integer_from_json)
    if rank < 1:
        raise ValueError(f"its rank is {rank}, and the lowest is 1")
    written, old = object_from_json(data), form < FORMAT
    opening, opened = (
        field_of(data, "open", of, partial(_opening, old=old)) if "open" in written else (None, ((), ()))
    )
    read = Certificate(
        rank,
        field_of(data, "of", of, text_from_json),
        field_of(data, "steps", of, partial(_steps, old=old)),
        field_of(data, "fingerprints", of, _fingerprints),
        field_of(data, "replies", of, partial(_replies, old=old)) if "replies" in written else (),
        opening,
        field_of(data, "reached", of, truth_from_json) if "reached" in written else False,
        field_of(data, "end", of, witness_from_json) if not old and "end" in written else None,
        opened,
        field_of(data, "keys", of, _witnesses) if not old and "keys" in written else (),
        form,
        field_of(data, "cases", of, lambda proof: _proof(proof, 0, old=old)) if "cases" in written else None,
        field_of(data, "inverted_by_lemmas", of, _texts)
        if not old and "inverted_by_lemmas" in written
        else (),
        field_of(data, "induction", of, integer_from_json) if not old and "induction" in written else None,
    )
    if len(read.all_steps) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return read


def _texts(data: object) -> tuple[str, ...]:
    return tuple(map(text_from_json, list_from_json(data)))


def _fingerprints(data: object) -> tuple[tuple[str, str], ...]:
    return tuple((text_from_json(n), text_from_json(value)) for n, value in object_from_json(data).items())


def _replies(data: object, *, old: bool) -> tuple[CaseProof, ...]:
    return tuple(_proof(proof, 0, old=old) for proof in list_from_json(data))


def _proof(data: object, depth: int, *, old: bool) -> CaseProof:
    """Return a case proof that is nested `depth` times: a leaf from a list, an inversion or split from an
    object.
    """
    if isinstance(data, list):
        if old:
            return Leaf(_steps(data, old=old))
        given, members = _with_members(data, 2, depth)
        steps, end = several_from_json(given, "it", "steps", "an end")
        return Leaf(_steps(steps, depth, old=old), witness_from_json(end), members)
    if depth >= MAX_SPLITS:
        raise ValueError(f"its case distinctions are nested more than {MAX_SPLITS} deep")
    of = "a proof by cases"
    if not old and "invert" in object_from_json(data):
        name, moment, terms = field_of(
            data, "invert", of, lambda it: several_from_json(it, "it", "a relation", "a moment", "terms")
        )
        return Inversion(
            Atom(text_from_json(name), tuple(map(term_from_json, list_from_json(terms))), None),
            moment_from_json(moment),
            tuple(_proof(below, depth + 1, old=old) for below in field_of(data, "cases", of, list_from_json)),
            field_of(data, "steps", of, partial(_steps, depth=depth, old=old)),
            field_of(data, "notes", of, _witnesses),
            field_of(data, "known", of, witness_from_json),
        )
    cases = field_of(data, "cases", of, list_from_json)
    return Split(
        field_of(data, "split", of, text_from_json),
        tuple(
            (term_from_json(term), _proof(below, depth + 1, old=old))
            for term, below in (several_from_json(case, "a case", "a term", "a proof") for case in cases)
        ),
        field_of(data, "rest", of, lambda rest: _proof(rest, depth + 1, old=old)),
        field_of(data, "steps", of, partial(_steps, depth=depth, old=old))
        if "steps" in object_from_json(data)
        else (),
    )


def _opening(data: object, *, old: bool) -> tuple[Opening, tuple[Witness, ...]]:
    """Return the fields `open` and `opened` of a certificate, which are one list in JSON."""
    parts = ["a number", "what stands for its variables", *([] if old else ["proofs", "notes"])]
    number, terms, *witnesses = several_from_json(data, "it", *parts)
    opening = integer_from_json(number), _substitution(terms)
    return opening, tuple(map(_witnesses, witnesses)) if witnesses else ((), ())


def _steps(data: object, depth: int = 0, *, old: bool) -> tuple[ProofStep, ...]:
    written = list_from_json(data)
    if len(written) > MAX_STEPS:
        raise ValueError(f"it has more than {MAX_STEPS:,} steps")
    return tuple(_step(step, number, depth, old=old) for number, step in enumerate(written, 1))


def _step(data: object, number: int, depth: int, *, old: bool) -> ProofStep:
    try:
        parts = ["a rule", "a moment", "a substitution", *([] if old else ["proofs", "notes"])]
        given, members = (data, ()) if old else _with_members(data, len(parts), depth)
        rule, moment, terms, *witnesses = several_from_json(given, "it", *parts)
        proofs, notes = map(_witnesses, witnesses) if witnesses else ((), ())
        return ProofStep(
            text_from_json(rule), moment_from_json(moment), _substitution(terms), proofs, notes, members
        )
    except ValueError as problem:
        raise ValueError(f"step {number}: {problem}") from None


def _with_members(
    data: object, parts: int, depth: int
) -> tuple[list[object], tuple[tuple[int, CaseProof], ...]]:
    """Return the list without its optional last element, and the proofs for members from that element.

    `parts` is the number of the other elements. The caller checks it.
    """
    given = list_from_json(data)
    if len(given) != parts + 1:
        return given, ()
    if depth >= MAX_SPLITS:
        raise ValueError(f"it has proofs of members more than {MAX_SPLITS} times inside each other")
    pairs = [
        several_from_json(each, "a proof of members", "a place", "a proof")
        for each in list_from_json(given[-1])
    ]
    if not pairs:
        raise ValueError("it has an empty list of proofs of members")
    return given[:-1], tuple(
        (integer_from_json(place), _proof(proof, depth + 1, old=False)) for place, proof in pairs
    )


def _witnesses(data: object) -> tuple[Witness, ...]:
    return tuple(map(witness_from_json, list_from_json(data)))


def witness_from_json(data: object, depth: int = 0) -> Witness:
    """Return the witness of JSON data. Raise ValueError if it is malformed."""
    if isinstance(data, list):
        if depth >= MAX_DEPTH:
            raise ValueError(f"a proof has more than {MAX_DEPTH} parts inside each other")
        return tuple([witness_from_json(part, depth + 1) for part in data])
    if data is None:
        return None
    if isinstance(data, int) and not isinstance(data, bool):
        if abs(data) > MAX_NUMBER:
            raise ValueError("a number of a proof is too large")
        return data
    return text_from_json(data)


def _substitution(data: object) -> tuple[tuple[str, Term], ...]:
    return tuple([(text_from_json(n), term_from_json(t)) for n, t in object_from_json(data).items()])


_term = lru_cache(maxsize=4096)(term_of_form)
"""The parser of terms with a cache, since proofs repeat a small number of terms."""


def term_from_json(value: object) -> Term:
    """Return the term of JSON data; the inverse of `form_of_term`. Raise ValueError if it is malformed."""
    return _term(text_from_json(value) if isinstance(value, str) else integer_from_json(value))


def read_proof(line: str) -> tuple[str, tuple[Certificate, Provenance | None]]:
    """Return a rule's name and its proof from a line of a sidecar: the inverse of
    `rulebase.proof_as_json`.

    Raise ValueError if the form is wrong.
    """
    data = json.loads(line)
    certificate = field_of(data, "certificate", "the line", certificate_from_json)
    name = field_of(data, "rule", "the line", text_from_json)
    return name, (certificate, Provenance.from_json(data) if "example" in data else None)
