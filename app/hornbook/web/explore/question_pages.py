"""Page for queries: answers as a table, a proof as a tree, and the explanation of a failing fact."""

from __future__ import annotations

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Constant, Statement
from hornbook.kb.base.theory_engine import NotDerivedError
from hornbook.kb.explain.proof import Proof
from hornbook.kb.explain.proof_outline import page_outline
from hornbook.kb.explain.why_not import WhyNot
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers, Row
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.render.outline_page import outline_tree
from hornbook.web.explore.explored import ExploredTheory, OpenedScene
from hornbook.web.explore.refusals import Message, messages, warnings
from hornbook.web.explore.rendering import drawn_markup, explored_of, link_from, opened_steps, page, scene_of
from hornbook.web.explore.theory_pages import queries_of, to_rule

MOST = 100_000
SHOWN = 100
"""The number of answers per page."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer: its values, and the facts that it implies, each with a link to its proof."""

    row: Row
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """A page of answers from index `first` on; for a query without variables, whether it holds."""

    answers: Answers
    first: int
    rows: tuple[AnswerRow, ...]

    @property
    def following(self) -> int | None:
        """The index of the first answer on the next page, or None."""
        after = self.first + len(self.rows)
        return after if after < len(self.answers) else None


def ask_page(request: Request) -> Response:
    """Return the page with the answers, proof and explanation that the URL requests."""
    explored, scene = explored_of(request), scene_of(request)
    parameters = {name: request.query_params.get(name, "").strip() for name in ("query", "why", "whynot")}
    wrong: dict[str, tuple[Message, ...]] = dict.fromkeys(("scene", *parameters), ())
    odd: tuple[Message, ...] = ()
    table: AnswerTable | None = None
    proof: Proof | None = None
    missing: WhyNot | None = None
    opened: OpenedScene | None = None
    try:
        opened = explored.at(scene)
    except (HornbookError, OSError) as problem:
        wrong["scene"] = messages(problem)
    if opened is not None and parameters["query"]:
        try:
            queries = opened.base.engine.parse_queries(parameters["query"])
            answers = opened.base.engine.query(queries, max_answers=MOST)
            first = int(request.query_params.get("from", "0") or 0) if _is_number(request, "from") else 0
            table = AnswerTable(answers, first, tuple(_rows(answers, queries, first)))
            odd = tuple(warnings(opened.base.warnings(parameters["query"]), parameters["query"]))
            if not answers and not parameters["whynot"] and (goal := _only_statement(queries)) is not None:
                parameters["whynot"] = print_condition(goal)
        except HornbookError as problem:
            wrong["query"] = messages(problem)
    if opened is not None and parameters["why"]:
        try:
            proof = opened.base.why(parameters["why"]).with_sources(opened.sources)
        except NotDerivedError as problem:
            parameters["whynot"] = parameters["whynot"] or parameters["why"]
            wrong["why"] = messages(problem)
        except HornbookError as problem:
            wrong["why"] = messages(problem)
    if opened is not None and parameters["whynot"]:
        try:
            missing = opened.base.why_not(parameters["whynot"]).with_sources(opened.sources)
        except HornbookError as problem:
            wrong["whynot"] = messages(problem)
    is_whole = bool(request.query_params.get("whole"))
    tree = None
    if proof is not None:
        depth = None if is_whole else proof.display_depth
        lines = outline_tree(
            page_outline(proof.steps, depth), opened_steps(request), to_rule(explored, link_from(scene))
        )
        tree = drawn_markup("\n".join(lines))
    return page(
        request,
        "ask.html",
        parameters=parameters,
        such=_example_query(explored),
        wrong=wrong,
        odd=odd,
        table=table,
        proof=proof,
        tree=tree,
        is_cut=proof is not None and not is_whole and proof.display_depth is not None,
        missing=missing,
        rule_link=to_rule(explored, link_from(scene)),
        print_condition=print_condition,
        learned=sum(rule.learned for rule in explored.base.rules),
    )


def _example_query(explored: ExploredTheory) -> str | None:
    """Return an example query: the first predicate that rules conclude, or else the first one."""
    concluded = [rule.head.relation for rule in explored.theory.rules]
    names = explored.theory.vocabulary.predicates
    name = next((each for each in names if each in concluded), next(iter(names), None))
    query = None if name is None else next(queries_of(explored, name), None)
    return None if query is None else query.removeprefix("before ")


def _rows(answers: Answers, queries: tuple[Query, ...], first: int) -> Iterator[AnswerRow]:
    """Yield the answers of a page, with the facts of each. For a disjunction, the alternative is unknown."""
    conditions = queries[0].conditions if len(queries) == 1 else ()
    for row in answers.rows[first : first + SHOWN]:
        bound = dict(zip(answers.variables, map(Constant, row), strict=True))
        instances = (apply_to_statement(each, bound) for each in conditions if isinstance(each, Statement))
        yield AnswerRow(row, tuple(map(print_condition, instances)))


def _only_statement(queries: tuple[Query, ...]) -> Statement | None:
    """Return the query's only statement, if it has no other conditions."""
    conditions = queries[0].conditions if len(queries) == 1 else ()
    return conditions[0] if len(conditions) == 1 and isinstance(conditions[0], Statement) else None


def _is_number(request: Request, name: str) -> bool:
    text = request.query_params.get(name, "")
    return text.isascii() and text.isdigit() and len(text) < 10
