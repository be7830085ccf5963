"""The command `hornbook why`: the proof of a fact, line by line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import argument, flag, option
from hornbook.inputs.parameters import read_parameters
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.explain.proof import Proof
from hornbook.terminal.messages import warn
from hornbook.terminal.screen import show_report


class ProofFormat(StrEnum):
    """The output format of a proof."""

    TEXT = "text"
    DOT = "dot"
    MERMAID = "mermaid"
    SVG = "svg"


DepthOption = Annotated[
    int | None,
    option(
        "--depth",
        "N",
        "Show N levels of the proof, from the goal. By default, a large proof is shown only near the goal.",
        min=1,
    ),
]
FullOption = Annotated[bool, flag("--full", "Show all of the proof, however large.")]


def lines(proof: Proof, shape: ProofFormat, depth: int | None, *, full: bool) -> Iterator[str]:
    """Yield the lines of a proof in a format, up to a depth.

    If a depth was chosen by default, a remark on the error stream names the options that show more.
    """
    shown = None if full else proof.display_depth if depth is None else depth
    match shape:
        case ProofFormat.TEXT:
            yield from proof.lines(shown)
        case ProofFormat.DOT:
            yield proof.to_dot(shown)
        case ProofFormat.MERMAID:
            yield proof.to_mermaid(shown)
        case ProofFormat.SVG:
            yield proof.to_svg(shown)
    if shown is not None and depth is None:
        warn(f"shown {shown} deep; `--depth N` shows more of the proof, `--full` all of it")


def why(
    theory: options.Theory,
    fact: Annotated[str, argument("FACT", "A fact or pattern such as 'legal(black, ?p)'.")],
    settings: options.Parameters = None,
    *,
    given: FactOptions,
    shape: Annotated[ProofFormat, flag("--format", "The format of the proof.")] = ProofFormat.TEXT,
    page: Annotated[
        Path | None, option("--html", "FILE", "Write the proof as a page that opens step by step.")
    ] = None,
    depth: DepthOption = None,
    full: FullOption = False,
    words: Annotated[bool, flag("--words", "Print facts in the wording that the theory declares.")] = False,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Prove a fact: the rules and given facts that it follows from.

    For a pattern with variables, the first answer is proved. The exit code is 1 if no such fact holds.
    """
    from hornbook.kb.explain.descriptions import Words  # noqa: PLC0415 - slow to import
    from hornbook.kb.text.writing import write_text  # noqa: PLC0415 - the same

    sources: list[FactSource] = []
    base = given.open(theory, bounds.limits(), engine="demand", seen=sources.append)
    parameters = read_parameters(settings, fact, base.theory.vocabulary)
    proof = base.why(fact, parameters=parameters).with_sources(sources)
    if words:
        proof = proof.with_descriptions(Words(base.theory.vocabulary.predicates))
    if page is not None:
        write_text(page, proof.html_lines(None if full else depth))
    if json_output:
        sys.stdout.writelines(_json(proof))
    else:
        for line in lines(proof, shape, depth, full=full):
            show_report(line)


def _json(proof: Proof) -> Iterator[str]:
    """Yield the parts of the JSON of `as_json`, each step when it is encoded."""
    from hornbook.kb.format.printer import print_condition  # noqa: PLC0415 - slow to import

    yield f'{{"goal": {json.dumps(print_condition(proof.goal), ensure_ascii=False)}, "steps": ['
    for number, step in enumerate(proof.steps):
        yield f"{', ' if number else ''}{json.dumps(step.as_json(), ensure_ascii=False)}"
    yield "]}\n"
