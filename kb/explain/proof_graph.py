"""A proof as a graph to draw: the same content as the text, with a box for each step and each condition."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from hornbook.kb.ast.terms import Comparison
from hornbook.kb.explain.proof_outline import displayed_premises, omission_note, open_steps
from hornbook.kb.explain.proof_steps import HOLDS, Step


def proof_graph(steps: Sequence[Step], depth: int | None) -> nx.DiGraph[int]:
    """Return a DAG from each step to its premises, all of it or `depth` steps deep.

    The nodes of the steps are their numbers. A condition that is not a fact (an absence, a comparison, a
    count, an `all`) has a later number and lies between its step and the premises. Nodes have `label`, `kind`
    (`goal`, `derived`, `given`, `condition`, `remark`) and `rule`. Edges have `style`, which is `dashed` for
    conditions on absent facts or whole sets.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    opened = open_steps(steps, depth)
    last = len(steps) - 1
    shown = {last}
    next_node = len(steps)
    for number in range(last, -1, -1):
        if number not in shown:
            continue
        step = steps[number]
        kind = "given" if step.rule is None else "goal" if number == last else "derived"
        cut = " …" if step.rule is not None and not opened[number] else ""
        _add(
            graph,
            number,
            f"{step.says}{cut}\n{step.origin}",
            kind,
            None if step.rule is None else step.rule.name,
        )
        for reason in step.reasons if opened[number] else ():
            premises, more = displayed_premises(reason, is_whole=depth is None)
            shown.update(premises)
            asking = number
            if reason.says is not None:
                asking, next_node = next_node, next_node + 1
                _add(graph, asking, f"{reason.says}\n{HOLDS}", "condition", None)
                style = "solid" if isinstance(reason.condition, Comparison) else "dashed"
                graph.add_edge(number, asking, style=style)
            graph.add_edges_from(((asking, premise) for premise in premises), style="solid")
            remarks = [more] if more else []
            remarks += ["\n".join(filter(None, (ground.says, ground.origin))) for ground in reason.grounds]
            for remark in remarks:
                _add(graph, next_node, remark, "remark", None)
                graph.add_edge(asking, next_node, style="solid")
                next_node += 1
    missing = omission_note(steps, opened)
    if missing:
        _add(graph, next_node, missing, "remark", None)
    return graph


def _add(graph: nx.DiGraph[int], node: int, label: str, kind: str, rule: str | None) -> None:
    graph.add_node(node, label=label, kind=kind, rule=rule)
