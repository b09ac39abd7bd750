"""Read ahead: several requests at once, their results in order, in little memory."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from wholesale.http import Limiter
from wholesale.pages.work_queue import WorkQueue

AHEAD_PER_CONNECTION = 2
"""How many responses a connection may fetch before they are needed."""
MOST_AHEAD = 16
"""How many responses may wait besides those under way: it bounds the memory that they take."""
BYTES_AHEAD = 2**26
"""How many bytes of records may be under way or wait, judged by the largest of recent responses."""
AHEAD_AT_FIRST = 4
"""How many responses may be under way while nothing is known of their size."""
FORGETTING = 7 / 8
"""Factor by which the largest recent size decays with each response."""

A = TypeVar("A")
B = TypeVar("B")


@dataclass(slots=True)
class ReadAhead(Generic[B]):
    """Results that are fetched on `threads`, `limit()` at once, before they are needed.

    `bytes_of` tells the size of a result. One that takes longer than `patience` seconds lets the
    others pass; None: the results come in the order of the items.
    """

    limiter: Limiter
    threads: Executor
    limit: Callable[[], int]
    bytes_of: Callable[[B], int]
    patience: float | None = None
    _largest: int | None = None

    def read(self, function: Callable[[A], B], items: Iterable[A]) -> Iterator[B]:
        """The results of the function. Raises: what it raises."""
        queue = WorkQueue(function, self.limit)
        waiting: deque[Future[B]] = deque()
        rest = iter(items)
        try:
            while True:
                more = islice(rest, max(0, self._most() - len(waiting)))
                waiting.extend(queue.add(more, self.threads))
                if not waiting:
                    break
                if not waiting[0].done():
                    self.limiter.signal_demand()
                try:
                    waiting[0].exception(self.patience)  # waits, and raises only if it is too long
                except TimeoutError:
                    waiting.rotate(-1)
                    continue
                result = waiting.popleft().result()
                size = self.bytes_of(result)
                self._largest = max(size, int(FORGETTING * (self._largest or 0)))
                yield result
        finally:
            queue.clear()

    def _most(self) -> int:
        """How many results may be under way or wait, so that they take little memory."""
        connections, largest = self.limiter.limit, self._largest
        fits = AHEAD_AT_FIRST if largest is None else BYTES_AHEAD // max(1, largest)
        return max(1, min(AHEAD_PER_CONNECTION * connections, connections + MOST_AHEAD, fits))
