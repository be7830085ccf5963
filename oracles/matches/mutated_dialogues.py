"""Dialogues with random mistakes: the requests of a right match are changed, dropped, repeated and mixed.

After each dialogue, the player must still play a right match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.players.plain import RandomPlayer
from hornbook.planner.players.player import Player, PlayerSetting
from hornbook.planner.protocol.dialogue import DialogueSettings, Refusal, Reply
from hornbook.planner.protocol.manager import one_line
from hornbook.planner.protocol.requests import (
    MAX_CLOCK,
    Abort,
    Info,
    Play,
    Preview,
    RequestError,
    Start,
    Stop,
    move_of,
    request_of,
    text_of_request,
)
from oracles.gdl.mutants import mutant
from oracles.gdl.own_sheets import SHEETS
from oracles.matches.simulation import Disorder, SimulatedPlayer

_TOLERANCE = 1e-6
NAMES = ("nim", "noughts_and_crosses", "fists", "auction", "hanoi", "three_buttons", "stuck")
_TEXTS = (
    *(
        "(",
        ")",
        "((",
        "))",
        " ",
        "NIL",
        "()",
        "(INFO)",
        ";",
        "?x",
        "\x00",
        "é",
        "\u2028",
        "9999999999",
        "-1",
        "<=",
    ),
    *("PLAY", "START", "STOP", "abort", "true", "noop", "match-2", "(" * 300, "x" * 1000),
)


class UnreliablePlayer(RandomPlayer):
    """A player that sometimes fails, or chooses a wrong move."""

    def __init__(self, random: Random, faults: float) -> None:
        super().__init__(PlayerSetting(seed=random.randrange(1000)))
        self._faults, self._own = faults, random

    def start(self, game: Game, role: str, seconds: float) -> None:
        if self._own.random() < self._faults:
            raise ValueError("the player fails at the start")
        super().start(game, role, seconds)

    def play(self, state: State, seconds: float) -> Ground:
        chance = self._own.random()
        if chance < self._faults / 2:
            raise ZeroDivisionError
        return "no_such_move" if chance < self._faults else super().play(state, seconds)


@dataclass
class DialogueCounts:
    """Numbers of dialogues, of requests and of each kind of reply, and the first wrong dialogues."""

    dialogues: int = 0
    requests: int = 0
    replies: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: DialogueCounts) -> None:
        self.dialogues += other.dialogues
        self.requests += other.requests
        for kind, number in other.replies.items():
            self.replies[kind] = self.replies.get(kind, 0) + number
        self.wrong += other.wrong[: 10 - len(self.wrong)]


def check_dialogues(seed: int, part: int, number: int) -> DialogueCounts:
    """Check dialogues of a part, each with its own seed."""
    counts = DialogueCounts()
    for each in range(number):
        name = f"{seed}/{part}/{each}"
        try:
            check_dialogue(Random(name), counts)
        except Exception as problem:  # noqa: BLE001 - a crash is what is looked for
            counts.wrong.append(f"{name}: {type(problem).__name__}: {problem}"[:300])
    return counts


def check_dialogue(random: Random, counts: DialogueCounts) -> None:
    """Play one mutated dialogue, and then a right match. Raises AssertionError."""
    name = random.choice(NAMES)
    faults = random.choice((0.0, 0.0, 0.3, 1.0))
    disorder = random.choice(
        (
            *(Disorder(), Disorder(0.5, 2.0), Disorder(0.1, 30.0), Disorder(5.0, 5.0)),
            Disorder(0.5, 3.0, referee_loss=0.1, thinker_loss=0.1),
        )
    )
    settings = DialogueSettings(margin=random.choice((0.0, 0.5, 1.0, 100.0)), patience=20.0)
    player = SimulatedPlayer(lambda: _player(random, faults), random, disorder, settings)
    texts = _mutated(_right_match(name, random), random)
    sent: dict[int, tuple[str, float]] = {}
    for text in texts:
        connection = player.send(text)
        sent[connection] = text, player.time
        while connection not in player.replies and random.random() < 0.95:
            player.advance()
        for _ in range(random.randint(0, 4)):
            player.advance(random.choice((0.0, 0.1, 1.0, 5.0)))
        if random.random() < 0.02:
            player.advance(1000.0)
    while any(connection not in player.replies for connection in sent):
        player.advance()
    counts.dialogues += 1
    counts.requests += len(texts)
    for connection, (text, time) in sent.items():
        assert player.replied_at[connection] - time <= _longest(text) + _TOLERANCE, "a reply is late"
        kind = _kind(player.replies[connection])
        counts.replies[kind] = counts.replies.get(kind, 0) + 1
    _check_that_it_plays(player, random)


def _player(random: Random, faults: float) -> Player:
    return UnreliablePlayer(random, faults)


def _check_that_it_plays(player: SimulatedPlayer, random: Random) -> None:
    """End the match in progress if there is one, and play another one, with any disorder of the player."""
    player.disorder = random.choice((Disorder(), Disorder(0.1, 30.0), Disorder(0.1, 3.0, thinker_loss=0.5)))
    if player.situation.match is not None:
        match = player.situation.match.start.match
        assert _text(player.ask(f"(ABORT {match})")) in ("aborted", "busy")  # it may have been abandoned
    player.settle()
    assert "available" in _text(player.ask("(INFO)"))
    name = random.choice(NAMES)
    game, rules = _sheet(name)
    role = random.choice(game.roles)
    assert _text(player.ask(text_of_request(Start("last", role, rules, 10, 10)))) == "ready"
    state, last = game.initial, None
    for _ in range(3):
        legal = game.legal(state)
        if game.terminal(state) or not all(legal.values()):
            break
        # A wrong request in between changes nothing.
        random_text = _changed("(PLAY last (noop noop))", random)
        if "ABORT" not in random_text.upper() and "STOP" not in random_text.upper():
            refused = player.ask(random_text)
            if isinstance(refused, Reply) and move_of(refused.text) in legal[role] and last is not None:
                break  # the change was a right request
        time = player.time
        reply = player.ask(text_of_request(Play("last", last)))
        assert player.time - time <= 10 + _TOLERANCE, "a move is late"
        move = move_of(_text(reply))
        assert move in legal[role], (reply, legal[role])
        moves = {each: move if each == role else random.choice(found) for each, found in legal.items()}
        state, last = game.next(state, moves), tuple(moves.values())
    assert _text(player.ask(text_of_request(Stop("last", last)))) == "done"


def _text(reply: Reply | Refusal) -> str:
    assert isinstance(reply, Reply), reply
    return reply.text


def _longest(text: str) -> float:
    """Return the longest time to the reply to a request, in seconds."""
    try:
        request = request_of(text)
    except RequestError:
        return 0.0
    match request:
        case Start():
            return request.start_clock
        case Preview():
            return request.clock
        case Play():
            return MAX_CLOCK  # the clock of a mutated match
    return 0.0


def _kind(reply: Reply | Refusal) -> str:
    if isinstance(reply, Refusal):
        return "refused"
    words = ("ready", "busy", "nil", "done", "aborted")
    return reply.text if reply.text in words else "info" if reply.text.startswith("((") else "move"


@cache
def _sheet(name: str) -> tuple[Game, str]:
    text = SHEETS[name].read_text()
    return Game(text), one_line(text)


def _right_match(name: str, random: Random) -> list[str]:
    """Return the requests of a right match, with other requests before and after it."""
    game, rules = _sheet(name)
    clock = random.choice((1, 2, 10))
    requests: list[object] = [Info()] if random.random() < 0.5 else []
    if random.random() < 0.3:
        requests.append(Preview(rules, clock))
    requests.append(Start("match-1", random.choice(game.roles), rules, clock, clock))
    state, last = game.initial, None
    for _ in range(random.randint(0, 6)):
        legal = game.legal(state)
        if game.terminal(state) or not all(legal.values()):
            break
        requests.append(Play("match-1", last))
        moves = {role: random.choice(found) for role, found in legal.items()}
        state, last = game.next(state, moves), tuple(moves.values())
    requests.append(Stop("match-1", last) if random.random() < 0.7 else Abort("match-1"))
    return [text_of_request(each) for each in requests]  # type: ignore[arg-type]


def _mutated(texts: Sequence[str], random: Random) -> list[str]:
    """Return the requests with one to five mistakes."""
    found = list(texts)
    for _ in range(random.randint(1, 5)):
        place = random.randrange(len(found))
        match random.randrange(8):
            case 0:
                found.insert(random.randrange(len(found) + 1), found[place])
            case 1 if len(found) > 1:
                del found[place]
            case 2:
                other = random.randrange(len(found))
                found[place], found[other] = found[other], found[place]
            case 3 if "(" in found[place].partition(";")[0]:
                found[place] = mutant(found[place], random)
            case 4:
                found[place] = found[place].replace("match-1", "match-2")
            case _:
                found[place] = _changed(found[place], random)
    return found


def _changed(text: str, random: Random) -> str:
    """Return the text with a change of some characters."""
    place = random.randint(0, len(text))
    match random.randrange(5):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + text[place + random.randint(1, 20) :]
        case 2:
            return text[:place] + random.choice(_TEXTS) + text[place:]
        case 3:
            words = text.split(" ")
            words[random.randrange(len(words))] = random.choice(_TEXTS)
            return " ".join(words)
        case _:
            return text[:place] + chr(random.choice((0, 9, 40, 41, 59, 63, 127, 233, 8232))) + text[place:]
