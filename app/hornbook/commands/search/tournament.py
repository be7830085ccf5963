"""The command `hornbook search tournament`: games between two players, and an estimate of their strength."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from math import isinf
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.games.whole.game import (
    GAME,
    SEARCHES,
    USE,
    USES,
    Depth,
    Nodes,
    StatisticsFile,
    WholeGame,
    budget_of,
    whole_game,
)
from hornbook.commands.options import argument, option
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.counts import counted
from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.writing import write_text
from hornbook.play.tournament.process import PlayerProcess
from hornbook.play.tournament.recorded_games import (
    MARGIN,
    GameRecord,
    append_game,
    openings,
    pairs,
    play_remaining_games,
    read_games,
)
from hornbook.play.tournament.sides import Gtp, Ours, TournamentPlayer, Uci
from hornbook.play.tournament.strength import Sequential, Strength, elo, strength
from hornbook.play.whole.clock import Control
from hornbook.play.whole.gtp_server import colour_of
from hornbook.play.whole.played import PlayedGame
from hornbook.render.line_chart import Series, line_chart
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line
from hornbook.theories.protocols.optional import StoneBoard

PLAYER = (
    "`gtp:COMMAND` or `uci:COMMAND` (`uci:stockfish;Skill Level=0` sets an option), or a search of ours"
    f" ({', '.join(SEARCHES)}), which rules guide as in `deepening+RULES.horn`, or as in"
    " `deepening+RULES.horn;use=leaves`"
    f" by some of their uses ({', '.join(USES)}); by `use=alone` it looks one move ahead;"
    " `rank=2` takes only rules up to that rank."
)
PROTOCOLS = ("gtp:", "uci:")
LABELS = 12
"""The maximum number of labels below a chart."""
SECONDS = 0.1
"""The default time for a move."""
NO_SEARCH = "alone"
"""The use of rules without a search: the best move according to the rules after each move."""


def tournament(
    a: Annotated[str, argument("A", PLAYER)],
    b: Annotated[str, argument("B", "The other player, in the same form.")],
    into: Annotated[
        Path, option("--into", "FILE", "The file for finished games; an existing file is continued.")
    ],
    game: Annotated[str, option("--game", "GAME", GAME)] = "go",
    size: Annotated[
        int | None,
        option("--size", "N", "The number of rows of the board; the game's usual one by default.", min=1),
    ] = None,
    games: Annotated[int, option("--games", "N", "The number of games, which is even.", min=2)] = 20,
    from_file: Annotated[
        Path | None,
        option("--openings", "FILE", "Openings, the moves of one on each line, instead of random ones."),
    ] = None,
    opening_plies: Annotated[
        int, option("--opening-plies", "N", "The number of random moves at the beginning of a game.", min=0)
    ] = 4,
    seed: Annotated[int, option("--seed", "N", "The seed of random openings.")] = 1,
    seconds: Annotated[
        float | None,
        option(
            "--seconds",
            "S",
            "Seconds for a move (processor time for Hornbook's searches); 0.1 by default.",
            min=0.001,
        ),
    ] = None,
    clock: Annotated[
        str | None,
        option(
            "--clock",
            "TIME",
            "Play by the clock: `60` seconds for a game, `60+0.5` with an increment for each move,"
            " `40/60` for 40 moves, or `1/5` for each move.",
        ),
    ] = None,
    nodes: Nodes = None,
    depth: Depth = None,
    statistics: StatisticsFile = None,
    plies: Annotated[
        int, option("--plies", "N", "The number of moves after which a game is drawn.", min=1)
    ] = 400,
    sprt: Annotated[
        str | None,
        option(
            "--sprt",
            "LOW,HIGH",
            "Stop when a sequential test decides between two Elo differences (errors of 5 %).",
        ),
    ] = None,
    picture: Annotated[
        Path | None, option("--svg", "FILE", "Draw the score of A with its confidence interval.")
    ] = None,
    json_output: options.Json = False,
) -> None:
    """Play games between two players, and rate them.

    Each opening is played twice, with sides swapped. The processor time of the players is measured. --seconds
    limits each move: other programs receive it as a time limit, and Hornbook's searches count processor time.
    With --clock, all players use the clock, and a player that exceeds it loses. A crash, an illegal move or a
    missing answer loses, and is counted. The same command continues an interrupted tournament.
    """
    if games % 2:
        raise ArgumentError("games come in pairs, so the number must be even", "--games")
    control = None if clock is None else _control(clock, (a, b))
    if control is not None and seconds is not None:
        raise ArgumentError("the clock says how long a move takes; leave one out", "--seconds")
    if control is None:
        seconds = seconds or SECONDS
    test = None if sprt is None else _test(sprt)
    known = {spec: _game_of(spec, game, statistics) for spec in dict.fromkeys((a, b))}
    plain = known[a]
    text = plain.domain.beginnings()[0] if size is None else plain.domain.beginning(size)
    if text is None:
        raise ArgumentError(f"no board of `{game}` has {counted(size or 0, 'row')}", "--size")
    start = PlayedGame.start(plain.native, plain.domain, text)
    played = (
        openings(start, games // 2, opening_plies, seed)
        if from_file is None
        else _read(from_file, start, games // 2)
    )
    what = {
        "game": game, "beginning": text, "A": a, "B": b, "seed": seed, "seconds": seconds,
        "nodes": nodes, "depth": depth, "plies": plies, "opening_plies": opening_plies,
        "openings": None if from_file is None else str(from_file),
        "time": None if control is None else str(control), "margin": None if control is None else MARGIN,
    }  # fmt: skip
    if statistics is not None:
        what["statistics"] = str(statistics)
    for spec in known:
        if not spec.startswith(PROTOCOLS):
            budget_of(spec.partition("+")[0], seconds, nodes, depth)
    done = read_games(into, what)

    def make() -> tuple[TournamentPlayer, TournamentPlayer]:
        first = _side(a, known[a], seconds, control, nodes, depth)
        try:
            return first, _side(b, known[b], seconds, control, nodes, depth)
        except BaseException:
            first.close()
            raise

    with progress("playing", games) as update_progress:
        update_progress(advance=len(done))
        if test is None or test.verdict(pairs(done)) is None:
            for each in play_remaining_games(start, make, played, games, plies, tuple(done), control):
                append_game(into, each)
                done.append(each)
                update_progress(advance=1, remark=f"{sum(g.points for g in done):g} of {len(done)}")
                if test is not None and test.verdict(pairs(done)) is not None:
                    break
    if picture is not None:
        write_text(picture, _chart(a, b, done))
    print_line(json.dumps(_as_json(done, test)) if json_output else _report(a, b, done, test, control))


def _control(text: str, players: Sequence[str]) -> Control:
    """Return the clock. Raises BadParameter if it is malformed or a player's protocol cannot express it."""
    try:
        found = Control.read(text)
    except ValueError:
        raise ArgumentError(
            f"`{text}` is not a time: write `60`, `60+0.5`, `40/60` or `1/5`, in seconds", "--clock"
        ) from None
    if any(each.startswith("gtp:") for each in players) and (found.more or not found.seconds.is_integer()):
        raise ArgumentError("GTP supports only whole seconds, without an increment", "--clock")
    return found


