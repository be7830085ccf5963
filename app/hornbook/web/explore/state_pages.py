"""Page of a state: its board, the effects of an action, and the answers of learned rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from hornbook.api.answers import Answer
from hornbook.inputs.states import State
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import has_code
from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.repl.what_if import Difference
from hornbook.theories.protocols.missing_member import MissingMemberError
from hornbook.web.explore.board import LinkedBoard, LinkedMove, board
from hornbook.web.explore.explored import ExploredTheory, Scene
from hornbook.web.explore.refusals import Message, messages
from hornbook.web.explore.rendering import Link, explored_of, link_from, page, scene_of

SHOWN = 200
"""The number of facts of a state to list."""
ANSWERS = 50
"""The number of answers of rules to list."""


@dataclass(frozen=True, slots=True)
class Acted:
    """The effects of an action or other facts: the derived difference, and the domain's next state if any."""

    facts: str
    after: State | None
    difference: Difference


@dataclass(frozen=True, slots=True)
class Answered:
    """The first answers of learned rules about a state, and their total number.

    `shown` is the index of the drawn answer.
    """

    answers: Sequence[Answer]
    number: int
    shown: int | None


def state_page(request: Request) -> Response:
    """Return the page of a state, or of the state after the action in the URL."""
    explored, scene = explored_of(request), scene_of(request)
    text = request.query_params.get("act", "").strip()
    wrong: dict[str, tuple[Message, ...]] = dict.fromkeys(("state", "act", "rules"), ())
    here: State | None = None
    acted: Acted | None = None
    answered: Answered | None = None
    listed: list[str] = []
    given = 0
    try:
        here = explored.read(scene.state) if scene.state else None
        opened = explored.at(Scene(scene.state, scene.example))
        facts = opened.base.given()
        given, listed = len(facts), list(map(_fact_text, facts[:SHOWN]))
    except (HornbookError, OSError) as problem:
        wrong["state"] = messages(problem)
    if text and not wrong["state"]:
        try:
            difference = explored.supposed(Scene(scene.state, scene.example), text)
            acted = Acted(text, _after(explored, here, text), difference)
        except (HornbookError, OSError) as problem:
            wrong["act"] = messages(problem)
    shown = here if acted is None or acted.after is None else acted.after
    if explored.rules is not None and shown is not None:
        try:
            answered = _answered(explored, shown, request.query_params.get("answer", ""))
        except HornbookError as problem:
            wrong["rules"] = messages(problem)
    onward = link_from(_scene_of_state(explored, shown, scene))
    return page(
        request,
        "state.html",
        wrong=wrong,
        text=text,
        board=None if shown is None else _board(explored, shown, answered, _chosen(request), onward),
        acted=acted,
        answered=answered,
        onward=onward,
        given=given,
        listed=listed,
        reads_states=has_code(explored.theory, "adapter"),
        examples=[each.name for each in explored.theory.examples],
        beginnings=list(_beginnings(explored)),
        supposing=link_from(Scene(scene.state, scene.example, text)),
        title=_title(explored, shown),
    )


def _fact_text(fact: GroundFact) -> str:
    return print_condition(Atom(fact.relation, tuple(map(Constant, fact.values)), fact.tense))


def action_text(action: GroundFact) -> str:
    """Return an action in the language."""
    return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))


def written(explored: ExploredTheory, state: Any) -> str | None:
    """Return a state as text for the adapter; None if the domain writes none."""
    if explored.domain is None:
        return None
    with suppress(MissingMemberError):
        return explored.domain.write_line(state)
    return None


def _scene_of_state(explored: ExploredTheory, state: State | None, scene: Scene) -> Scene:
    text = None if state is None else written(explored, state.value)
    return scene if text is None else Scene(text)


def _after(explored: ExploredTheory, here: State | None, text: str) -> State | None:
    """Return the state after a legal action of the domain; None for other hypothetical facts."""
    if explored.domain is None or here is None:
        return None
    action = next((each for each in explored.domain.actions(here.value) if action_text(each) == text), None)
    after = None if action is None else explored.domain.played(here.value, action)
    return None if after is None else State(explored.theory, "<state>", after, here.reader)


def _board(
    explored: ExploredTheory, state: State, answered: Answered | None, chosen: Sequence[str], link: Link
) -> LinkedBoard | None:
    """Return the board with links for the legal actions; None if the domain draws none."""
    domain = explored.domain
    if domain is None:
        return None
    try:
        title = _title(explored, state)
        svg = domain.picture(state.value, title)
        if answered is not None and answered.shown is not None:
            svg = answered.answers[answered.shown].to_svg()
        boxes = domain.places(state.value)
        moves = [
            LinkedMove(
                domain.write_move(state.value, each),
                tuple(str(value) for value in each.values if str(value) in boxes),
                link("state", act=action_text(each)),
            )
            for each in domain.actions(state.value)
        ]
    except MissingMemberError:
        return None
    return board(svg, boxes, moves, chosen, lambda places: link("state", at=",".join(places)))


def _title(explored: ExploredTheory, state: State | None) -> str:
    if state is None or explored.domain is None:
        return f"State of {explored.theory.name}"
    with suppress(MissingMemberError):
        return f"{explored.domain.to_move(state.value)} to move"
    return f"State of {explored.theory.name}"


def _beginnings(explored: ExploredTheory) -> Iterator[tuple[str, str]]:
    """Yield the initial states with their titles."""
    if explored.domain is not None:
        with suppress(MissingMemberError):
            for number, text in enumerate(explored.domain.beginnings(), 1):
                yield (f"beginning {number}", text)


def _answered(explored: ExploredTheory, state: State, number: str) -> Answered:
    """Return the answers of rules.

    Raises KnowledgeBaseError if a limit is exceeded, and NoPictureError without a domain.
    """
    assert explored.rules is not None
    budget = Budget.of(explored.limits)
    with budget.bounding():
        found = explored.rules.match(state, limits=budget.limits)
    first = found[:ANSWERS]
    place = int(number) - 1 if number.isascii() and number.isdigit() and len(number) < 6 else -1
    return Answered(first, len(found), place if 0 <= place < len(first) else None)


def _chosen(request: Request) -> tuple[str, ...]:
    return tuple(filter(None, request.query_params.get("at", "").split(",")))
