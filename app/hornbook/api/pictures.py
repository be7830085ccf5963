"""Pictures of whatever Hornbook has: rules, proofs, answers, states, theories, and the network that rules are matched by."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hornbook.api.answers import Answer
from hornbook.api.learned_rule import LearnedRule, rule_html
from hornbook.api.learned_rules import LearnedRules
from hornbook.inputs.domains import domain_of_state
from hornbook.inputs.states import State
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.drawing import svg
from hornbook.kb.explain.graph import dependency_graph
from hornbook.kb.explain.proof import Proof
from hornbook.kb.lower.matching import matching
from hornbook.kb.lower.network_words import graph_of
from hornbook.kb.sources.shadowing import must_be_no_theory
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.writing import write_text


@dataclass(frozen=True, slots=True)
class Picture:
    """Something drawn: a piece of HTML, which is an SVG document where `is_svg`. A notebook shows it."""

    html: str = field(repr=False)
    is_svg: bool

    def save(self, path: str | Path) -> None:
        """Write it as a file of its own. Raises OSError if that cannot be, ValueError for SVG of what is HTML, TheoryError if
        the name is one of a theory, code or proofs.
        """
        place = Path(path)
        if not self.is_svg and place.suffix.lower() == ".svg":
            raise ValueError(f"this is no drawing but a page: save it as {place.with_suffix('.html').name}")
        as_page = not self.is_svg or place.suffix.lower() in (".html", ".htm")
        head = '<!DOCTYPE html>\n<meta charset="utf-8">\n' if as_page else ""
        must_be_no_theory(place)
        write_text(place, head + self.html)

    def _repr_html_(self) -> str:
        return self.html


def show(thing: Any) -> Picture:
    """A picture of a rule, a proof, an answer, a state, answers to a query, a theory or learned rules.

    Of a theory or a knowledge base it is which predicates and rules depend on which; of learned rules the network that they
    are matched by. Raises TypeError of anything else, NoPictureError of a state that
    no domain draws.

    >>> show(load("family")).save("family.svg")
    """
    match thing:
        case Rule():
            return Picture(rule_html(thing), is_svg=False)
        case LearnedRule() | Proof() | Answers():
            return Picture(thing._repr_html_(), is_svg=False)
        case Answer() | State():
            return Picture(thing.svg(), is_svg=True)
        case KnowledgeBase():
            return Picture(svg(dependency_graph(thing.theory)), is_svg=True)
        case Theory():
            return Picture(svg(dependency_graph(thing)), is_svg=True)
        case LearnedRules():
            return Picture(_network(thing), is_svg=True)
        case _ if (domain := domain_of_state(thing)) is not None:
            return Picture(domain.picture(thing, type(thing).__name__), is_svg=True)
        case _:
            raise TypeError(
                f"there is no picture of a {type(thing).__name__}: show rules, proofs, answers, states or theories"
            )


def _network(rules: LearnedRules) -> str:
    ready = matching(rules.theory, rules.certified)
    return svg(graph_of(ready.engine.network(ready.changing()).whole, ready.rules, ready.coding))
