"""The dialogue of a player with game managers: an event in a situation gives the next one, and effects.

One match is played at a time. The referee knows its state, and the thinker has the player. Both work in other
processes, and their answers are events. So a fallback move is known before the player begins to think, and no
reply waits for a player that is late or lost.

Invariants: Each received text gets exactly one reply, until `Situation.wakes_at` at the latest. A refused
request changes nothing. Replies are those of GGP Base: `ready`, a move, `done` and `aborted`. The reply is
`busy` to a request for another match, and `nil` if no legal move is known.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Literal

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.ground import Ground, text_of
from hornbook.planner.protocol.clocks import Deadlines
from hornbook.planner.protocol.requests import (
    Abort,
    Info,
    Play,
    Preview,
    RequestError,
    Start,
    Stop,
    request_of,
)
from hornbook.planner.protocol.tasks import (
    Finish,
    Finished,
    Judge,
    Judged,
    Load,
    Loaded,
    Prepare,
    RefereeAnswer,
    RefereeTask,
    Refused,
    Rest,
    Think,
    ThinkerTask,
    Thought,
)

MAX_LOSSES = 3
"""The number of lost processes of one match after which its player is not started again."""
_SHORT = 100
"""The number of characters of a name or a move in a note."""

# Events


@dataclass(frozen=True, slots=True)
class Received:
    """A request has come; its reply names the same connection."""

    connection: int
    text: str


@dataclass(frozen=True, slots=True)
class FromReferee:
    """The referee has answered."""

    answer: RefereeAnswer


@dataclass(frozen=True, slots=True)
class FromThinker:
    """The thinker has answered."""

    answer: Thought


@dataclass(frozen=True, slots=True)
class Lost:
    """A process has crashed, or was ended by the system."""

    process: Process


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The time `Situation.wakes_at` has come."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The program ends, and the pending request needs its reply."""


Process = Literal["referee", "thinker"]
Event = Received | FromReferee | FromThinker | Lost | TimePassed | Ending

# Effects


@dataclass(frozen=True, slots=True)
class Reply:
    """Send a reply of the protocol."""

    connection: int
    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refuse a request with a message for people."""

    connection: int
    message: str


@dataclass(frozen=True, slots=True)
class TellReferee:
    """Give a task to the referee."""

    task: RefereeTask


@dataclass(frozen=True, slots=True)
class TellThinker:
    """Give a task to the thinker."""

    task: ThinkerTask


@dataclass(frozen=True, slots=True)
class Restart:
    """End a process, and start another one in its place."""

    process: Process


@dataclass(frozen=True, slots=True)
class Note:
    """Report an event to people."""

    level: Literal["info", "warning"]
    text: str


Effect = Reply | Refusal | TellReferee | TellThinker | Restart | Note

# Situations


@dataclass(frozen=True, slots=True)
class DialogueSettings:
    """The name of the player in replies, and times in seconds."""

    name: str = "hornbook"
    margin: float = 1.0
    """The part of each clock that is left for late players and for the network."""
    patience: float = 600.0
    """The time without a request, beyond the clocks, after which a match counts as abandoned."""


@dataclass(frozen=True, slots=True)
class Match:
    """The match in progress."""

    start: Start
    heard: float
    """The time of the last request."""
    losses: int = 0
    """The number of thinkers that were lost."""


class Stage(Enum):
    """The awaited event of a reply: rules are read, the player is prepared, moves are judged, or chosen."""

    LOAD = "load"
    PREPARE = "prepare"
    JUDGE = "judge"
    THINK = "think"


@dataclass(frozen=True, slots=True)
class Pending:
    """The request that is being answered."""

    stage: Stage
    connection: int
    number: int
    """The number of the task whose answer is awaited."""
    deadlines: Deadlines
    request: Start | Preview | Play
    legal: tuple[tuple[Ground, str], ...] = ()
    untold: Judged | None = None
    """The state that the thinker gets when its current task ends."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that the next event depends on."""

    settings: DialogueSettings = DialogueSettings()
    number: int = 0
    """The number of the last task."""
    match: Match | None = None
    pending: Pending | None = None
    thinking: int | None = None
    """The number of the task that the thinker works on."""

    @property
    def wakes_at(self) -> float | None:
        """The time of the next TimePassed."""
        return None if self.pending is None else self.pending.deadlines.reply


Step = tuple[Situation, tuple[Effect, ...]]


def step(now: Situation, event: Event, time: float) -> Step:
    """Return the situation after an event at a time in seconds, and its effects in their order."""
    match event:
        case Received():
            return _received(now, event, time)
        case FromReferee(answer):
            return _judged(now, answer, time)
        case FromThinker(thought):
            return _thought(now, thought, time)
        case Lost(process):
            return _without_referee(now) if process == "referee" else _without_thinker(now)
        case TimePassed():
            return _late(now, time)
        case Ending():
            return _without_pending(now)


