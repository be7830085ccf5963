"""The command `hornbook search plan`: plans in a game whose domain supports planning, with proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.games import planned_files, planned_text
from hornbook.games.planning import (
    COMPLEXITY,
    NODES,
    NoPlansError,
    PlannedSituation,
    PlanningKnowledge,
    PlanSettings,
    planning_knowledge,
)
from hornbook.inputs.domains import NoDomainError
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.writing import require_writable, write_texts
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_json, print_line, warn
from hornbook.terminal.termination import termination_interrupts
from hornbook.theories.domain import FileState


@dataclass(frozen=True, slots=True)
class Files:
    """The output files: the proof, lines of play, and a picture."""

    into: Path | None
    pgn: Path | None
    svg: Path | None


States = Annotated[list[str], argument("STATE", "Positions, each a file or a text (FEN, or EPD with many).")]
Role = Annotated[str | None, option("--role", "ROLE", "The side that plans.")]
Nodes = Annotated[int, option("--nodes", "N", "The limit of positions.", min=1)]
Into = Annotated[Path | None, option("--into", "FILE", "Write the proof to a file.")]
Svg = Annotated[Path | None, option("--svg", "FILE", "Draw the proof into a file.")]
Plans = Annotated[
    Path | None,
    option("--plans", "PLANS.horn", "Plans that `rules learn-plans` wrote, instead of those that ship."),
]
Expectation = Annotated[
    int | None, option("--expectation", "N", "The least gain of a plan, in the values of its goals.")
]
Complexity = Annotated[int, option("--complexity", "N", "The limit of simultaneous plans of a side.", min=1)]
Pgn = Annotated[Path | None, option("--pgn", "FILE", "Write the lines of play, with variations.")]
AddedRules = Annotated[
    Path | None,
    option("--rules", "RULES.horn", "Certified rules that end a proof, in addition to those of the theory."),
]


def plan(
    theory: options.Theory,
    states: States,
    role: Role = None,
    seconds: options.SearchSeconds = options.SEARCH_SECONDS,
    nodes: Nodes = NODES,
    into: Into = None,
    svg: Svg = None,
    rules: AddedRules = None,
    plans: Plans = None,
    expectation: Expectation = None,
    complexity: Complexity = COMPLEXITY,
    pgn: Pgn = None,
    json_output: options.Json = False,
) -> None:
    """Find and prove winning plans in positions.

    Plans are tested against the other side's plans in each STATE. The verdicts `won` and `refuted` are
    proved; `proposed` and `open` are not. The exit code is 0 if all states are proved won.
    """
    request = PlanSettings(role, expectation, complexity, nodes, seconds)
    files = Files(into, pgn, svg)
    for path in (files.into, files.pgn, files.svg):
        if path is not None:
            require_writable(path)
    known = known_for(theory, plans, rules)
    situations = [each for name in states for each in known.domain.situations(Path(name))]
    request = _with_player(known, situations, request)
    if len(situations) > 1 and (files.into or files.svg):
        option = "--into" if files.into else "--svg"
        raise ArgumentError(
            f"it takes one position, and there are {len(situations)}; --pgn takes several", option
        )
    found = _planned(known, situations, request, json_output=json_output)
    notes = _write(found, files)
    if json_output:
        print_json(_as_json(known, found, situations))
    else:
        for text in (
            planned_text.text(found[0])
            if len(situations) == 1
            else planned_text.summary(found, len(situations))
        ):
            print_line(text)
    for note in notes:
        warn(note)
    if len(found) < len(situations) or any(one.result.verdict != "won" for one in found):
        raise ReportedError(1)


def known_for(theory: str, plans: Path | None, rules: Path | None) -> PlanningKnowledge:
    """Return the planning knowledge. Raises BadParameter if the theory or a file has none."""
    try:
        return planning_knowledge(open_theory(theory, unchanged=True), plans, rules)
    except NoDomainError as problem:
        raise ArgumentError(str(problem), "THEORY") from None
    except NoPlansError as problem:
        raise ArgumentError(str(problem), "--plans or --rules") from None


def _with_player(
    known: PlanningKnowledge, situations: Sequence[FileState], request: PlanSettings
) -> PlanSettings:
    """Check the role. Raises BadParameter if it is unknown."""
    players = known.players(situations[0].state)
    if request.player is not None and request.player not in players:
        hint = did_you_mean(request.player, players) or f"the players are {', '.join(sorted(players))}"
        raise ArgumentError(f"no player is called `{request.player}`; {hint}", "--role")
    return request


def _planned(
    known: PlanningKnowledge, situations: Sequence[FileState], request: PlanSettings, *, json_output: bool
) -> list[PlannedSituation]:
    """Return the results of the states, up to an interruption. With several states, print each result at
    once.
    """
    found: list[PlannedSituation] = []
    with (
        termination_interrupts(),
        progress("planning", len(situations) if len(situations) > 1 else None) as update,
    ):
        for situation in situations:

            def tell(made: int, name: str = situation.name) -> None:
                if made % 100 == 0:
                    update(remark=f"{name}: {made:,} positions")

            found.append(known.planned(situation, request, tell))
            update(advance=1)
            if len(situations) > 1 and not json_output:
                print_line(planned_text.line(found[-1]))
            if found[-1].result.stopped == "interrupted":
                break
    return found


def _write(found: Sequence[PlannedSituation], files: Files) -> list[str]:
    """Write the requested files, and return notes about those that were not written."""
    texts: list[tuple[Path, str | Iterable[str]]] = []
    notes = []
    if files.pgn is not None:
        texts.append((files.pgn, "\n".join(map(planned_files.play, found))))
    if files.svg is not None:
        texts.append((files.svg, planned_files.picture(found[0])))
    if files.into is not None and found[0].result.proof is not None:
        texts.append((files.into, planned_files.proof_lines(found[0])))
    elif files.into is not None:
        notes.append(f"{files.into} is not written: nothing is proved")
    write_texts(texts)
    return notes


def _as_json(
    known: PlanningKnowledge, found: Sequence[PlannedSituation], situations: Sequence[FileState]
) -> dict[str, object]:
    return {
        "plans": str(known.plans),
        "rules": str(known.claims),
        "asked": len(situations),
        "positions": [planned_text.as_json(one) for one in found],
    }
