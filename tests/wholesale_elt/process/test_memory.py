"""Memory: the allocators are set, and what is free is given back, where the system has them."""

import ctypes
import gc
import sys
import weakref
from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

from wholesale_elt.process import memory

Called = list[tuple[int, ...]]


class Held:
    """What somebody holds."""

    holder: object


@pytest.fixture(autouse=True)
def _pool() -> Iterator[None]:
    """The pool of Arrow belongs to the whole process."""
    before = pa.default_memory_pool()
    yield
    pa.set_memory_pool(before)


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> dict[str, Called]:
    """What functions of glibc were called with, by their names."""
    called: dict[str, Called] = {"mallopt": [], "malloc_trim": []}

    def function(name: str) -> Callable[..., None]:
        return lambda *arguments: called[name].append(arguments)

    monkeypatch.setattr(memory, "_glibc", function)
    return called


def test_arrow_and_c_take_few_heaps_that_are_trimmed(called: dict[str, Called]) -> None:
    memory.limit_allocators()

    assert pa.default_memory_pool().backend_name == "system"
    assert called == {
        "mallopt": [(-1, 2**24), (-3, 2**26), (-8, 2)],
        "malloc_trim": [],
    }


def test_a_system_without_these_functions_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    memory.limit_allocators()
    memory.trim()

    assert pa.default_memory_pool().backend_name == "system"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has glibc")
def test_a_library_without_such_a_function_is_said_to_have_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """musl has no `mallopt`."""
    assert memory._glibc("malloc") is not None
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert memory._glibc("mallopt") is None


@pytest.mark.parametrize(("little", "is_cleared"), [(1, True), (10**6, False)])
def test_after_a_part_that_took_much_garbage_in_cycles_goes_and_what_is_free_is_given_back(
    called: dict[str, Called], monkeypatch: pytest.MonkeyPatch, little: int, *, is_cleared: bool
) -> None:
    monkeypatch.setattr(memory, "SMALL_PEAK_MB", little)
    gc.disable()
    try:
        garbage = Held()
        garbage.holder = garbage
        is_there = weakref.ref(garbage)
        del garbage

        memory.collect_and_trim()

        assert (is_there() is None) is is_cleared
        assert called["malloc_trim"] == ([(0,)] if is_cleared else [])
    finally:
        gc.enable()
