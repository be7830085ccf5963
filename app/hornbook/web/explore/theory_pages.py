"""Pages of a theory: its declarations with the dependency graph, one predicate, and its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import networkx as nx
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.terms import Atom, Rule, Statement, Variable, statements
from hornbook.kb.explain.graph import around, restricted
from hornbook.kb.format.printer import print_clause, print_condition, print_rule
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.tables.column_names import column_names
from hornbook.matcher.program.dataclass import dataclass
from hornbook.render.drawing import svg
from hornbook.web.explore.clauses import clause_html, lines_html
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.explore.rendering import Link, drawn_markup, explored_of, link_from, page, scene_of

DRAWN = 60
"""The largest graph, in boxes, that is drawn by default."""
MOST_DRAWN = 700
"""The largest graph, in boxes, that is drawn at all. Larger ones have slow layouts and are unreadable."""


@dataclass(frozen=True, slots=True)
class PredicateRow:
    """A predicate in the table, with the numbers of rules that conclude it and that have it in their body."""

    predicate: Predicate
    concluded: int
    read: int


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A rule for display."""

    rule: Rule
    html: Markup
    source: str | None


def theory_page(request: Request) -> Response:
    """Return the page with all predicates, and the graph if it is small or requested."""
    explored, link = explored_of(request), _link(request)
    theory, graph = explored.theory, explored.graph
    predicates = theory.vocabulary.predicates
    concluded = dict.fromkeys(predicates, 0)
    read = dict.fromkeys(predicates, 0)
    for rule in theory.rules:
        concluded[_predicate(rule.head)] += 1
        for name in {_predicate(each) for each in statements(rule.body)}:
            read[name] += 1
    return page(
        request,
        "theory.html",
        rows=[PredicateRow(each, concluded[name], read[name]) for name, each in predicates.items()],
        sorts=[(each, code(print_clause(each), explored, link)) for each in theory.vocabulary.sorts.values()],
        boxes=len(graph),
        most_drawn=MOST_DRAWN,
        drawn=_drawn(request, graph, explored, link),
        files=[*theory.sources],
    )


def predicate_page(request: Request) -> Response:
    """Return the page of one predicate: its declaration, the rules that mention it, and its graph."""
    explored, link = explored_of(request), _link(request)
    name = request.query_params.get("name", "")
    vocabulary = explored.theory.vocabulary
    if name not in vocabulary.predicates:
        hint = did_you_mean(name, vocabulary.predicates)
        return page(
            request,
            "problem.html",
            status=404,
            title="No such predicate",
            problems=[f"No predicate is called `{name}`. {hint}"],
        )
    below = request.query_params.get("graph") == "below"
    part = (restricted if below else around)(explored.graph, name)
    rules = explored.theory.rules
    return page(
        request,
        "predicate.html",
        predicate=vocabulary.predicates[name],
        declaration=code(print_clause(vocabulary.predicates[name]), explored, link),
        below=below,
        boxes=len(part),
        most_drawn=MOST_DRAWN,
        drawn=_drawn(request, part, explored, link),
        concluding=[_clause(rule, explored, link) for rule in rules if _predicate(rule.head) == name],
        reading=[
            _clause(rule, explored, link)
            for rule in rules
            if any(_predicate(each) == name for each in statements(rule.body))
        ],
        frames=[
            code(print_clause(each), explored, link)
            for each in explored.theory.frames
            if each.fluent.predicate == name
        ],
        replies=[
            code(print_clause(each), explored, link)
            for each in explored.theory.replies
            if each.game.predicate == name
        ],
        queries=list(queries_of(explored, name)),
    )


def source_page(request: Request) -> Response:
    """Return the page with a file of the theory."""
    explored, link = explored_of(request), _link(request)
    file = request.query_params.get("file") or next(reversed([*explored.theory.sources]), "")
    if file not in explored.theory.sources:
        return page(
            request,
            "problem.html",
            status=404,
            title="No such file",
            problems=[f"The theory has no file `{file}`."],
        )
    text = explored.theory.sources[file].removesuffix("\n")
    lines = lines_html(text, explored.theory.vocabulary.predicates, to_predicate(link))
    return page(request, "source.html", file=file, lines=lines)


def code(text: str, explored: ExploredTheory, link: Link) -> Markup:
    """Return a text of the language as HTML with colours and links."""
    return clause_html(text, explored.theory.vocabulary.predicates, to_predicate(link))


def to_predicate(link: Link) -> Callable[[str], str]:
    """Return a function for links to predicates."""
    return lambda name: link("predicate", name=name)


def to_rule(explored: ExploredTheory, link: Link) -> Callable[[Rule], str | None]:
    """Return a function for links to rules; it returns None if no page shows the rule."""

    def found(rule: Rule) -> str | None:
        if rule.learned:
            return link("rule", name=rule.name)
        if rule.span.file not in explored.theory.sources:
            return None
        return link("source", f"L{rule.span.line}", file=rule.span.file)

    return found


def queries_of(explored: ExploredTheory, name: str) -> Iterator[str]:
    """Yield a query for all facts of a predicate, for each kind of statement and each tense."""
    for relation in explored.base.engine.coding.relations:
        if _predicate(relation.template) == name:
            columns = tuple(map(Variable, column_names(relation.sorts)))
            yield print_condition(relation.template.with_terms(columns))


def _clause(rule: Rule, explored: ExploredTheory, link: Link) -> ClauseRow:
    return ClauseRow(rule, code(print_rule(rule), explored, link), to_rule(explored, link)(rule))


def _link(request: Request) -> Link:
    return link_from(scene_of(request))


def _predicate(statement: Statement) -> str:
    """Return the name of a statement's predicate."""
    atom = statement if isinstance(statement, Atom) else statement.game
    return atom.predicate


def _drawn(request: Request, graph: nx.DiGraph[str], explored: ExploredTheory, link: Link) -> Markup | None:
    """Return the graph if it is small, or if it is requested and not too large."""
    most = MOST_DRAWN if request.query_params.get("whole") else DRAWN
    return drawn_markup(svg(_linked(graph, explored, link))) if len(graph) <= most else None


def _linked(graph: nx.DiGraph[str], explored: ExploredTheory, link: Link) -> nx.DiGraph[str]:
    """Return the graph with links from its boxes."""
    linked = graph.copy()
    for node in linked:
        has = linked.nodes[node]
        if "line" not in has:
            has["href"] = link("predicate", name=has["name"].partition(" ")[0])
        elif has["file"] in explored.theory.sources:
            has["href"] = link("source", f"L{has['line']}", file=has["file"])
    return linked
