"""Proofs: the derivation of a fact, as a graph of steps, and as text, pages and pictures.

Each step of a proof comes after the steps that it depends on, and the last step is the goal. A shared step
occurs once. Every step is a given fact, or contains the rule that derived it and the instantiated conditions
of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Aggregate, Rule, Statement
from hornbook.kb.explain.counted import NOTHING, AggregateFacts, facts_under_aggregates
from hornbook.kb.explain.descriptions import Words
from hornbook.kb.explain.fact_places import FactSource, located
from hornbook.kb.explain.grounds import CompletenessReasons
from hornbook.kb.explain.premises import premise_facts, premises_first
from hornbook.kb.explain.proof_outline import brief_depth, outline, page_outline
from hornbook.kb.explain.proof_steps import ProofReason, Step
from hornbook.kb.explain.subject_derivations import SubjectDerivations
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import CodedRuleId, Coding
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import visible
from hornbook.matcher.program.coded import Derivation, Fact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.engine import Engine

if TYPE_CHECKING:  # slow to import
    import networkx as nx

DEEPEST = 20
"""The maximum number of nested indents in a text. Pages have a limit of their own."""


@renamed_members
@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """A proof as a sequence of steps, premises first. The last step is the goal."""

    steps: tuple[Step, ...]

    @property
    def goal(self) -> Statement:
        return self.steps[-1].conclusion

    @property
    def given_facts(self) -> tuple[Statement, ...]:
        """The given facts at the leaves, in the order of the steps."""
        return tuple(step.conclusion for step in self.steps if step.rule is None)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the proof, without repetition."""
        return tuple(dict.fromkeys(step.rule for step in self.steps if step.rule is not None))

    @property
    def display_depth(self) -> int | None:
        """The default depth of a display: None (unlimited) for small proofs, a limited depth for
        large ones.
        """
        return brief_depth(self.steps)

    def with_sources(self, sources: Iterable[FactSource]) -> Proof:
        """Return the same proof with places such as `member.csv:17` instead of `given`, from the first source
        with the fact.

        A source is the facts of a table (`TableFacts.facts`), the statements of a text
        (`Clauses.statements`), or `FactsFromPlace`. Rows of files are numbered as in a spreadsheet,
        including the header. Other rows start at 1.
        """
        return Proof(located(self.steps, sources))

    def with_descriptions(self, words: Words) -> Proof:
        """Return the same proof with the descriptions of facts from the theory (`says "…"`)."""
        return Proof(tuple(replace(step, words=words.of(step.conclusion)) for step in self.steps))

    def lines(self, depth: int | None = None) -> Iterator[str]:
        """Yield the lines of `to_text` one by one, without line ends."""
        for line in outline(self.steps, depth=depth, deepest=DEEPEST):
            yield "  " * line.depth + line.text()

    def to_text(self, depth: int | None = None) -> str:
        """Return an indented text. Each step is below the first step that needs it; later uses refer to
        `[above, #1]`.

        Steps nested too deeply for the indent get a section further down, and `[below, #2]` refers to it.
        With a `depth`, steps further from the goal are left out. Then facts without displayed reasons end in
        `…`, and the last line counts them.
        """
        return "\n".join(self.lines(depth))

    def to_networkx(self, depth: int | None = None) -> nx.DiGraph[int]:
        """Return a DAG from each step to its premises. Nodes have `label`, `kind` and `rule`; edges have
        `style`.

        A condition that is not a fact (an absence, a comparison, a count, an `all`) is a node of its own,
        after the nodes of steps.
        """
        from hornbook.kb.explain.proof_graph import proof_graph  # noqa: PLC0415 - slow to import

        return proof_graph(self.steps, depth)

    def to_dot(self, depth: int | None = None) -> str:
        """Return the graph in Graphviz's DOT language."""
        from hornbook.render.drawing import dot  # noqa: PLC0415 - slow to import

        return dot(self.to_networkx(depth))

    def to_mermaid(self, depth: int | None = None) -> str:
        """Return the graph as a Mermaid flowchart."""
        from hornbook.render.drawing import mermaid  # noqa: PLC0415 - slow to import

        return mermaid(self.to_networkx(depth))

    def to_svg(self, depth: int | None = None) -> str:
        """Return the graph as a self-contained SVG picture."""
        from hornbook.render.drawing import svg  # noqa: PLC0415 - slow to import

        return svg(self.to_networkx(depth))

    def to_html(self, depth: int | None = None) -> str:
        """Return a self-contained page. The reader can open the proof step by step."""
        return "".join(self.html_lines(depth))

    def html_lines(self, depth: int | None = None) -> Iterator[str]:
        """Yield the lines of `to_html` one by one, with line ends."""
        from hornbook.render.outline_page import outline_page  # noqa: PLC0415 - slow to import

        return (f"{line}\n" for line in outline_page(page_outline(self.steps, depth)))

    def _repr_html_(self) -> str:
        from hornbook.render.outline_page import outline_fragment  # noqa: PLC0415 - slow to import

        return "".join(f"{line}\n" for line in outline_fragment(page_outline(self.steps, self.display_depth)))

    def _repr_svg_(self) -> str:
        return self.to_svg(self.display_depth)

    def to_dict(self) -> dict[str, Any]:
        """Return `{goal, steps}`. The last step is the goal, and each step occurs once.

        A step is `{conclusion, rule, learned, file, line, place, reasons}`, and a reason is `{condition,
        steps}`. The reason of an absence or an aggregate also has `grounds` and `more`. The `steps` of a
        reason are indices into the list, from 0, and always precede the step itself.
        """
        return {"goal": print_condition(self.goal), "steps": [step.as_json() for step in self.steps]}

    def __repr__(self) -> str:
        return f"<proof of {visible(print_condition(self.goal))} in {counted(len(self.steps), 'step')}>"

    def __str__(self) -> str:
        return visible(self.to_text(self.display_depth))