# Requests


def _received(now: Situation, event: Received, time: float) -> Step:
    now, effects = _without_abandoned(now, time)
    after, more = _answered(now, event, time)
    return after, (*effects, *more)


def _without_abandoned(now: Situation, time: float) -> Step:
    """End the match if its manager has sent no request for too long."""
    match, settings = now.match, now.settings
    if match is None or now.pending is not None:
        return now, ()
    longest = max(match.start.start_clock, match.start.play_clock)
    if time <= match.heard + longest + settings.patience:
        return now, ()
    after, effects = _at_rest(replace(now, match=None))
    return after, (Note("warning", f"{_named(match)} is abandoned: no request came for it"), *effects)


def _answered(now: Situation, event: Received, time: float) -> Step:
    try:
        request = request_of(event.text)
    except RequestError as problem:
        return now, (Refusal(event.connection, str(problem)),)
    match request:
        case Info():
            status = "available" if now.match is None and now.pending is None else "busy"
            return now, (Reply(event.connection, f"((name {now.settings.name}) (status {status}))"),)
        case Start() | Preview():
            return _begin(now, event.connection, request, time)
    if now.match is None or now.match.start.match != request.match:
        return now, (Reply(event.connection, "busy"),)
    now = replace(now, match=replace(now.match, heard=time))
    match request:
        case Play():
            return _play(now, event.connection, request, time)
        case Stop() | Abort():
            return _end(now, event.connection, request)


def _begin(now: Situation, connection: int, request: Start | Preview, time: float) -> Step:
    """Read the rules of a match or a preview, unless there is a match."""
    if now.match is not None or now.pending is not None:
        return now, (Reply(connection, "busy"),)
    is_start = isinstance(request, Start)
    clock = request.start_clock if isinstance(request, Start) else request.clock
    deadlines = Deadlines.of(time, clock, now.settings.margin)
    number = now.number + 1
    pending = Pending(Stage.LOAD, connection, number, deadlines, request)
    load = Load(number, request.rules, request.role if isinstance(request, Start) else None)
    effects: tuple[Effect, ...] = (TellReferee(load),)
    if is_start and now.thinking is not None:  # it did not stop
        now, effects = replace(now, thinking=None), (Restart("thinker"), *effects)
    return replace(now, number=number, pending=pending), effects


def _play(now: Situation, connection: int, request: Play, time: float) -> Step:
    """Let the referee make the moves of a step."""
    match = now.match
    assert match is not None
    if now.pending is not None:
        return now, (Reply(connection, "busy"),)
    number = now.number + 1
    deadlines = Deadlines.of(time, match.start.play_clock, now.settings.margin)
    pending = Pending(Stage.JUDGE, connection, number, deadlines, request)
    return replace(now, number=number, pending=pending), (TellReferee(Judge(number, request.moves)),)


def _end(now: Situation, connection: int, request: Stop | Abort) -> Step:
    """End the match. A request that is being answered gets its fallback."""
    match = now.match
    assert match is not None
    now, effects = _without_pending(now)
    effects = (*effects, Reply(connection, "done" if isinstance(request, Stop) else "aborted"))
    if isinstance(request, Stop):
        now = replace(now, number=now.number + 1)
        effects = (*effects, TellReferee(Finish(now.number, request.moves)))
    else:
        effects = (*effects, Note("info", f"{_named(match)} is aborted"))
    after, more = _at_rest(replace(now, match=None))
    return after, (*effects, *more)


def _at_rest(now: Situation) -> Step:
    """Let the thinker forget the match."""
    number = now.number + 1
    return replace(now, number=number, thinking=number), (TellThinker(Rest(number)),)


# Answers of the referee


def _judged(now: Situation, answer: RefereeAnswer, time: float) -> Step:
    if isinstance(answer, Finished):
        return now, (Note("info", f"the match has ended: {answer.result}"),)
    pending = now.pending
    if pending is None or pending.number != answer.number:
        return now, ()
    match answer:
        case Refused():
            return replace(now, pending=None), (Refusal(pending.connection, answer.message),)
        case Loaded():
            return _loaded(now, pending, time)
        case Judged():
            return _with_moves(now, pending, answer, time)


def _loaded(now: Situation, pending: Pending, time: float) -> Step:
    """Answer a preview, or begin the match and let the thinker prepare."""
    if not isinstance(pending.request, Start):
        return replace(now, pending=None), (Reply(pending.connection, "ready"),)
    match = Match(pending.request, time)
    number = now.number + 1
    after = replace(
        now,
        number=number,
        match=match,
        thinking=number,
        pending=replace(pending, stage=Stage.PREPARE, number=number),
    )
    seconds = pending.deadlines.thinking - time
    return after, (
        Note("info", f"{_named(match)} begins, as {match.start.role[:_SHORT]}"),
        TellThinker(Prepare(number, match.start.rules, match.start.role, seconds)),
    )


