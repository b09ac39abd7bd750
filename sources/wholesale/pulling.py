"""Pulling: turns a function that passes values to a callback into an iterator, as dlt wants."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeVar

T = TypeVar("T")


class _Closed(Exception):
    """The iterator was closed."""


def pull(read: Callable[[Callable[[T], None]], None]) -> Iterator[T]:
    """The values that `read` passes to its callback; it runs in a thread, one value ahead.

    Closing the iterator stops `read` at its next value and waits for that; an interrupt does not
    wait. Raises: what `read` raises.
    """
    asked = Semaphore(1)
    handed: SimpleQueue[tuple[T] | Exception | None] = SimpleQueue()
    is_closed = False

    def hand_on(found: T) -> None:
        asked.acquire()
        if is_closed:
            raise _Closed
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
        is_closed = True
        asked.release()
        thread.join()
        raise
    if found:
        raise found
