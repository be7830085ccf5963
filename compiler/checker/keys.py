"""Keys and counts of concluded relations, proved in a certificate by induction.

A key (`->`) and a count are integrity constraints on *given* facts: each incoming fact is checked against
them. Rules and actions may conclude facts that violate them. For such facts, a key or count is used only if
it is proved. Consider the first two facts with the same key and different values. Two rules (or one rule
twice) conclude them from conditions that hold while all constraints are still satisfied. The proof shows for
each pair of rules that this is impossible. The induction assumes that exactly one action is taken. It assumes
nothing about a state except the state's own constraints.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.context import ProofContext, RejectedError, Row, listed, shown
from hornbook.compiler.checker.dependencies import IntegrityAssumptions, TimedPredicate
from hornbook.compiler.checker.proofs import apart, compares, contradicts, entails
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    Expression,
    Operation,
    Rule,
    Term,
    Variable,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory

FIRST, SECOND = "'", '"'
"""The suffixes that separate the variables of two rules considered together."""


def proved_keys(
    theory: Theory, keys: Sequence[Witness], *, reached: bool, supposed: frozenset[str] = frozenset()
) -> IntegrityAssumptions:
    """Return the keys and counts that a proof may use. Raise RejectedError if one is not proved.

    `supposed` contains the relations whose facts after the action are only assumed.
    """
    places = places_of(keys)
    usable = IntegrityAssumptions(
        theory,
        frozenset(place for place, kind in places if kind == "key"),
        frozenset(place for place, kind in places if kind == "count"),
        reached,
        supposed,
    )
    for (place, kind), each in zip(places, keys, strict=True):
        proofs = listed(listed(each)[3])
        is_proved = (
            _is_key_preserved(usable, place, proofs) if kind == "key" else _is_counted(usable, place, proofs)
        )
        if not is_proved:
            raise RejectedError(f"the {kind} of `{place[0]}`{_at(place)} is not proved")
    return usable


def places_of(keys: Iterable[Witness]) -> list[tuple[TimedPredicate, str]]:
    """Return the timed predicates with keys or counts to prove.

    Raise RejectedError if an entry is malformed.
    """
    found: list[tuple[TimedPredicate, str]] = []
    for each in keys:
        match each:
            case (str(name), ("before" | "after" | None) as moment, ("key" | "count") as kind, tuple()):
                found.append(((name, moment), kind))
            case _:
                raise RejectedError(f"{shown(each)} is not a key or count of a timed predicate")
    return found


def _at(place: TimedPredicate) -> str:
    return "" if place[1] is None else f" ({place[1]} the action)"


def pairs_of(usable: IntegrityAssumptions, place: TimedPredicate) -> list[tuple[Rule, Rule]]:
    """Return the pairs of rules whose conclusions may have the same key.

    A given fact is treated as a rule.
    """
    rules = usable.concluding(place)
    pairs = [*combinations_with_replacement(rules, 2)]
    if usable.may_be_given(place):
        width = usable.theory.vocabulary.predicates[place[0]].arity
        atom = Atom(place[0], tuple(Variable(f"given{i}") for i in range(width)))
        pairs += [(Rule(atom, (atom,)), rule) for rule in rules]
    return pairs


def _is_key_preserved(usable: IntegrityAssumptions, place: TimedPredicate, proofs: Sequence[Witness]) -> bool:
    """Return whether no two facts of a timed predicate, concluded or given, have the same key and different
    values.
    """
    declared = usable.theory.vocabulary.predicates.get(place[0])
    if (
        declared is None
        or declared.key is None
        or declared.kind == "meta"
        or declared.has_tense == (place[1] is None)
    ):
        return False
    pairs = pairs_of(usable, place)
    return len(pairs) == len(proofs) and all(
        _agree(usable, pair, declared.key, place, proof) for pair, proof in zip(pairs, proofs, strict=True)
    )


def _agree(
    usable: IntegrityAssumptions, pair: tuple[Rule, Rule], width: int, place: TimedPredicate, proof: Witness
) -> bool:
    one, other = (renamed(rule, mark) for rule, mark in zip(pair, (FIRST, SECOND), strict=True))
    columns = list(zip(one.head.terms, other.head.terms, strict=True))
    if proof is None:
        return have_two_actions(usable, (one, other))
    context = together(usable, (one, other), place, columns[:width])
    match proof:
        case ("known", notes, tuple(values)):
            context.note(notes)
            return len(values) == len(columns) - width and all(
                compares(context, Comparison("=", a, b), value)
                for (a, b), value in zip(columns[width:], values, strict=True)
            )
        case ("impossible", notes, contradiction):
            context.note(notes)
            return contradicts(context, contradiction) is not None
    return False


def renamed(rule: Rule, mark: str) -> Rule:
    """Return a rule whose variables are distinct from those of other rules."""
    return rename_rule(rule, lambda name: f"{name}{mark}")


def have_two_actions(usable: IntegrityAssumptions, rules: Iterable[Rule]) -> bool:
    """Return whether rules require two different actions, although only one is taken.

    Conditions on each member of a set do not count, because the set may be empty.
    """
    words = usable.theory.vocabulary.predicates
    mentioned = {s.relation for rule in rules for s in statements(rule.body, nested=False)}
    return len({name for name in mentioned if name in words and words[name].kind == "action"}) > 1


def together(
    usable: IntegrityAssumptions,
    rules: Sequence[Rule],
    place: TimedPredicate,
    keys: Iterable[tuple[Term, Term]],
) -> ProofContext:
    """Return a context with the bodies of rules as known facts and with equal keys for their conclusions."""
    context = ProofContext(usable, {name for rule in rules for name in shared_variables(rule)})
    context.take([c for rule in rules for c in rule.body], place[1])
    context.take([Comparison("=", a, b) for a, b in keys], None)
    return context


# Counts


def _is_counted(usable: IntegrityAssumptions, place: TimedPredicate, proofs: Sequence[Witness]) -> bool:
    """Return whether no closed set of a timed predicate has more members than a concluded count of it.

    The proof shows that all members belong to other closed sets, whose union is no larger.
    """
    name, moment = place
    counter = usable.counters.get(name)
    if (
        counter is None
        or (member := usable.theory.vocabulary.predicates[name]).has_tense != counter.has_tense
    ):
        return False
    above = counter.name, moment
    if member.has_tense == (moment is None) or usable.may_be_given(place) or usable.may_be_given(above):
        return False
    rules = usable.concluding(above)
    return len(rules) == len(proofs) and all(
        _is_within(usable, renamed(rule, FIRST), place, proof)
        for rule, proof in zip(rules, proofs, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Union:
    """A union of closed sets, without some elements and with another one.

    Each set is given by a timed predicate and a key. `size` is an upper bound on the number of elements.
    """

    sets: frozenset[tuple[TimedPredicate, Row]]
    excluded: Row
    added: Row
    size: Expression


def _is_within(usable: IntegrityAssumptions, counting: Rule, place: TimedPredicate, proof: Witness) -> bool:
    """Return whether the members of a set belong to a union of closed sets that is no larger than the set's
    concluded count.
    """
    if proof is None:
        return have_two_actions(usable, (counting,))
    context = together(usable, (counting,), place, ())
    match proof:
        case ("impossible", notes, contradiction):
            context.note(notes)
            return contradicts(context, contradiction) is not None
        case ("within", notes, union, (premises, sums), tuple(members)):
            context.note(notes)
            rules = usable.concluding(place)
            size = Comparison("<=", _union(context, union).size, counting.head.terms[-1])
            return (
                entails(context, size, premises, sums)
                and len(members) == len(rules)
                and all(
                    _is_member(usable, (counting, renamed(rule, SECOND)), place, (notes, union), each)
                    for rule, each in zip(rules, members, strict=True)
                )
            )
    return False


def _is_member(
    usable: IntegrityAssumptions,
    rules: tuple[Rule, Rule],
    place: TimedPredicate,
    within: tuple[Witness, Witness],
    proof: Witness,
) -> bool:
    """Return whether the conclusion of the second rule, as a member of the set counted by the first, is in a
    union.
    """
    if proof is None:
        return have_two_actions(usable, rules)
    counting, member = rules
    key = counting.head.terms[:-1]
    row = member.head.terms[len(key) :]
    # The conditions and notes of the counting rule come first, so the union is the same as without the
    # member.
    both = ProofContext(usable, {name for rule in rules for name in shared_variables(rule)})
    both.take(counting.body, place[1])
    both.note(within[0])
    both.take(member.body, place[1])
    both.take([Comparison("=", a, b) for a, b in zip(key, member.head.terms, strict=False)], None)
    match proof:
        case ("impossible", notes, contradiction):
            both.note(notes)
            return contradicts(both, contradiction) is not None
        case ("in", notes, number, tuple(different)):
            both.note(notes)
            union, known = _union(both, within[1]), both.statement(number)
            return (
                any((set_place, (*key_row, *both.row(row))) == known for set_place, key_row in union.sets)
                and len(different) == len(union.excluded)
                and (not different or len(row) == 1)
                and all(apart(both, row[0], t, d) for t, d in zip(union.excluded, different, strict=True))
            )
        case ("with", notes):
            both.note(notes)
            union = _union(both, within[1])
            return any(both.are_equal(row, [term]) for term in union.added)
    return False


def _union(context: ProofContext, witness: Witness) -> Union:
    """Return the union of closed sets that a witness names. Raise RejectedError if it names none."""
    match witness:
        case ("count", number):
            condition, moment = context.count_of(number)
            sets, _ = context.union(condition, moment)
            if all(context.usable.closed(place) for place, _ in sets):
                return Union(sets, context.row(condition.excluded), (), condition.result)
        case ("set", number) if (found := context.counted(number)) is not None:
            return Union(frozenset([found[0]]), (), (), found[1])
        case ("less", number, member) if (found := context.counted(number)) is not None:
            row = context.member(found[0], member)
            if row is not None and len(row) == 1:
                return Union(frozenset([found[0]]), row, (), Operation("-", (found[1], Constant(1))))
        case ("more", number, action, int(column)) if (found := context.counted(number)) is not None:
            (name, _), acted = context.statement(action)
            declared = context.vocabulary.predicates.get(name)
            if declared is not None and declared.kind == "action" and 0 <= column < len(acted):
                return Union(
                    frozenset([found[0]]), (), (acted[column],), Operation("+", (found[1], Constant(1)))
                )
    raise RejectedError(f"{shown(witness)} names no union of closed sets")
