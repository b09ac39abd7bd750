"""A work queue keeps the order of its items and the limit on the threads that work at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from wholesale.pages.work_queue import WorkQueue


def test_results_come_in_the_order_of_the_items_whatever_is_done_first() -> None:
    second = threading.Event()

    def answer(item: int) -> int:
        if item == 1:
            assert second.wait(10), "2 is begun while 1 is under way"
        second.set()
        return item * 10

    with ThreadPoolExecutor(2) as threads:
        found = WorkQueue(answer, lambda: 2).add([1, 2, 3], threads)
        assert [future.result(10) for future in found] == [10, 20, 30]


def test_a_thread_takes_one_item_after_the_other_and_a_new_one_begins_what_is_added_later() -> None:
    workers = []

    def answer(item: int) -> int:
        workers.append(threading.get_ident())
        return item

    with ThreadPoolExecutor(8) as threads:
        queue = WorkQueue(answer, lambda: 1)
        for items in ([1, 2, 3], [4], []):
            assert [future.result(10) for future in queue.add(items, threads)] == items

    assert len(workers) == 4
    assert len(set(workers[:3])) == 1


def test_threads_beyond_a_limit_that_falls_leave_and_the_rest_is_done_by_those_that_stay() -> None:
    limit = 3
    begun = threading.Barrier(3, timeout=120)
    under_way, most = 0, []
    lock = threading.Lock()

    def answer(item: int) -> int:
        nonlocal limit, under_way
        with lock:
            under_way += 1
            most.append(under_way)
        if item < 3:
            begun.wait()
            limit = 1
        with lock:
            under_way -= 1
        return item

    with ThreadPoolExecutor(8) as threads:
        found = WorkQueue(answer, lambda: limit).add(range(9), threads)
        assert [future.result(10) for future in found] == list(range(9))

    assert max(most) == 3
    assert most[-4:] == [1] * 4


def test_an_error_is_that_of_its_item_alone() -> None:
    def divide(item: int) -> float:
        return 6 / item

    with ThreadPoolExecutor(1) as threads:
        first, second, third = WorkQueue(divide, lambda: 1).add([1, 0, 2], threads)
        assert (first.result(10), third.result(10)) == (6, 3)
        with pytest.raises(ZeroDivisionError):
            second.result(10)


def test_nothing_more_is_begun_once_it_is_cleared() -> None:
    begun, cleared = threading.Event(), threading.Event()
    asked = []

    def answer(item: int) -> None:
        asked.append(item)
        begun.set()
        assert cleared.wait(10)

    with ThreadPoolExecutor(2) as threads:
        queue = WorkQueue(answer, lambda: 1)
        queue.add(range(5), threads)
        assert begun.wait(10)
        queue.clear()
        cleared.set()

    assert asked == [0]
