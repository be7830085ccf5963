"""`hornbook why`: the proof of a fact."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hornbook.opening import (
    HornOption,
    JsonOption,
    SecondsOption,
    SkipBadOption,
    StateOption,
    TableOption,
)
from hornbook.stores.opening_store import StoreOption, TheoryOfStore, open_asked
from kb.writing import write_text


class Shape(StrEnum):
    """How a proof is written."""

    TEXT = "text"
    DOT = "dot"
    MERMAID = "mermaid"
    SVG = "svg"


def why(
    theory: TheoryOfStore = None,
    fact: Annotated[
        str | None, typer.Argument(metavar="FACT", help="A fact or pattern such as 'legal(black, ?p)'.")
    ] = None,
    kb: StoreOption = None,
    state: StateOption = None,
    facts: TableOption = None,
    add: HornOption = None,
    skip_bad: SkipBadOption = False,
    shape: Annotated[Shape, typer.Option("--format", help="How the proof is written.")] = Shape.TEXT,
    page: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write the proof as a page, to be opened step by step."),
    ] = None,
    seconds: SecondsOption = None,
    json_output: JsonOption = False,
) -> None:
    """Prove a fact: the rules and given facts that it follows from.

    Of a pattern with variables the first answer is proved. Exit code 1 where nothing of the kind holds.
    """
    base, fact = open_asked(theory, fact, "FACT", kb, state, facts, add, skip_bad=skip_bad, seconds=seconds)
    proof = base.why(fact)
    if page is not None:
        write_text(page, proof.html())
    if json_output:
        typer.echo(json.dumps(proof.as_json(), ensure_ascii=False))
        return
    shapes = {
        Shape.TEXT: proof.text,
        Shape.DOT: proof.dot,
        Shape.MERMAID: proof.mermaid,
        Shape.SVG: proof.svg,
    }
    typer.echo(shapes[shape]())
