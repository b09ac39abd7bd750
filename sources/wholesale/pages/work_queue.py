"""Work queue: a function applied to items on several threads, results in the order of the items."""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

A = TypeVar("A")
B = TypeVar("B")


@dataclass(slots=True)
class WorkQueue(Generic[A, B]):
    """Items that wait for a thread; no more than `limit()` threads work at once.

    A thread takes one item after the other: to wake a thread costs as much as an item does.
    """

    function: Callable[[A], B]
    limit: Callable[[], int]
    _waiting: deque[tuple[A, Future[B]]] = field(default_factory=deque)
    _working: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, items: Iterable[A], threads: Executor) -> list[Future[B]]:
        """The results of `function` for these items, in their order, computed on these threads."""
        added = [(item, Future[B]()) for item in items]
        with self._lock:
            self._waiting.extend(added)
            more = max(0, min(len(self._waiting), self.limit() - self._working))
            self._working += more
        for _ in range(more):
            threads.submit(self._work)
        return [future for _, future in added]

    def clear(self) -> None:
        """Drop the items that no thread has taken yet."""
        with self._lock:
            self._waiting.clear()

    def _work(self) -> None:
        while taken := self._take():
            item, future = taken
            try:
                future.set_result(self.function(item))
            except BaseException as error:
                future.set_exception(error)

    def _take(self) -> tuple[A, Future[B]] | None:
        """The next item; None when this thread is to stop."""
        with self._lock:
            if self._waiting and self._working <= self.limit():
                return self._waiting.popleft()
            self._working -= 1
            return None
