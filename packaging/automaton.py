"""Writes the LALR automaton of the language's grammar: `python packaging/automaton.py`.

The parser generator lark computes the automaton from `kb/parse/grammar.lark`. The parser reads the written
file (`kb/parse/automaton.json`), so neither lark nor the time for this computation is needed at run time. A
test compares the file with the grammar.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lark import Lark
from lark.parsers.lalr_analysis import Shift

PARSER = Path(__file__).resolve().parents[1] / "kb" / "parse"
PAGE = PARSER / "automaton.json"
END = "$END"


def tables() -> dict[str, Any]:
    """Return the automaton, with the same numbers each time: states are numbered in the order of a search."""
    grammar = (PARSER / "grammar.lark").read_text(encoding="utf-8")
    made: Any = Lark(grammar, parser="lalr", lexer="basic", start=["clause", "query"]).parser
    table = made.parser.parser.parse_table
    rows = {
        state: {str(symbol): action for symbol, action in sorted(row.items(), key=lambda each: str(each[0]))}
        for state, row in table.states.items()
    }
    starts = {name: table.start_states[name] for name in ("clause", "query")}
    ends = set(table.end_states.values())
    order = list(starts.values())
    for state in order:
        for action, argument in rows[state].values():
            if action is Shift and argument not in order:
                order.append(argument)
    numbers = {state: number for number, state in enumerate(order)}
    reductions = sorted({_reduction(each) for row in rows.values() for each in _rules(row)})
    symbols = sorted({symbol for row in rows.values() for symbol in row} | {END})

    def steps(state: Any) -> list[int]:
        found: list[int] = []
        for symbol, (action, argument) in rows[state].items():
            if symbol == END and state in ends:
                continue
            step = numbers[argument] if action is Shift else ~reductions.index(_reduction(argument))
            found += [symbols.index(symbol), step]
        return [*found, *([symbols.index(END), numbers[state]] if state in ends else [])]

    return {
        "starts": {name: numbers[state] for name, state in starts.items()},
        "symbols": symbols,
        "reductions": [json.loads(each) for each in reductions],
        "states": [steps(state) for state in order],
    }


def _rules(row: dict[str, Any]) -> list[Any]:
    return [argument for action, argument in row.values() if action is not Shift]


def _reduction(rule: Any) -> str:
    """Return a reduction as JSON: its size, its symbol, the builder's method, and the values that it gets.

    The method is null if the only value passes unchanged, and empty for the list of a repetition. The values
    are null if all pass. Otherwise each is the number of a child, null for an absent option, or a list with
    the number of a child that is a list itself, whose values pass.
    """
    options, size = rule.options, len(rule.expansion)
    absent = (
        "".join("01"[each] for each in options.empty_indices).split("0") if options.empty_indices else None
    )
    values: list[Any] = []
    for index, symbol in enumerate(rule.expansion):
        values += [None] * (len(absent[index]) if absent else 0)
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            values.append([index] if not symbol.is_term and symbol.name.startswith("_") else index)
    values += [None] * (len(absent[size]) if absent else 0)
    name = str(rule.origin.name)
    method: str | None = rule.alias or ("" if name.startswith("_") else name)
    if options.expand1 and not rule.alias and len(values) == 1:
        method = None
    passed = None if values == list(range(size)) else values
    return json.dumps([size, name, method, passed])


def text() -> str:
    """Return the text of the file."""
    return json.dumps(tables(), separators=(",", ":")) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
