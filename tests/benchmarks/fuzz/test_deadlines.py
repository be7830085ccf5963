"""Tests of time limits on random inputs, including a limit that expires during garbage collection."""

import gc
import time
import weakref

import pytest

from oracles.deadlines import OverrunError, bounded

pytestmark = pytest.mark.deep


class Finalized:
    def __del__(self):
        busy()


class Referred:
    pass


def busy(*_):
    end = time.process_time() + 0.03
    while time.process_time() < end:
        pass


def in_a_callback():
    gc.callbacks.append(busy)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(busy)


def in_a_weak_reference():
    weakref.finalize(Referred(), busy)


@pytest.mark.parametrize("lost", [in_a_callback, in_a_weak_reference, Finalized])
def test_no_end_of_time_is_lost_in_the_collector(lost):
    def work():
        with bounded(0.01):
            lost()
            for _ in range(100):
                busy()

    with pytest.raises(OverrunError):
        work()


def test_the_bound_is_removed_afterwards():
    with bounded(0.01):
        pass
    busy()
