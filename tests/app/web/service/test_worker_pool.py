"""Worker processes of the service, as the server sees them."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from hornbook.web.service import worker_pool
from hornbook.web.service.worker_pool import Worker


def test_a_process_can_be_ended_before_it_is_connected(monkeypatch):
    """Send a signal to stop while the service starts."""
    ended = []
    process = SimpleNamespace(kill=lambda: ended.append("killed"), join=lambda: None)
    monkeypatch.setattr(worker_pool, "start_worker", lambda *_arguments, **_options: process)

    async def start_and_kill() -> None:
        worker = Worker(lambda _worker, _done: None, lambda _worker: ended.append("lost"))
        starting = asyncio.ensure_future(worker.start(None, None, keeps=False))
        await asyncio.sleep(0)
        worker.kill()
        with pytest.raises(worker_pool.WorkerPoolError, match="getting ready"):
            await starting

    asyncio.run(start_and_kill())
    assert ended == ["killed", "lost"]
