"""The facts that derivations depend on, in an order in which each comes after its own premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from hornbook.matcher.program.coded import Derivation, Fact, Premise, SetPremise


def premises_first(
    goal: Fact,
    derivation_of: Callable[[Fact], Derivation | None],
    further_premises: Callable[[Derivation], Iterable[Fact]] = lambda _: (),
) -> Iterator[tuple[Fact, Derivation | None]]:
    """Yield the facts that a goal depends on, each once with its derivation and after its own premises.

    A given fact has the derivation None. `derivation_of` selects the derivation of a fact, and
    `further_premises` returns the facts on which it depends besides its premises. Raises ValueError if the
    derivations are cyclic.
    """
    opened: dict[Fact, tuple[Derivation | None, list[Fact]]] = {}
    """The derivation of each fact, and the premises that were missing at the first visit."""
    done: set[Fact] = set()
    stack = [goal]
    while stack:
        fact = stack[-1]
        if fact in done:
            stack.pop()
            continue
        if fact in opened:
            derivation, missing = opened[fact]
            if not done.issuperset(missing):
                raise ValueError("the derivations go round in a circle")
        else:
            derivation = derivation_of(fact)
            missing = [] if derivation is None else _missing(derivation, further_premises, done)
            opened[fact] = derivation, missing
            if missing:
                stack.extend(reversed(missing))
                continue
        stack.pop()
        done.add(fact)
        yield fact, derivation


def _missing(
    derivation: Derivation,
    further_premises: Callable[[Derivation], Iterable[Fact]],
    done: AbstractSet[Fact],
) -> list[Fact]:
    """Return the facts that a derivation depends on and that are not done."""
    below: list[Fact] = []
    for premise in derivation.premises:
        if isinstance(premise, Fact):  # by far the most frequent premise
            below.append(premise)
        else:
            below += premise_facts(premise)
    below += further_premises(derivation)
    return [premise for premise in below if premise not in done]


def premise_facts(premise: Premise) -> Iterator[Fact]:
    """Yield the facts that a premise consists of."""
    match premise:
        case None:
            return
        case Fact():
            yield premise
        case SetPremise():
            yield premise.count
            for member, inner in premise.members:
                yield member
                for part in inner:
                    yield from premise_facts(part)
        case _:
            for part in premise:
                yield from premise_facts(part)
