"""The rules of `persists` clauses, also if some clauses have mistakes.

A clause with mistakes is replaced by the rule `after F :- before F`, so that a missing rule for F is not
reported as another mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import Atom, Condition, Rule, statements
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.desugar.persistence import NotInvertibleError, persistence_rules
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Persisting:
    """The `rules` of all clauses, and the `problems` of clauses without other mistakes."""

    rules: tuple[Rule, ...]
    problems: tuple[tuple[Frame, NotInvertibleError], ...]


NOTHING_PERSISTS = Persisting((), ())


def persisting(frames: Iterable[Frame], words: Vocabulary) -> Persisting:
    """Return the rules of the `persists` clauses among some frames, in the form of a theory with
    all of them.
    """
    good: list[Frame] = []
    rules: list[Rule] = []
    problems: list[tuple[Frame, NotInvertibleError]] = []
    for frame in frames:
        if not frame.persists:
            continue
        if not _fits(frame, words):
            rules += _placeholder_rules(frame, words)
            continue
        try:
            list(persistence_rules([frame], words))
        except NotInvertibleError as problem:
            rules += _placeholder_rules(frame, words)
            problems.append((frame, problem))
        else:
            good.append(frame)
    rules += [rule for _, found in persistence_rules(good, words) for rule in found]
    return Persisting(tuple(rules), tuple(problems))


def _placeholder_rules(frame: Frame, words: Vocabulary) -> list[Rule]:
    predicate = words.predicates.get(frame.fluent.predicate)
    if predicate is None or predicate.kind != "fluent":
        return []
    moments = (at_moment(frame.fluent, "after", words), at_moment(frame.fluent, "before", words))
    return [Rule(moments[0], (moments[1],), None, frame.span)]


def _fits(frame: Frame, words: Vocabulary) -> bool:
    """Return whether a clause is about a declared fluent, and each case has one action and only declared
    predicates.
    """
    predicate = words.predicates.get(frame.fluent.predicate)
    if predicate is None or predicate.kind != "fluent" or not _is_declared(frame.fluent, words):
        return False
    return all(_is_case(case, words) for case in frame.cases)


def _is_case(case: Sequence[Condition], words: Vocabulary) -> bool:
    atoms = [statement for statement in statements(case) if isinstance(statement, Atom)]
    if not all(_is_declared(atom, words) for atom in atoms):
        return False
    return sum(isinstance(c, Atom) and words.predicates[c.predicate].kind == "action" for c in case) == 1


def _is_declared(atom: Atom, words: Vocabulary) -> bool:
    predicate = words.predicates.get(atom.predicate)
    return predicate is not None and predicate.arity == len(atom.arguments)