def _test(text: str) -> Sequential:
    parts = text.split(",")
    try:
        low, high = map(float, parts)
    except ValueError:
        raise ArgumentError("expected two numbers, such as `0,20`", "--sprt") from None
    if not low < high:
        raise ArgumentError("the first must be less than the second", "--sprt")
    return Sequential(low, high)


def _game_of(spec: str, game: str, statistics: Path | None) -> WholeGame:
    """Return the game for a player, with its statistics and its rules."""
    if spec.startswith(PROTOCOLS):
        return whole_game(game)
    name, rules, settings = _parts(spec)
    use, rank = settings.get("use", ""), settings.get("rank", "")
    wrong = settings.keys() - {"use", "rank"} or (set(use.split(",")) - {"", *USES, NO_SEARCH})
    if name not in SEARCHES or wrong or not (rank == "" or rank.isdecimal()):
        raise ArgumentError(f"`{spec}` is no player: {PLAYER}", "A, B")
    known = whole_game(
        game, Path(rules) if rules else None, rank=int(rank) if rank else None, statistics=statistics
    )
    if rules and known.advice is None:
        raise ArgumentError(f"`{spec}`: these rules cannot guide a search of `{game}`", "A, B")
    known.player(name)  # refuse an unsuitable search before the first game
    return known


def _parts(spec: str) -> tuple[str, str, dict[str, str]]:
    """Split the description of a Hornbook search into its name, its rules file and its settings."""
    name, _, guided = spec.partition("+")
    rules, *settings = guided.split(";")
    return name, rules, {key: value for key, _, value in (each.partition("=") for each in settings)}