def prove(goal: Fact, coding: Coding, engine: Engine, rules: Sequence[Rule]) -> Proof:
    """Return the proof of a fact by derivations that are chosen for its subjects. Raises KeyError if the fact
    does not hold.

    `rules` are the rules of the coded program, in the order of their coded identifiers.
    """
    derivation_of = SubjectDerivations(goal, coding, engine)
    under_aggregates: dict[Derivation, dict[int, AggregateFacts]] = {}

    def further_premises(derivation: Derivation) -> Iterator[Fact]:
        return (fact for each in under_aggregates.get(derivation, {}).values() for fact in each.facts)

    # The facts under an aggregate have derivations of their own, which may contain further aggregates.
    while True:
        found = list(premises_first(goal, derivation_of, further_premises))
        new = [
            derivation
            for _, derivation in found
            if derivation is not None
            and derivation not in under_aggregates
            and _has_aggregates(_rule(derivation, rules))
        ]
        if not new:
            break
        under_aggregates |= {
            each: facts_under_aggregates(each, _rule(each, rules), coding, engine) for each in new
        }
    used = dict.fromkeys(_rule(derivation, rules) for _, derivation in found if derivation is not None)
    grounds = CompletenessReasons([*(rule for rule in rules if not rule.learned), *used], coding.vocabulary)
    numbers: dict[Fact, int] = {}
    steps: list[Step] = []
    for fact, derivation in found:
        numbers[fact] = len(steps)
        conclusion = coding.statement(fact)
        reasons: tuple[ProofReason, ...] = ()
        if derivation is not None:
            reasons = tuple(
                _reasons(derivation, rules, coding, numbers, under_aggregates.get(derivation, {}), grounds)
            )
        rule = None if derivation is None else _rule(derivation, rules)
        steps.append(Step(conclusion, rule, reasons))
    return Proof(tuple(steps))


def _rule(derivation: Derivation, rules: Sequence[Rule]) -> Rule:
    """Return the rule of a derivation, from the rules in the order of their coded identifiers."""
    assert isinstance(derivation.rule, CodedRuleId)
    return rules[derivation.rule.index]


def _has_aggregates(rule: Rule) -> bool:
    return any(isinstance(condition, Aggregate) for condition in rule.body)


def _reasons(
    derivation: Derivation,
    rules: Sequence[Rule],
    coding: Coding,
    numbers: dict[Fact, int],
    aggregates: Mapping[int, AggregateFacts],
    grounds: CompletenessReasons,
) -> Iterator[ProofReason]:
    """Yield the instantiated conditions of the rule, each with the numbers of the steps that it depends on.

    `numbers` has the number of each fact's step, and `aggregates` the facts under the aggregates of the rule,
    by their indices in its body.
    """
    assert isinstance(derivation.rule, CodedRuleId)
    substitution = coding.substitution(derivation.rule, derivation.binding)
    for place, condition in enumerate(_rule(derivation, rules).body):
        premise = derivation.premises[place]
        instance = apply_to_condition(condition, substitution)
        if isinstance(premise, Fact):
            instance = coding.statement(premise)
        aggregate = aggregates.get(place, NOTHING)
        below = dict.fromkeys(numbers[f] for f in (*premise_facts(premise), *aggregate.facts))
        yield ProofReason(
            instance, tuple(below), grounds.of(instance, derivation.rule.moment), aggregate.more
        )
