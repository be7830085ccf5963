"""Pages from templates: their common content, and links that retain the scene.

Invariants: Text other than `Markup` is escaped. Control characters and invisible characters are written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import visible
from hornbook.web.explore.explored import ExploredTheory, Scene
from hornbook.web.explore.refusals import UNPROCESSABLE

PAGES = {
    "theory": "Theory",
    "ask": "Ask",
    "state": "State",
    "rules": "Learned rules",
    "play": "Play",
    "timings": "Timings",
}
"""The pages in the menu of every page, in order, with their titles."""

PARTS = {"predicate": "theory", "source": "theory", "rule": "rules", "strategy": "play"}
"""Other pages, each with the menu entry that it belongs to."""
_NUMBERS = re.compile(r"[0-9]{1,9}+(?:,[0-9]{1,9}+)*+")


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def quoted(text: str) -> Markup:
    """Return a message, with the text between backticks as code."""
    pieces = visible(text).split("`")
    if len(pieces) % 2 == 0:
        return Markup("{}").format(visible(text))
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(each) if place % 2 else each for place, each in enumerate(pieces))


_TEMPLATES = Environment(
    loader=PackageLoader("hornbook.web.explore"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    finalize=_shown,
)
_TEMPLATES.globals.update(counted=counted, quoted=quoted, pages=PAGES, parts=PARTS)

Link = Callable[..., str]
"""A function that returns a link to a page, by its name and parameters; the scene is added."""


def drawn_markup(text: str) -> Markup:
    """Mark SVG or HTML made by Hornbook as safe; all its text is escaped."""
    return Markup(text)  # noqa: S704 - the only place


def explored_of(request: Request) -> ExploredTheory:
    """Return the explored theory of a server."""
    found: ExploredTheory = request.app.state.explored
    return found


def scene_of(request: Request) -> Scene:
    """Return the scene in a URL; forms send line ends as two characters."""
    values = {name: request.query_params.get(name, "") for name in ("state", "example", "suppose")}
    return Scene(**{name: value.replace("\r\n", "\n") for name, value in values.items()})


def link_from(scene: Scene, root: str = "") -> Link:
    """Return a function for links from a page of a scene.

    A link may name another scene. `root` is the prefix of all pages.
    """
    scene_values = {"state": scene.state, "example": scene.example, "suppose": scene.suppose}

    def link(page: str, place: str = "", **parameters: object) -> str:
        given = {
            name: str(value)
            for name, value in {**scene_values, **parameters}.items()
            if value not in ("", None)
        }
        query = urlencode(given, errors="replace")
        return f"{root}{page}{query and f'?{query}'}{place and f'#{place}'}"

    return link


def page(
    request: Request, template: str, *, status: int = 200, wrong: Any = (), **shown: Any
) -> HTMLResponse:
    """Return a page from a template. The status tells whether there are errors, in general or in a field."""
    if any(wrong.values()) if isinstance(wrong, Mapping) else wrong:
        status = UNPROCESSABLE
    explored, scene = explored_of(request), scene_of(request)
    name = template.removesuffix(".html")
    # All pages are in one folder. Only URLs of missing pages can have another depth.
    root = "" if request.scope["raw_path"].count(b"/") == 1 else "/"
    text = _TEMPLATES.get_template(template).render(
        {
            "theory": explored.theory,
            "scene": scene,
            "link": link_from(scene, root),
            "root": root,
            "here": name,
            "may_have_game": explored.may_have_game,
            "wrong": wrong,
            **shown,
        }
    )
    return HTMLResponse(text, status)


def opened_steps(request: Request) -> frozenset[int] | None:
    """Return the steps of a proof that a URL opens; None if it has no such parameter."""
    value = request.query_params.get("open")
    if value is None:
        return None
    return frozenset(map(int, value.split(","))) if _NUMBERS.fullmatch(value) else frozenset()
