"""Fair queue: clients take turns, so that no client waits for all requests of another one."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items of several clients. The items of one client keep their order."""

    def __init__(self) -> None:
        self._of_client: OrderedDict[str, deque[T]] = OrderedDict()
        self._first: deque[T] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, client: str, item: T) -> None:
        """Add an item as the last one of its client."""
        self._of_client.setdefault(client, deque()).append(item)
        self._size += 1

    def add_first(self, item: T) -> None:
        """Add an item before all others."""
        self._first.appendleft(item)
        self._size += 1

    def take(self) -> T:
        """Remove the next item and return it. Raise IndexError if there is none."""
        if not self._size:
            raise IndexError("the queue is empty")
        self._size -= 1
        if self._first:
            return self._first.popleft()
        client, items = self._of_client.popitem(last=False)
        item = items.popleft()
        if items:
            self._of_client[client] = items
        return item
