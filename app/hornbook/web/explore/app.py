"""The Starlette application: a route for each page, and pages for errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock

from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hornbook.terminal.code_exits import exits_are_errors
from hornbook.web.explore.explored import ExploredTheory
from hornbook.web.explore.game_pages import play_page, strategy_page
from hornbook.web.explore.question_pages import ask_page
from hornbook.web.explore.refusals import messages, status_of
from hornbook.web.explore.rendering import link_from, page, scene_of
from hornbook.web.explore.rule_pages import rule_page, rules_page
from hornbook.web.explore.state_pages import state_page
from hornbook.web.explore.theory_pages import predicate_page, source_page, theory_page
from hornbook.web.explore.timing_pages import timings_page

_PAGES: dict[str, Callable[[Request], Response]] = {
    "theory": theory_page,
    "predicate": predicate_page,
    "source": source_page,
    "ask": ask_page,
    "state": state_page,
    "rules": rules_page,
    "rule": rule_page,
    "play": play_page,
    "strategy": strategy_page,
    "timings": timings_page,
}


def application(explored: ExploredTheory) -> Starlette:
    """Return the application with the pages of a theory. Pages are read-only and determined by their URL."""
    routes = [
        Route("/", _begin),
        *(Route(f"/{name}", _answering(shows), name=name) for name, shows in _PAGES.items()),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static"),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _not_there})
    app.state.explored = explored
    app.state.reading = Lock()
    return app


def _begin(request: Request) -> Response:
    return RedirectResponse(link_from(scene_of(request))("theory"), 303)


def _not_there(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    message = {404: "There is no such page.", 405: "Pages here are only read."}
    return page(
        request,
        "problem.html",
        status=problem.status_code,
        title="Nothing here",
        problems=[message.get(problem.status_code, problem.detail)],
    )


def _read_again(state: State) -> None:
    """Reload the theory if one of its files has changed.

    On an error nothing changes and the exception is passed on.
    """
    with state.reading:
        if not state.explored.is_current:
            state.explored = state.explored.again()


def _answering(shows: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return an endpoint for a page.

    It reloads changed files, and shows errors, also of the theory's own code, as a page.
    """

    def answer(request: Request) -> Response:
        try:
            with exits_are_errors:
                _read_again(request.app.state)
        except Exception as problem:  # noqa: BLE001 - any error of the command
            return page(
                request,
                "problem.html",
                title="This has changed, and cannot be read",
                problems=(),
                wrong=messages(problem),
            )
        try:
            with exits_are_errors:
                return shows(request)
        except Exception as problem:  # noqa: BLE001 - the last place to report an error
            return page(
                request,
                "problem.html",
                status=status_of(problem),
                title="This cannot be shown",
                problems=[each.says for each in messages(problem)],
            )

    return answer
