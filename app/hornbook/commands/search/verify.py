"""The command `hornbook search verify`: a check of a plan's proof against the rules of the game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument
from hornbook.commands.search.plan import AddedRules, known_for
from hornbook.commands.search.proof_check import check_written, rules_not_known
from hornbook.commands.search.proof_file import read_proof
from hornbook.kb.sources.files import shown
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.planner.strategies.json_lines import LINE_OF_NODE_0
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_json, print_line


def verify(
    theory: options.Theory,
    file: Annotated[Path, argument("PROOF", "The file, as `hornbook search plan --into` wrote it.")],
    rules: AddedRules = None,
    json_output: options.Json = False,
) -> None:
    """Check the proof of a plan.

    The check follows the proof from its first position. Every reply must be answered until the theory's
    rules, or those of --rules, decide. The exit code is 1 if the proof is refused.
    """
    written = read_proof(file)
    known = known_for(theory, None, rules)
    with progress("positions", len(written.nodes)) as update:
        mistakes = check_written(written, known, lambda report: update(completed=report))
    strange = rules_not_known(written, known)
    placed = [(1 if each.node is None else each.node + LINE_OF_NODE_0, each) for each in mistakes]
    if json_output:
        found = [{"line": line, "node": each.node, "message": each.message} for line, each in placed]
        report = {
            "theory": written.theory,
            "player": written.player,
            "says": written.says,
            "state": written.nodes[0].state,
            "nodes": len(written.nodes),
            "mistakes": found,
            "rules": written.rules,
            "other_rules": strange,
        }
        print_json(report)
    else:
        for line, each in placed:
            node = "" if each.node is None else f"node {each.node}: "
            print_line(f"{shown(file)}:{line}: {node}{each.message}")
        size = counted(f"{len(written.nodes):,}", "node")
        if mistakes:
            print_line(f"refused: {counted(len(mistakes), 'mistake')}")
        else:
            print_line(
                f"{shown(file)}: right by the rules of {known.rules_from}: {written.player} {written.says}"
                f" from `{written.nodes[0].state}`; {size}"
            )
        if written.rules not in (None, known.rules_named):
            print_line(
                f"  it was proved by the rules of {on_one_line(written.rules[:80])}, and is checked by"
                f" those of {known.rules_named}"
            )
        if strange:
            names = ", ".join(on_one_line(name[:80]) for name in strange)
            print_line(f"  the file names rules that are not among these: {names}")
    if mistakes:
        raise ReportedError(1)