def _with_moves(now: Situation, pending: Pending, judged: Judged, time: float) -> Step:
    """Let the thinker choose among the legal moves, when it is free."""
    if not judged.legal:
        note = Note("warning", "the rules give the role no legal move")
        return replace(now, pending=None), (note, Reply(pending.connection, "nil"))
    number = now.number + 1
    pending = replace(pending, stage=Stage.THINK, number=number, legal=judged.legal, untold=judged)
    return _with_task(replace(now, number=number, pending=pending), time)


def _with_task(now: Situation, time: float) -> Step:
    """Tell a free thinker the state that waits for it."""
    pending = now.pending
    if now.thinking is not None or pending is None or pending.untold is None:
        return now, ()
    task = Think(pending.number, pending.untold.state, pending.deadlines.thinking - time)
    after = replace(now, thinking=pending.number, pending=replace(pending, untold=None))
    return after, (TellThinker(task),)


# Answers of the thinker


def _thought(now: Situation, answer: Thought, time: float) -> Step:
    notes: tuple[Effect, ...] = ()
    if now.thinking == answer.number:
        now = replace(now, thinking=None)
    if answer.failure:
        notes = (Note("warning", f"the player failed: {answer.failure}"),)
    pending = now.pending
    if pending is None or pending.number != answer.number:
        after, effects = _with_task(now, time)
        return after, (*notes, *effects)
    if pending.stage is Stage.THINK:
        text = next((text for move, text in pending.legal if move == answer.move), None)
        if text is not None:
            return replace(now, pending=None), (Reply(pending.connection, text),)
        if answer.move is not None:
            notes = (Note("warning", f"the player chose an illegal move: {text_of(answer.move)[:_SHORT]}"),)
    after, effects = _without_pending(now)
    return after, (*notes, *effects)


# Late and lost processes


def _without_pending(now: Situation) -> Step:
    """Answer the pending request without the awaited process; a request for a move gets a fallback."""
    pending = now.pending
    if pending is None:
        return now, ()
    match pending.stage:
        case Stage.LOAD:
            text = "busy"
        case Stage.PREPARE:
            text = "ready"
        case Stage.JUDGE:
            text = "nil"
        case Stage.THINK:
            text = pending.legal[0][1]
    return replace(now, pending=None), (Reply(pending.connection, text),)


def _late(now: Situation, time: float) -> Step:
    pending = now.pending
    if pending is None or time < pending.deadlines.reply:
        return now, ()
    after, effects = _without_pending(now)
    match pending.stage:
        case Stage.LOAD:
            note = Note("warning", "the rules were not read in time")
            return after, (note, *effects, Restart("referee"))
        case Stage.JUDGE:
            return after, (Note("warning", "the legal moves were not known in time"), *effects)
        case Stage.PREPARE | Stage.THINK:
            return after, (Note("warning", "the player was late"), *effects)


def _without_referee(now: Situation) -> Step:
    """Start another referee. The match ends, because its state is lost."""
    match, pending = now.match, now.pending
    effects: tuple[Effect, ...] = (Note("warning", "the process that evaluates the rules was lost"),)
    if pending is not None and pending.stage is Stage.LOAD:
        reason = "the rules cannot be evaluated: they take too much memory, or are too large"
        now, effects = replace(now, pending=None), (*effects, Refusal(pending.connection, reason))
    now, more = _without_pending(now)
    effects = (*effects, *more, Restart("referee"))
    if match is None:
        return now, effects
    after, more = _at_rest(replace(now, match=None))
    return after, (*effects, Note("warning", f"{_named(match)} is given up"), *more)


def _without_thinker(now: Situation) -> Step:
    """Start another thinker, which prepares for the match again within a quarter of the time for a move."""
    effects: tuple[Effect, ...] = (Note("warning", "the process of the player was lost"), Restart("thinker"))
    now = replace(now, thinking=None)
    match, pending = now.match, now.pending
    if match is None:
        return now, effects
    match = replace(match, losses=match.losses + 1)
    number = now.number + 1
    now = replace(now, match=match)
    if pending is not None and (
        pending.stage is Stage.PREPARE or (pending.stage is Stage.THINK and pending.untold is None)
    ):
        now, more = _without_pending(now)
        effects = (*effects, *more)
    if match.losses > MAX_LOSSES:
        note = Note("warning", "the player is not started again in this match: too many processes were lost")
        return now, (*effects, note)
    task = Prepare(number, match.start.rules, match.start.role, match.start.play_clock / 4)
    return replace(now, number=number, thinking=number), (*effects, TellThinker(task))


def _named(match: Match) -> str:
    return f"the match {match.start.match[:_SHORT]}"
