"""The command `hornbook theory network`: the discrimination network that matches rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from hornbook.commands import options
from hornbook.commands.options import option
from hornbook.inputs.opening import limit_of_facts, read_state
from hornbook.inputs.opening_rules import open_rules
from hornbook.kb.lower.matching import PreparedRules
from hornbook.kb.lower.network_words import (
    amount,
    body_texts,
    estimates,
    graph_of,
    node_texts,
    relation_name,
    rule_name,
)
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_text
from hornbook.matcher.compiled.network import Network, NetworkNode, Trie
from hornbook.render.drawing import svg
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json
from hornbook.terminal.plain_text import plain
from hornbook.terminal.screen import show_report


def network(
    rules: options.RulesOrTheory,
    theory: options.TheoryOfRules = None,
    state: options.States = None,
    of: Annotated[
        str | None,
        option(
            "--of", "PREDICATE", "Show the conditions that are matched when a fact of this predicate changes."
        ),
    ] = None,
    depth: Annotated[int | None, option("--depth", "N", "Leave out deeper conditions.", min=1)] = None,
    picture: Annotated[Path | None, option("--svg", "FILE", "Draw the network into a file.")] = None,
    most_facts: options.MaxFacts = None,
    json_output: options.Json = False,
) -> None:
    """Show the network that matches rules.

    Rules that begin with the same conditions share them. Each condition shows the number of rules that share
    it, the expected number of rows per evaluation, and its cost: the expected rows and tests in one pass. The
    order of conditions and the estimates come from the statistics stored beside the rules, or else from the
    given states.
    """
    opened = open_rules(rules, theory)
    facts = (fact for path in state or () for fact in read_state(opened.theory, path))
    ready = opened.ready(facts, limit_of_facts(most_facts))
    network = ready.engine.network(ready.changing())
    shown = (network.whole,) if of is None else _changes(network, of, ready)
    if picture is not None:
        write_text(picture, _picture(shown, ready, depth))
    if json_output:
        print_json(_as_json(network, ready))
        return
    for trie in shown:
        show_report(plain(_tree(trie, ready, depth)))
    if of is None:
        for body in network.bodies:
            tree = Tree(Text(rule_name(body.rule, ready.rules, ready.coding)))
            for text in body_texts(body, ready.rules, ready.coding):
                tree.add(Text(text))
            show_report(plain(tree))
        show_report(plain(_totals(network, ready)))


def _changes(network: Network, of: str, ready: PreparedRules) -> tuple[Trie, ...]:
    """Return the tries for changes of a relation, which is named with or without its tense."""
    read = [trie for trie in network.changes if trie.rules]
    names = [relation_name(trie.name.predicate or 0, ready.coding) for trie in read]
    short = [name.removeprefix("before ").removeprefix("after ") for name in names]
    found = tuple(trie for trie, *called in zip(read, names, short, strict=True) if of in called)
    if not found:
        hint = did_you_mean(of, short)
        message = f"no rule reads a predicate that changes and is called `{of}`" + (
            f"; {hint}" if hint else ""
        )
        raise ArgumentError(message, "--of")
    return found


def _tree(trie: Trie, ready: PreparedRules, depth: int | None) -> Tree:
    """Return a tree in which a chain of nodes without branching is one entry."""
    texts = node_texts(trie, ready.coding)
    change = f"a change to {texts[0]}" if trie.name.kind == "change" else "full matching"
    children = Counter(node.parent for node in trie.nodes)
    lines = [_line(f"{change}: {_sharing(trie)}", trie.nodes[0], ready)]
    branches = [Tree(lines[0])]
    depths = [0]
    for node in trie.nodes[1:]:
        assert node.parent is not None
        depths.append(depths[node.parent] + 1)
        branch, line = branches[node.parent], lines[node.parent]
        if depth is None or depths[-1] <= depth:
            own = _line(f"{texts[node.number]}  [{estimates(node)}]", node, ready)
            if node.parent != 0 and children[node.parent] == 1 and not trie.nodes[node.parent].ends:
                line.append("\n").append_text(own)
            else:
                line = own
                branch = branch.add(line)
        branches.append(branch)
        lines.append(line)
    return branches[0]


def _sharing(trie: Trie) -> str:
    nodes = len(trie.nodes) - 1
    return (
        f"{counted(trie.rules, 'rule')}, {counted(trie.steps, 'condition')} in {counted(nodes, 'node')},"
        f" each shared {counted(amount(trie.sharing), 'time')}"
    )


def _line(text: str, node: NetworkNode, ready: PreparedRules) -> Text:
    line = Text(text)
    for end in node.ends:
        line.append(f"  → {rule_name(end, ready.rules, ready.coding)}", style="bold")
    return line


def _totals(network: Network, ready: PreparedRules) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("matching begins with")
    for name in ("rules", "conditions", "nodes", "shared (times)", "cost (rows and tests)", "bytes"):
        table.add_column(name, justify="right")
    for trie in _used(network):
        predicate = trie.name.predicate
        table.add_row(
            "everything" if predicate is None else f"a change to {relation_name(predicate, ready.coding)}",
            f"{trie.rules:,}",
            f"{trie.steps:,}",
            f"{len(trie.nodes) - 1:,}",
            amount(trie.sharing),
            amount(trie.cost),
            f"{trie.bytes:,}",
        )
    if network.bodies:
        table.add_row("one rule by itself", f"{len(network.bodies):,}", *[""] * 5)
    return table


def _used(network: Network) -> Iterator[Trie]:
    return (trie for trie in network.tries if trie.rules or trie.name.predicate is None)


def _picture(shown: tuple[Trie, ...], ready: PreparedRules, depth: int | None) -> str:
    graph = graph_of(shown[0], ready.rules, ready.coding, depth=depth)
    for number, trie in enumerate(shown[1:], 1):
        more = graph_of(trie, ready.rules, ready.coding, depth=depth)
        graph.add_nodes_from((f"{number} {node}", more.nodes[node]) for node in more)
        graph.add_edges_from((f"{number} {one}", f"{number} {other}") for one, other in more.edges)
    return svg(graph)


def _as_json(network: Network, ready: PreparedRules) -> dict[str, Any]:
    tries = []
    for trie in _used(network):
        predicate = trie.name.predicate
        texts = node_texts(trie, ready.coding)
        tries.append(
            {
                "change": None if predicate is None else relation_name(predicate, ready.coding),
                "rules": trie.rules,
                "conditions": trie.steps,
                "shared": round(trie.sharing, 3),
                "cost": round(trie.cost, 3),
                "bytes": trie.bytes,
                "nodes": [
                    {
                        "number": node.number,
                        "parent": node.parent,
                        "condition": text,
                        "rules": node.rules,
                        "ends": [rule_name(end, ready.rules, ready.coding) for end in node.ends],
                        "expected": round(node.expected, 3),
                        "cost": round(node.cost, 3),
                        "bytes": node.bytes,
                    }
                    for node, text in zip(trie.nodes, texts, strict=True)
                ],
            }
        )
    bodies = [
        {
            "rule": rule_name(body.rule, ready.rules, ready.coding),
            "conditions": body_texts(body, ready.rules, ready.coding),
        }
        for body in network.bodies
    ]
    return {"rules": len(ready.rules), "tries": tries, "alone": bodies}
