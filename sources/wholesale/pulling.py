"""Pulling: what a function hands on, for those who ask for one at a time, as dlt does."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Semaphore
from typing import TypeVar

T = TypeVar("T")


class _Left(Exception):
    """Nobody asks any more."""


def pull(read: Callable[[Callable[[T], None]], None]) -> Iterator[T]:
    """All that `read` hands on, in order; it works in a thread, one ahead of who asks.

    Whoever leaves early ends it the next time that it hands something on. Raises: what it raises.
    """
    asked = Semaphore(1)
    handed: SimpleQueue[tuple[T] | None] = SimpleQueue()
    is_left = False

    def hand_on(found: T) -> None:
        asked.acquire()
        if is_left:
            raise _Left
        handed.put((found,))

    def work() -> None:
        try:
            read(hand_on)
        except _Left:
            pass
        finally:
            handed.put(None)

    with ThreadPoolExecutor(1, thread_name_prefix="read") as executor:
        working = executor.submit(work)
        try:
            while one := handed.get():
                yield one[0]
                asked.release()
            working.result()
        finally:
            is_left = True
            asked.release()
