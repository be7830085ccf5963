"""The LALR automaton of the grammar: from the tokens of a clause to the value that a builder computes.

The automaton is data, in `automaton.json`; `packaging/automaton.py` writes it from `grammar.lark`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hornbook.kb.text.scanner import KEYWORDS, Token

END = Token("$END", "", 0, 0)
"""The token after the last one."""
_WORDS = frozenset(KEYWORDS.values())


class _Reduction(NamedTuple):
    """A reduction of `size` symbols to one. Its value is computed by `build` if not the same as that of a
    single symbol.
    """

    size: int
    symbol: str
    build: Callable[[list[Any]], Any] | None


class _Steps(dict[int, dict[str, Any]]):
    """The steps of each state by symbol: the number of the next state, or a reduction. They are decoded when
    a state is reached for the first time.
    """

    def __init__(self, states: list[list[int]], symbols: list[str], reductions: list[_Reduction]) -> None:
        super().__init__()
        self.states, self.symbols, self.reductions = states, symbols, reductions

    def __missing__(self, state: int) -> dict[str, Any]:
        row = self.states[state]
        steps = (step if step >= 0 else self.reductions[~step] for step in row[1::2])
        self[state] = found = dict(zip(map(self.symbols.__getitem__, row[::2]), steps, strict=True))
        return found


@cache
def _tables() -> dict[str, Any]:
    place = Path(__file__).with_name("automaton.json")
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return found


class Automaton:
    """The automaton whose reductions call the methods of a builder."""

    def __init__(self, builder: object) -> None:
        tables = _tables()
        reductions = [
            _Reduction(size, symbol, _built(builder, size, method, values))
            for size, symbol, method, values in tables["reductions"]
        ]
        self._starts: Mapping[str, int] = tables["starts"]
        self._steps = _Steps(tables["states"], tables["symbols"], reductions)

    def run(self, tokens: Sequence[Token], start: str, taken: list[Token]) -> Any:
        """Return the value that the builder computes, or None if a token does not fit.

        `taken` receives each token with the type under which it was taken. The last one is the token that
        does not fit, if any. A keyword that is not expected becomes a NAME.
        """
        all_steps = self._steps
        states: list[int] = [self._starts[start]]
        values: list[Any] = []
        for token in (*tokens, END):
            kind, row = token.type, all_steps[states[-1]]
            if kind in _WORDS and kind not in row:
                kind = "NAME"
                token = token._replace(type=kind)  # noqa: PLW2901  # the same token with the type used here
            taken.append(token)
            while type(step := row.get(kind)) is _Reduction:
                size, symbol, build = step
                if size > 1:
                    assert build is not None
                    first = len(values) - size
                    value = build(values[first:])
                    del values[first:], states[first + 2 :]
                    values.append(value)
                elif build is not None:
                    values[-1] = build(values[-1:])
                states[-1] = state = all_steps[states[-2]][symbol]
                row = all_steps[state]
            if step is None:
                return None
            states.append(step)
            values.append(token)
        taken.pop()
        return values[0]

    def expected(self, kinds: Sequence[str], start: str) -> frozenset[str]:
        """Return the types of tokens that can follow tokens of these types. `$END` is the end of the text."""
        states = [self._starts[start]]
        for kind in kinds:
            self._take(states, kind)
        kinds_there = filter(str.isupper, self._steps[states[-1]])
        return frozenset(kind for kind in kinds_there if self._take(states.copy(), kind))

    def _take(self, states: list[int], kind: str) -> bool:
        """Return whether a token fits, and change the states to those after it."""
        while type(step := self._steps[states[-1]].get(kind)) is _Reduction:
            del states[-step.size :]
            states.append(self._steps[states[-1]][step.symbol])
        if step is None:
            return False
        states.append(step)
        return True


def _built(
    builder: object, size: int, method: str | None, values: list[Any] | None
) -> Callable[[list[Any]], Any] | None:
    """Return the function from the values of a reduction's symbols to its own value.

    `packaging/automaton.py` describes the method and the values.
    """
    if method is None:
        if size == 1:
            return None
        [place] = values or [0]
        return lambda children: children[place]
    made = getattr(builder, method) if method else list
    if values is None:
        return made
    if all(type(each) is int for each in values):
        return lambda children: made([children[each] for each in values])

    def build(children: list[Any]) -> Any:
        passed: list[Any] = []
        for each in values:
            if type(each) is list:
                passed += children[each[0]]
            else:
                passed.append(None if each is None else children[each])
        return made(passed)

    return build
