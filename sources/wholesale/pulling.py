"""Pulling: what a function hands on, for those who ask for one at a time, as dlt does."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeVar

T = TypeVar("T")


class _Left(Exception):
    """Nobody asks any more."""


def pull(read: Callable[[Callable[[T], None]], None]) -> Iterator[T]:
    """All that `read` hands on, in order; it works in a thread, one ahead of who asks.

    Whoever closes the iterator early ends it the next time that it hands something on, and waits
    for that; an interrupt waits for nothing. Raises: what it raises.
    """
    asked = Semaphore(1)
    handed: SimpleQueue[tuple[T] | Exception | None] = SimpleQueue()
    is_left = False

    def hand_on(found: T) -> None:
        asked.acquire()
        if is_left:
            raise _Left
        handed.put((found,))

    def work() -> None:
        try:
            read(hand_on)
        except Exception as error:
            handed.put(error)
        finally:
            handed.put(None)

    thread = Thread(target=work, name="read", daemon=True)
    thread.start()
    try:
        while isinstance(found := handed.get(), tuple):
            yield found[0]
            asked.release()
    except GeneratorExit:
        is_left = True
        asked.release()
        thread.join()
        raise
    if found:
        raise found