def _side(
    spec: str,
    known: WholeGame,
    seconds: float | None,
    control: Control | None,
    nodes: int | None,
    depth: int | None,
) -> TournamentPlayer:
    protocol, _, command = spec.partition(":")
    domain = known.domain
    if protocol == "gtp":

        def setup(game: PlayedGame) -> list[str]:
            if isinstance(domain, StoneBoard):
                return domain.gtp_setup(str(game.states[0]))
            return ["clear_board"]

        time_limit = control if seconds is None else Control(seconds, moves=1)
        return Gtp(
            spec,
            PlayerProcess(command),
            setup,
            colour_of,
            time_limit,
        )
    if protocol == "uci":
        command, *settings = command.split(";")
        chosen = tuple((name, value) for name, _, value in (each.partition("=") for each in settings))
        limits = [] if nodes is None else [f"nodes {nodes}"]
        limits += [] if depth is None else [f"depth {depth}"]
        return Uci(spec, PlayerProcess(command), chosen, " ".join(limits), seconds)
    name, _, fields = _parts(spec)
    use = tuple(fields["use"].split(",")) if "use" in fields else USE
    if NO_SEARCH in use:
        use, depth = ("leaves",), 1
    return Ours(spec, lambda: known.player(name, use), budget_of(name, seconds, nodes, depth))


def _read(path: Path, start: PlayedGame, count: int) -> list[tuple[str, ...]]:
    """Return the openings in a file, repeated if there are too few. Raises BadParameter."""
    found = []
    for number, line in enumerate(lines_of(read_text(path)), 1):
        moves = line.partition("%")[0].split()
        game = start
        for move in moves:
            try:
                game = game.after(move)
            except ValueError as problem:
                raise ArgumentError(f"{path}:{number}: {problem}", "--openings") from None
        if moves:
            found.append(tuple(moves))
    if not found:
        raise ArgumentError(f"{path} has no opening", "--openings")
    return [found[place % len(found)] for place in range(count)]


def _summary(done: Sequence[GameRecord]) -> dict[str, float]:
    processor = [[game.processor[side] for game in done] for side in (0, 1)]
    return {
        "games": len(done),
        "won": sum(game.points == 1 for game in done),
        "drawn": sum(game.points == 0.5 for game in done),
        "lost": sum(game.points == 0 for game in done),
        "crashes": sum("crash" in game.fault for game in done),
        "illegal moves": sum("illegal" in game.fault for game in done),
        "late": sum("late" in game.fault for game in done),
        "processor A": round(sum(each or 0.0 for each in processor[0]), 2),
        "processor B": round(sum(each or 0.0 for each in processor[1]), 2),
    }


def _as_json(done: Sequence[GameRecord], test: Sequential | None) -> dict[str, object]:
    means = pairs(done)
    found = asdict(strength(means)) if means else None
    verdict = None if test is None else {True: "high", False: "low", None: "open"}[test.verdict(means)]
    return {**_summary(done), "strength": found, "sprt": verdict}


def _points(share: float) -> str:
    found = elo(share)
    return ("−∞" if found < 0 else "+∞") if isinf(found) else f"{found:+.0f}".replace("-", "−")


def _report(
    a: str, b: str, done: Sequence[GameRecord], test: Sequential | None, control: Control | None
) -> str:
    summary, means = _summary(done), pairs(done)
    lines = [
        f"A: {a}",
        f"B: {b}",
        (
            f"{counted(len(done), 'game')}: A won {summary['won']}, drew {summary['drawn']},"
            f" lost {summary['lost']}"
        ),
    ]
    if means:
        found: Strength = strength(means)
        lines.append(
            f"A has {100 * found.score:.1f} % of the points of {counted(len(means), 'pair')},"
            f" with 95 % between {100 * found.low:.1f} and {100 * found.high:.1f};"
            f" Elo {_points(found.score)}, between {_points(found.low)} and {_points(found.high)}"
        )
    if control is not None:
        lines.append(f"clock: {control} seconds; who exceeded it by more than {MARGIN:g} lost")
    lines.append(f"processor seconds: A {summary['processor A']:.1f}, B {summary['processor B']:.1f}")
    faults = Counter(game.fault for game in done if game.fault)
    lines.append(
        "faults: " + (", ".join(f"{fault} {number}" for fault, number in sorted(faults.items())) or "none")
    )
    if test is not None:
        verdict = test.verdict(means)
        state = "still open" if verdict is None else "accepted" if verdict else "refused"
        lines.append(
            f"SPRT: that A is stronger by {test.high:g} Elo rather than by {test.low:g} is {state}"
            f" ({test.ratio(means):+.2f})"
        )
    return "\n".join(lines)


def _chart(a: str, b: str, done: Sequence[GameRecord]) -> str:
    means = pairs(done)
    found = [strength(means[: count + 1]) for count in range(len(means))]
    series = [
        Series("points of A, %", [round(100 * each.score) for each in found]),
        Series("from, 95 %", [round(100 * each.low) for each in found], "dashed"),
        Series("to", [round(100 * each.high) for each in found], "dashed"),
    ]
    every = -(-len(means) // LABELS) or 1
    games = [str(2 * count) if count % every == 0 else "" for count in range(1, len(means) + 1)]
    return line_chart(f"{a} against {b}", games or ["0"], series, str)
