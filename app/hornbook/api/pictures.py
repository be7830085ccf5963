"""Pictures of rules, proofs, answers, states, theories and the network that matches rules."""

from __future__ import annotations

from dataclasses import field
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
from hornbook.kb.explain.graph import dependency_graph
from hornbook.kb.explain.proof import Proof
from hornbook.kb.lower.matching import prepared_rules
from hornbook.kb.lower.network_words import graph_of
from hornbook.kb.sources.shadowing import must_be_no_theory
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.render.drawing import svg


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing as a piece of HTML, which is an SVG document if `is_svg`. A notebook displays it."""

    html: str = field(repr=False)
    is_svg: bool

    def save(self, path: str | Path) -> None:
        """Write the picture as a separate file.

        Raises:
            OSError: If the file cannot be written.
            ValueError: If the name ends in `.svg` and the picture is no SVG document.
            TheoryError: If the name is that of a theory, code or proofs.
        """
        place = Path(path)
        if not self.is_svg and place.suffix.lower() == ".svg":
            raise ValueError(
                f"this is a page and not a drawing: save it as {place.with_suffix('.html').name}"
            )
        as_page = not self.is_svg or place.suffix.lower() in (".html", ".htm")
        head = '<!DOCTYPE html>\n<meta charset="utf-8">\n' if as_page else ""
        must_be_no_theory(place)
        write_text(place, head + self.html)

    def _repr_html_(self) -> str:
        return self.html


def show(thing: Any) -> Picture:
    """Return a picture of a rule, a proof, an answer, a state, answers to a query, a theory or learned rules.

    A theory or a knowledge base is drawn as the dependency graph of its predicates and rules. Learned rules
    are drawn as the network that matches them.

    Raises:
        TypeError: If `thing` is of another type.
        NoPictureError: If `thing` is a state that no domain draws.

    >>> show(read_theory("family")).save("family.svg")
    """
    match thing:
        case Rule():
            return Picture(rule_html(thing), is_svg=False)
        case LearnedRule() | Proof() | Answers():
            return Picture(thing._repr_html_(), is_svg=False)
        case Answer() | State():
            return Picture(thing.to_svg(), is_svg=True)
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
                f"a {type(thing).__name__} cannot be shown: show rules, proofs, answers, states or theories"
            )


def _network(rules: LearnedRules) -> str:
    ready = prepared_rules(rules.theory, rules.certified)
    return svg(graph_of(ready.engine.network(ready.changing()).whole, ready.rules, ready.coding))
