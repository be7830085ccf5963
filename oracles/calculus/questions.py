"""Input of the extracted checker as S-expressions: a theory, and rules with their certificates.

The second reader (`oracles/reader/`) parses the texts. This translation is not proved: if it changed the
meaning of a theory or certificate, the extracted checker would judge the translated meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from oracles.reader.certificate import ITSELF, MOST_LEAVES, MOST_SPLITS, NotDecided, ReaderLemma, ReaderProof
from oracles.reader.context import check_witness, listed, substitution, term, two
from oracles.reader.forms import put
from oracles.reader.language import Form, is_variable, text_of
from oracles.reader.linear import RefusedError
from oracles.reader.theory import ReaderTheory, free, is_tensed, own, variables

OPERATIONS = frozenset(("+", "-", "*", "//", "mod", "min", "max", "abs"))


def theory_text(theory: ReaderTheory) -> str:
    """Return a theory: its integer columns, static facts, rules, replies, and the predicates that only rules
    conclude.
    """
    columns = (
        _list(_text(name), _list(*(_truth(theory.is_integer(sort)) for sort in form[3])))
        for name, form in theory.predicates.items()
    )
    facts = (_list(_text(atom[2]), *map(_value, atom[3])) for atom in theory.statics)
    rules = (_rule(rule, theory) for rule in _rules(theory))
    answers = (_replies(replies, theory) for replies in theory.replies.values())
    derived = (_text(name) for name in theory.predicates if theory.kind(name) == "derived")
    return _list("theory", _list(*columns), _list(*facts), _list(*rules), _list(*answers), _list(*derived))


def question_text(
    rule: Form, certificate: Any, theory: ReaderTheory, lemmas: Mapping[str, ReaderLemma], *, is_lemma: bool
) -> str:
    """Return a rule with its certificate.

    Later rules may use it if `is_lemma`.

    Raises:
        Refused: The rule is not in the language, the certificate has another form, or it does not name the
            present versions of its lemmas.
    """
    proof = ReaderProof(rule, certificate, theory, lemmas)
    proof.named()
    check_witness(proof.data.get("end"))
    return _list("question", _truth(is_lemma), _rule(rule, theory), _certificate(proof))


def given_text(rule: Form, theory: ReaderTheory) -> str:
    """Return a rule that is assumed."""
    return _list("given", _rule(rule, theory))


def _rules(theory: ReaderTheory) -> Iterator[Form]:
    for rules in theory.concluding.values():
        yield from rules
    for form in theory.forms:  # facts that the theory states for derived predicates
        if form[0] == "rule" and form[1] is None and not form[3] and theory.kind(form[2][2]) == "derived":
            yield form


def _rule(rule: Form, theory: ReaderTheory) -> str:
    _, label, head, body = rule
    shared = free(rule)
    conditions = (_condition(condition, theory, shared, place) for place, condition in enumerate(body))
    return _list("rule", _text(label or ""), _statement(head, theory), _list(*conditions))


def _replies(replies: Form, theory: ReaderTheory) -> str:
    _, (_, _, game, arguments), cases = replies
    written = []
    for action, conditions, unless in cases:
        exceptions = () if unless is None else (unless,)
        shared = free(("rule", None, action, (*conditions, *exceptions))) | set(
            filter(is_variable, arguments)
        )
        written.append(
            _list(
                "case",
                _text(action[2]),
                _list(*map(_term, action[3])),
                _list(*(_condition(condition, theory, shared) for condition in conditions)),
                "none" if unless is None else _statement(unless, theory),
            )
        )
    return _list("replies", _text(game), _list(*map(_term, arguments)), _list(*written))


def _condition(condition: Form, theory: ReaderTheory, shared: AbstractSet[str], place: int = 0) -> str:
    """Return the condition at position `place` of a clause whose conditions share the variables `shared`."""
    kind = condition[0]
    if kind in ("atom", "game"):
        return _statement(condition, theory)
    if is_plain(condition, theory, shared):
        return every_text(condition, theory, shared, place)
    if kind in ("all", "count") and (closed := closed_text(condition, theory, shared, place)) is not None:
        return closed
    if kind == "compare" and all(_is_calculated(side) for side in condition[2:]):
        return _list("compare", *map(_expression, condition[1:]))
    result = condition[{"count": 1, "aggregate": 2}[kind]] if kind in ("count", "aggregate") else None
    numbers = [_text(result[1:])] if result is not None and is_variable(result) else []
    tensed = is_tensed(("rule", None, condition, ())) if kind != "compare" else False
    return _list("other", _text(text_of(condition)), _truth(tensed), _list(*numbers))


def is_plain(condition: Form, theory: ReaderTheory, shared: AbstractSet[str]) -> bool:
    """Return whether a condition is an `all` over a counted set that consists of statements and comparisons
    only.
    """
    return (
        condition[0] == "all"
        and condition[2][2] in theory.counter
        and shared.isdisjoint(own(condition))
        and all(
            c[0] in ("atom", "game") or (c[0] == "compare" and all(map(_is_calculated, c[2:])))
            for c in condition[3]
        )
    )


def bound_names(condition: Form, shared: AbstractSet[str]) -> dict[str, str]:
    """Return new names (`?%0`, `?%1`, …) for the local variables of an `all`, in the order of their
    occurrence.
    """
    met = (*own(condition), *variables(condition[2:]))
    return {name: f"?%{place}" for place, name in enumerate(dict.fromkeys(v for v in met if v not in shared))}


def every_text(condition: Form, theory: ReaderTheory, shared: AbstractSet[str], place: int) -> str:
    """Return a plain `all`: its set with the key, the counting predicate, a name for the number, and the
    conditions.

    Local variables get new names.
    """
    _, listed_, (_, tense, name, row), _ = condition
    names = bound_names(condition, shared)
    others = (_list(_text(new[1:]), _text(old[1:])) for old, new in names.items() if old not in listed_)
    return _list(
        "every",
        _plain(name, theory),
        tense or "always",
        _list(*map(_term, row[: len(row) - len(listed_)])),
        _plain(theory.counter[name], theory),
        _text(f"#{place}.0"),
        _list(*(_text(names[v][1:]) for v in listed_)),
        _list(*others),
        _list(*(_condition(put(c, names), theory, frozenset()) for c in condition[3])),
    )


def closed_text(
    condition: Form, theory: ReaderTheory, shared: AbstractSet[str], place: int = 0
) -> str | None:
    """Return an `all` or `count` on closed sets, or None if it reads an absence or a sum, or if its number is
    calculated.

    The text has the following parts:

    - the condition with gaps (`_`) for its outer terms,
    - the relations that it reads, with those of the counts of sets,
    - the counts of its own sets, with names for their numbers,
    - the outer terms,
    - the resulting number.

    Local variables are numbered as they occur.
    """
    if not is_read(condition, shared):
        return None
    result = condition[1] if condition[0] == "count" else None
    read: list[str] = []
    terms: list[Form] = []
    numbers: dict[str, int] = {}

    def say_term(term: Form) -> str:
        if is_variable(term) and term not in shared:
            return str(numbers.setdefault(term, len(numbers)))
        terms.append(term)
        return "_"

    def say_side(side: Form) -> str:
        return _list(side[0], *map(say_side, side[1:])) if isinstance(side, tuple) else say_term(side)

    def say(form: Form) -> str:
        match form:
            case ("compare", operator, left, right):
                return _list(operator, say_side(left), say_side(right))
            case ("all", listed_, member, conditions):
                return _list("all", *map(say_term, listed_), say(member), *map(say, conditions))
            case ("count", number, listed_, sets, but):
                parts = (_list(*map(say_term, listed_)), _list(*map(say, sets)), _list(*map(say_term, but)))
                return _list("count", "" if form is condition else say_side(number), *parts)
        relation, tense, inner = _parts(form, theory)
        read.append(_list(relation, tense))
        name = form[2] if form[0] == "atom" else form[1][2]
        if name in theory.counter:
            read.append(_list(_plain(theory.counter[name], theory), tense))
        return _list(name, *map(say_term, inner))

    form = say(condition)
    number = "none" if result is None else _term(result)
    sizes = _list(*_sizes(condition, theory, place))
    return _list("closed", _text(form), _list(*read), sizes, _list(*map(_term, terms)), number)


def _sizes(condition: Form, theory: ReaderTheory, place: int) -> Iterator[str]:
    """Yield the counting predicate of each closed set of a condition, with moment, key, and a name for the
    number.
    """
    for number, (_, tense, name, row) in enumerate(condition[2:3] if condition[0] == "all" else condition[3]):
        if name in theory.counter:
            key = row[: len(row) - len(own(condition))]
            counter = _plain(theory.counter[name], theory)
            yield _list(_text(f"#{place}.{number}"), counter, tense or "always", _list(*map(_term, key)))


def is_read(condition: Form, shared: AbstractSet[str]) -> bool:
    """Return whether the extracted checker covers an `all` or `count`."""
    calculated = condition[0] == "count" and isinstance(condition[1], tuple)
    return not calculated and is_growing(condition) and shared.isdisjoint(own(condition))


def _has_unread_sets(rule: Form) -> bool:
    """Return whether a rule has conditions on closed sets that are not formalised."""
    return any(c[0] in ("all", "count") and not is_read(c, free(rule)) for c in rule[3])


def is_growing(condition: Form) -> bool:
    """Return whether a condition is monotonic: whether it reads neither an absence nor a sum."""
    if condition[0] == "all":
        return all(map(is_growing, condition[3]))
    return condition[0] in ("atom", "game", "compare", "count")


def _is_calculated(side: Form) -> bool:
    return not isinstance(side, tuple) or (side[0] in OPERATIONS and all(map(_is_calculated, side[1:])))


def _statement(statement: Form, theory: ReaderTheory) -> str:
    relation, tense, terms = _parts(statement, theory)
    return _list("statement", relation, tense, _list(*map(_term, terms)))


def _parts(statement: Form, theory: ReaderTheory) -> tuple[str, str, tuple[Form, ...]]:
    """Return the relation, the moment and the terms of a statement."""
    if statement[0] == "atom":
        _, tense, name, terms = statement
        return _plain(name, theory), tense or "always", terms
    _, (_, tense, name, arguments), by, value = statement
    if by is None:
        return _list("game", _text(name)), tense or "always", (*arguments, value)
    relation = _list("by", _text(name), _text(by[2]), str(len(arguments)))
    return relation, tense or "always", (*arguments, *by[3], value)


def _plain(name: str, theory: ReaderTheory) -> str:
    kind = theory.kind(name)
    return _list(kind if kind in ("static", "action") else "changing", _text(name))


def _certificate(proof: ReaderProof) -> str:
    data, leaves = proof.data, [MOST_LEAVES]
    steps = (_step(step, proof) for step in listed(data.get("steps")))
    keys = map(_witness, listed(data.get("keys", [])))
    trees = [_tree(each, proof, 0, leaves) for each in listed(data.get("replies", []))]
    opening = _opening(data["open"]) if "open" in data else "none"
    cases = "none"
    if "cases" in data:
        cases = _list(
            "none" if proof.over is None else str(proof.over), _tree(data["cases"], proof, 0, leaves)
        )
    return _list(
        "certificate",
        _truth(proof.reached),
        _list(*steps),
        _witness(data.get("end")),
        _list(*keys),
        opening,
        _list(*trees),
        cases,
    )


def _opening(opening: Any) -> str:
    if not isinstance(opening, list) or len(opening) != 4 or type(opening[0]) is not int:
        raise RefusedError("a reply is open in no known form")
    number, chosen, proofs, notes = opening
    check_witness([proofs, notes], -1)
    proved, noted = (_list(*map(_witness, listed(each))) for each in (proofs, notes))
    return _list("opening", str(number), _substitution(chosen), proved, noted)


def _tree(proof: Any, of: ReaderProof, depth: int, leaves: list[int]) -> str:
    """Return a proof by cases; `leaves` has the number of leaves that may still be added."""
    if isinstance(proof, list) and len(proof) == 3:
        raise NotDecided("a proof of any one member")
    if isinstance(proof, list) and len(proof) == 2:
        leaves[0] -= 1
        if leaves[0] < 0:
            raise RefusedError("too many cases are told apart")
        check_witness(proof[1])
        return _list("leaf", _list(*(_step(step, of) for step in listed(proof[0]))), _witness(proof[1]))
    if not isinstance(proof, dict) or depth >= MOST_SPLITS:
        raise RefusedError("cases are told apart in no known form")
    steps = _list(*(_step(step, of) for step in listed(proof.get("steps", []))))
    if proof.keys() - {"steps"} == {"split", "cases", "rest"}:
        if not isinstance(proof["split"], str):
            raise RefusedError("what is told apart is no variable")
        cases = []
        for written, below in map(two, listed(proof["cases"])):
            cases.append(_list(_term(term(written)), _tree(below, of, depth + 1, leaves)))
        rest = _tree(proof["rest"], of, depth + 1, leaves)
        return _list("split", steps, _text(proof["split"]), _list(*cases), rest)
    if proof.keys() != {"invert", "steps", "notes", "known", "cases"}:
        raise RefusedError("cases are told apart in no known form")
    check_witness([proof["known"], proof["notes"]], -1)
    name, moment, terms = of.inversion_of(proof)
    if of.reached and moment == "before":
        raise NotDecided("what is told apart before an action in a state to which actions lead")
    if any(map(_has_unread_sets, of.theory.conclude(name, moment))):
        raise NotDecided("a case of a rule that asks something of a closed set that is not formalised")
    if type(proof["known"]) is not int:
        raise RefusedError("what is told apart by rules is not known")
    below = _list(*(_tree(each, of, depth + 1, leaves) for each in listed(proof["cases"])))
    notes = _list(*map(_witness, listed(proof["notes"])))
    values = _list(*map(_term, terms))
    return _list("invert", steps, _text(name), str(moment), values, notes, str(proof["known"]), below)


def _substitution(chosen: Any) -> str:
    return _list(*(_list(_text(name[1:]), _term(term)) for name, term in substitution(chosen).items()))


def _step(step: Any, of: ReaderProof) -> str:
    if isinstance(step, list) and len(step) == 6:
        raise NotDecided("a proof of any one member")
    if not isinstance(step, list) or len(step) != 5:
        raise RefusedError("a step is of no known form")
    name, moment, chosen, proofs, notes = step
    if not isinstance(name, str) or moment not in ("before", "after", None):
        raise RefusedError("a step is of no known form")
    check_witness([proofs, notes], -1)
    noted = _list(*map(_witness, listed(notes)))
    proved = _list(*map(_witness, _called(listed(proofs), of.applied_rule(name), of.theory)))
    is_lemma = name != ITSELF and f"rule {name}" not in of.data["fingerprints"]
    if is_lemma and moment == "after" and name in of.lemmas and not of.lemmas[name].reached:
        raise RefusedError(f"`{name}` is not right of reached states")
    return _list(
        "step", _text(name), _truth(is_lemma), moment or "always", _substitution(chosen), proved, noted
    )


def _called(proofs: list[Any], rule: Form, theory: ReaderTheory) -> list[Any]:
    """Return the proofs of a rule's conditions with the local variables of an `all` renamed as in the
    question.
    """
    shared = free(rule)
    renamed = list(proofs)
    for place, (condition, proof) in enumerate(zip(rule[3], proofs, strict=False)):
        if is_plain(condition, theory, shared) and isinstance(proof, list):
            names = {old[1:]: new[1:] for old, new in bound_names(condition, shared).items()}
            match proof:
                case ["each", k, list(members), ways]:
                    renamed[place] = ["each", k, [_member(each, names) for each in members], ways]
                case ["any", k, notes, terms, below]:
                    renamed[place] = ["any", k, notes, _terms(terms, names), below]
    return renamed


def _member(member: Any, names: Mapping[str, str]) -> Any:
    match member:
        case [k, terms, below]:
            return [k, _terms(terms, names), below]
    return member


def _terms(terms: Any, names: Mapping[str, str]) -> Any:
    """Replace variables in terms by their new names; a variable that is not local to the condition keeps its
    name.
    """
    if not isinstance(terms, list):
        return terms
    return [
        [names.get(each[0], f"?{each[0]}"), each[1]]
        if isinstance(each, list) and len(each) == 2 and isinstance(each[0], str)
        else each
        for each in terms
    ]


def _witness(witness: Any) -> str:
    if isinstance(witness, list):
        return _list(*map(_witness, witness))
    if witness is None:
        return "null"
    return _text(witness) if isinstance(witness, str) else str(witness)


def _expression(side: Form) -> str:
    if not isinstance(side, tuple):
        return _term(side)
    return _list(_text(side[0]), *map(_expression, side[1:]))


def _term(term: Form) -> str:
    return _text(term) if isinstance(term, str) else str(term)


def _value(term: Form) -> str:
    return _text(term.removeprefix("'")) if isinstance(term, str) else str(term)


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _list(*parts: str) -> str:
    return f"({' '.join(parts)})"
