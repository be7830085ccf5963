"""Page of timings: the time of matching rules, by rule and by condition."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hornbook.api.timed_matching import part_text, timed_matching
from hornbook.inputs.opening_rules import OpenedRules
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import example_facts
from hornbook.kb.lower.network_words import rule_name
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.matcher.program.profile import PartTime, RuleTime
from hornbook.web.explore.explored import ExploredTheory, Scene
from hornbook.web.explore.refusals import Message, messages
from hornbook.web.explore.rendering import explored_of, page, scene_of

LISTED = 25
"""The number of rules and of conditions to list."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A row of a table; `share` is the percentage of the total matching time."""

    name: str
    share: float
    seconds: float
    visits: int
    rows: int
    found: int | None = None
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Timings:
    """The measurements in `updates` updates with the named states."""

    states: tuple[str, ...]
    updates: int
    seconds: float
    storing: float
    rules: tuple[Timed, ...]
    conditions: tuple[Timed, ...]


def timings_page(request: Request) -> Response:
    """Return the page of a new measurement, in the current state or else in the theory's examples."""
    explored = explored_of(request)
    learned = request.query_params.get("of") == "learned" and explored.rules is not None
    wrong: tuple[Message, ...] = ()
    found: Timings | None = None
    try:
        states = _states(explored, scene_of(request))
        if states:
            found = _measured(explored, states, learned=learned)
    except (HornbookError, OSError) as problem:
        wrong = messages(problem)
    return page(
        request,
        "timings.html",
        wrong=wrong,
        found=found,
        learned=learned,
        has_rules=explored.rules is not None,
    )


def _states(explored: ExploredTheory, scene: Scene) -> dict[str, list[GroundFact]]:
    if scene.state:
        return {"the state at hand": explored.read(scene.state).facts}
    examples = explored.theory.examples
    selected = [each for each in examples if scene.example in ("", each.name)]
    return {each.name: example_facts(explored.theory, each) for each in selected}


def _measured(explored: ExploredTheory, states: dict[str, list[GroundFact]], *, learned: bool) -> Timings:
    theory = explored.theory
    rules = tuple(explored.rules.certified) if learned and explored.rules is not None else theory.rules
    timed = timed_matching(OpenedRules(theory, rules, None), states, 1, explored.limits)
    profile, ready = timed.profile, timed.ready

    def line(one: RuleTime | PartTime, found: int | None, condition: str = "") -> Timed:
        share = 100 * one.seconds / profile.seconds if profile.seconds else 0.0
        name = rule_name(one.rule, ready.rules, ready.coding)
        return Timed(name, share, one.seconds, one.visits, one.rows, found, condition)

    parts = sorted(profile.parts, key=lambda part: -part.seconds)
    return Timings(
        tuple(states),
        timed.updates,
        profile.seconds,
        profile.storing,
        tuple(line(one, one.found) for one in profile.rules()[:LISTED]),
        tuple(line(one, None, part_text(one, ready)) for one in parts[:LISTED]),
    )
