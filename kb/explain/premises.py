"""The facts that derivations depend on, in an order in which each comes after its own premises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
    opened: dict[Fact, Derivation | None] = {}
    done: set[Fact] = set()
    stack = [goal]
    while stack:
        fact = stack[-1]
        if fact in done:
            stack.pop()
            continue
        is_second_visit = fact in opened
        derivation = opened[fact] if is_second_visit else opened.setdefault(fact, derivation_of(fact))
        below = [] if derivation is None else [f for p in derivation.premises for f in premise_facts(p)]
        if derivation is not None:
            below += further_premises(derivation)
        missing = [premise for premise in below if premise not in done]
        if missing and is_second_visit:
            raise ValueError("the derivations go round in a circle")
        if missing:
            stack.extend(reversed(missing))
            continue
        stack.pop()
        done.add(fact)
        yield fact, derivation


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
