"""The command `hornbook theory graph`: the dependency graph of predicates and rules."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import flag, option
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.explain.graph import as_json, dependency_graph, restricted
from hornbook.kb.text.writing import write_text
from hornbook.render.drawing import dot, mermaid, svg
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line


class GraphFormat(StrEnum):
    """The output format of a graph."""

    DOT = "dot"
    SVG = "svg"
    MERMAID = "mermaid"
    JSON = "json"


_SUFFIXES = {
    ".svg": GraphFormat.SVG,
    ".json": GraphFormat.JSON,
    ".mmd": GraphFormat.MERMAID,
    ".mermaid": GraphFormat.MERMAID,
}


def graph(
    theory: options.Theory,
    of: Annotated[
        str | None, option("--of", "PREDICATE", "Only the predicates that this one depends on.")
    ] = None,
    shape: Annotated[
        GraphFormat | None,
        flag("--format", "The format of the graph; by default that of the file's suffix, or dot."),
    ] = None,
    into: Annotated[Path | None, option("--into", "FILE", "Write to a file.")] = None,
    json_output: options.Json = False,
) -> None:
    """Draw how predicates and rules depend on each other.

    An arrow leads from a predicate to the rules that use it, and from a rule to the predicate that it
    concludes. A dashed arrow denotes an absence or an aggregate. Red rules can never fire, since nothing
    concludes their conditions. JSON also lists strata and recursion.
    """
    drawn = dependency_graph(open_theory(theory))
    if of is not None:
        try:
            drawn = restricted(drawn, of)
        except ValueError as problem:
            raise ArgumentError(str(problem), "--of") from None
    if json_output:
        shape = GraphFormat.JSON
    if shape is None:
        shape = GraphFormat.DOT if into is None else _SUFFIXES.get(into.suffix.lower(), GraphFormat.DOT)
    match shape:
        case GraphFormat.JSON:
            text = json.dumps(as_json(drawn), ensure_ascii=False, indent=1) + "\n"
        case GraphFormat.SVG:
            text = svg(drawn)
        case GraphFormat.MERMAID:
            text = mermaid(drawn)
        case GraphFormat.DOT:
            text = dot(drawn)
    if into is None:
        print_line(text, end="")
    else:
        write_text(into, text)
