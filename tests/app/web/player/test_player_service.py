"""The effects of a dialogue: tasks for real and for late processes."""

from __future__ import annotations

import asyncio

import pytest

from hornbook.planner.protocol.dialogue import DialogueSettings, Refusal, Reply
from hornbook.planner.protocol.referee import Referee
from hornbook.planner.protocol.tasks import Prepare, Thought
from hornbook.web.player.processes import PlayerProgram, TaskProcess
from hornbook.web.player.service import PlayerService
from hornbook.web.serving import ServingError
from oracles.gdl.own_sheets import SHEETS

NOUGHTS = SHEETS["noughts_and_crosses"].read_text()
START = f"(START m cross ({NOUGHTS}) 600 {{clock}})"
PROGRAM = PlayerProgram("legal", 1, 2000 * 2**20)


class Idle:
    """A referee in the same process, and a thinker that prepares but never chooses."""

    def __init__(self, role, program, answered, lost):
        self.began = asyncio.get_running_loop().create_future()
        self.began.set_result(None)
        self._answered, self._referee = answered, Referee() if role == "referee" else None

    def tell(self, task):
        loop = asyncio.get_running_loop()
        if self._referee is not None:
            loop.call_soon(self._answered, self._referee.answer(task))
        elif isinstance(task, Prepare):
            loop.call_soon(self._answered, Thought(task.number))

    def kill(self):
        """Nothing has been started."""


async def until(holds):
    while not holds():  # noqa: ASYNC110 - the service has no event for it
        await asyncio.sleep(0.01)


def texts(replies):
    return [each.text if isinstance(each, Reply) else "refused" for each in replies]


def served(conversation, process=TaskProcess, program=PROGRAM, margin=1.0):
    """Return what a conversation with a service returns, and the notes for people."""
    notes = []

    async def run():
        service = PlayerService(
            DialogueSettings("me", margin), program, lambda _, text: notes.append(text), process
        )
        async with service.life():
            return await conversation(service)

    return asyncio.run(run()), notes


def test_a_late_player_is_replaced_by_a_legal_move():
    async def conversation(service):
        return [
            await service.reply_to(each) for each in (START.format(clock=1), "(PLAY m NIL)", "(STOP m NIL)")
        ]

    replies, notes = served(conversation, Idle)
    assert texts(replies) == ["ready", "(put 1 1)", "done"]
    assert "the player was late" in notes


def test_the_pending_request_is_answered_at_the_end():
    async def conversation(service):
        await service.reply_to(START.format(clock=600))
        playing = asyncio.create_task(service.reply_to("(PLAY m NIL)"))
        await until(lambda: service._situation.pending is not None and service._situation.pending.legal)
        service.end()
        return [await playing]

    assert texts(served(conversation, Idle)[0]) == ["(put 1 1)"]


def test_a_closed_connection_does_not_end_the_match():
    async def conversation(service):
        await service.reply_to(START.format(clock=600))
        playing = asyncio.create_task(service.reply_to("(PLAY m NIL)"))
        await asyncio.sleep(0)
        playing.cancel()
        stopped = await service.reply_to("(ABORT m)")
        return [stopped, await service.reply_to("(INFO)")]

    assert texts(served(conversation, Idle)[0]) == ["aborted", "((name me) (status available))"]


def test_lost_processes_are_replaced():
    async def conversation(service):
        replies = [await service.reply_to(each) for each in (START.format(clock=600), "(PLAY m NIL)")]
        lost = service._processes["thinker"]
        lost._process.kill()
        await until(lambda: service._processes["thinker"] is not lost)
        replies.append(await service.reply_to("(PLAY m ((put 2 2) pass))"))
        lost = service._processes["referee"]
        lost._process.kill()
        await until(lambda: service._processes["referee"] is not lost)
        replies.append(await service.reply_to("(PLAY m (pass (put 1 1)))"))
        return [*replies, await service.reply_to(START.format(clock=600))]

    replies, notes = served(conversation)
    assert texts(replies) == ["ready", "(put 1 1)", "pass", "busy", "ready"]
    assert "the process of the player was lost" in notes
    assert "the match m is given up" in notes


def test_rules_that_need_too_much_memory_are_refused():
    digits = " ".join(f"(d {number})" for number in range(40))
    columns = " ".join(f"?x{number}" for number in range(12))
    conditions = " ".join(f"(d ?x{number})" for number in range(12))
    rules = f"(role a) {digits} (<= (legal a (go {columns})) {conditions}) (<= terminal (role b))"

    async def conversation(service):
        refused = await service.reply_to(f"(START m a ({rules}) 600 600)")
        return [refused, await service.reply_to(START.format(clock=600))]

    replies, _ = served(conversation, program=PlayerProgram("legal", 1, 400 * 2**20))
    assert isinstance(replies[0], Refusal)
    assert "rules" in replies[0].message
    assert texts(replies[1:]) == ["ready"]


def test_processes_that_do_not_start_are_reported():
    class Broken(Idle):
        def __init__(self, role, program, answered, lost):
            super().__init__(role, program, answered, lost)
            self.began = asyncio.get_running_loop().create_future()
            self.began.set_exception(ConnectionError("ended"))

    async def conversation(service):
        raise AssertionError

    with pytest.raises(ServingError, match="do not start"):
        served(conversation, Broken)
