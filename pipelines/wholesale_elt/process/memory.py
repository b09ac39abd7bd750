"""Memory: returns what the process has freed to the system.

Pages, batches and tables of some megabytes come and go on many threads. By default the allocators
keep the most that each thread ever used, which is several times what is in use.
"""

import ctypes
import gc
import resource
import sys
from collections.abc import Callable
from typing import Any

MALLOC_OPTIONS = {
    -1: 2**24,  # M_TRIM_THRESHOLD: bytes that may stay free at the top of a heap
    -3: 2**26,  # M_MMAP_THRESHOLD: smaller blocks come from the heap, which is reused
    -8: 2,  # M_ARENA_MAX: heaps for all threads together
}
"""Options of glibc's `mallopt`, by their numbers in malloc.h: a few heaps that are reused take less
memory than the defaults, and less time than to map and unmap each block."""

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in a unit of `ru_maxrss`."""
SMALL_PEAK_MB = 300
"""A process that never used more has too little garbage to be worth a collection."""


def limit_allocators() -> None:
    """Set the options of the allocators of this process; glibc's only where there is glibc."""
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())
    if mallopt := _glibc("mallopt"):
        for option, value in MALLOC_OPTIONS.items():
            mallopt(option, value)


def trim() -> None:
    """Return free memory between blocks in use to the system; with glibc only."""
    if malloc_trim := _glibc("malloc_trim"):
        malloc_trim(0)


def collect_and_trim() -> None:
    """Collect cyclic garbage, such as errors and their frames, and return free memory, so that the
    next part of a run does not start on top of it."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if most * MAXRSS_UNIT > SMALL_PEAK_MB * 10**6:
        gc.collect()
        trim()


def _glibc(function: str) -> Callable[..., Any] | None:
    return getattr(ctypes.CDLL(None), function, None) if sys.platform == "linux" else None
