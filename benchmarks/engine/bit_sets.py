"""Upper bound on the savings of bit sets in matching rules on boards, for learned rules of Go or chess.

Positions are matched one after another, each queried about one game, while the engine counts where its time
goes. A *test* is a step of a trie that only looks up a fact of a relation whose columns are all words. If all
words had few values, one intersection of sets, of one 64-bit word each (chess) or of six (Go), would answer
many tests at once. The bound assumes that all tests are free, including intersections, and then also all
steps that fill one place, although their results must finally be enumerated. It can thus never be reached.
Counting itself takes time, mostly at steps, which makes the bound even more generous.

Usage:

    python -m benchmarks.engine.bit_sets go RULES.horn [--problems FILE] [--most 150] [--output FILE]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, timed
from hornbook.compiler.match.position import RuleMatcher
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.domains import domain_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.parts import Part
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.compiled.network import NetworkStep
from hornbook.theories.domain import Domain
from hornbook.theories.problems import ProblemQuery

WARMING = 1 / 4


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("theory")
    parser.add_argument("rules", type=Path)
    parser.add_argument("--problems", type=Path)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args())
    theory = load(this.given.theory)
    domain = domain_of(theory)
    assert domain is not None
    problems = list(domain.read_problems(this.given.problems or domain.shipped()))[: this.given.most]
    rules = [each.answering for each in rulebase.read(this.given.rules, theory) if each.is_certified]
    matcher = ProblemSolver(theory, rules).matcher
    queries = [(parts_of(domain, each), each.game) for each in map(domain.query_of, problems)]
    warm = int(WARMING * len(queries))
    ask(matcher, queries[:warm])
    each = [timed(ask, matcher, [one])[0] for one in queries[warm:]]
    ask(matcher, queries[:warm])
    _, profile = matcher.base.engine.profile(lambda: ask(matcher, queries[warm:]))
    number = len(queries) - warm
    steps = steps_of(matcher)
    fills = [filled(matcher, steps.get((node.trie, node.node))) for node in profile.nodes]
    kinds = {
        "tests": [node for node, places in zip(profile.nodes, fills, strict=True) if places == 0],
        "steps that fill one place": [
            n for n, places in zip(profile.nodes, fills, strict=True) if places == 1
        ],
        "steps of proofs, not told apart": [node for node in profile.nodes if node.trie.kind == "proof"],
        "other steps": [],
    }
    known = {id(node) for nodes in kinds.values() for node in nodes}
    kinds["other steps"] = [node for node in profile.nodes if id(node) not in known]
    lines = [
        (
            f"{len(rules)} rules of `{theory.name}`, {number} positions after {warm} that warm up, for "
            "each of them:"
        ),
        f"{'milliseconds in all, median, not counted':<60}{1e3 * median(each):>12.3f}",
        f"{'milliseconds of updates, counted':<60}{1e3 * profile.seconds / number:>12.3f}",
        f"\n{'':<36}{'visits':>12}{'of the time':>12}{'all to here for nothing: updates at most':>44}",
    ]
    saved = 0.0
    for kind, nodes in kinds.items():
        share = sum(node.seconds for node in nodes) / profile.seconds
        saved += share
        visits = sum(node.visits for node in nodes) / number
        lines.append(f"{kind:<36}{visits:>12,.0f}{100 * share:>11.1f}%{1 / (1 - saved):>43.2f}×")
    return this.finish("\n".join(lines) + "\n")


def parts_of(domain: Domain, query: ProblemQuery) -> Iterable[Part]:
    """Return the facts of a position for a query about the game."""
    if domain.passing is None:
        return list(domain.parts(query.state))
    return list(domain.passing.parts(query.state, domain.passing.defender_of(query.state, query.game)))


def ask(matcher: RuleMatcher, queries: Iterable[tuple[Any, Any]]) -> None:
    for parts, game in queries:
        matcher.first(parts, game)


def steps_of(matcher: RuleMatcher) -> dict[tuple[object, int], NetworkStep]:
    engine = cast(CompiledEngine, raw_engine(matcher.base))
    tries = engine.network(range(len(matcher.base.engine.coding.relations))).tries
    return {(trie.name, node.number): node.step for trie in tries for node in trie.nodes if node.step}


def filled(matcher: RuleMatcher, step: NetworkStep | None) -> int | None:
    """Return the number of places that a step fills from facts of words, or None for all other steps."""
    if step is None or step.predicate is None:
        return None
    columns = matcher.base.engine.coding.relations[step.predicate].columns
    return None if "integer" in columns else len(step.fills)


if __name__ == "__main__":
    sys.exit(main())
