"""Memory of the process: what is free goes back to the system soon.

Pages, batches and tables of some megabytes come and go on many threads. Left alone, the allocators
keep room for the most that ever was, on each thread, which is several times what is in use.
"""

import ctypes
import gc
import os
import resource
import sys
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wholesale.sync import Observe, Report

MALLOC_OPTIONS = {
    -1: 2**26,  # M_TRIM_THRESHOLD: what may stay free at the top of the heap between two steps
    -3: 2**26,  # M_MMAP_THRESHOLD: smaller blocks are taken from the heap, which is used again
    -8: 2,  # M_ARENA_MAX: heaps for all threads together
}
"""Options of glibc's `mallopt`, by their numbers in malloc.h: few heaps, trimmed at each step,
cost less memory than its defaults, and less time than blocks that come and go by themselves."""

MIMALLOC_OPTIONS = {"MIMALLOC_ARENA_EAGER_COMMIT": "0"}
"""Options of mimalloc, which comes with pyreqwest and reads them from the environment when that is
first imported: left alone it takes huge pages, 17 MB more before a first answer is there."""

STEPS_A_TRIM = 8
"""What is returned is asked for again, page by page: at each step that is a tenth of all work."""


MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of one of the peak as the system tells it."""
LITTLE = 300
"""Megabytes: a process that never held more has nothing to clear away that is worth the search."""

OBJECTS_A_COLLECTION = 300_000
"""What imports make stays: to look through it every 700 objects is a good part of a short run, and
half of what dbt takes."""


def collect_seldom() -> None:
    """Look for garbage in cycles less often than Python does by itself."""
    gc.set_threshold(OBJECTS_A_COLLECTION)


def keep_flat() -> None:
    """Set the allocators of this process; that of C on Linux with glibc only.

    The environment has precedence where it sets those of mimalloc.
    """
    import pyarrow as pa

    for name, setting in MIMALLOC_OPTIONS.items():
        os.environ.setdefault(name, setting)
    pa.set_memory_pool(pa.system_memory_pool())
    if mallopt := _glibc("mallopt"):
        for option, value in MALLOC_OPTIONS.items():
            mallopt(option, value)


def giving_back(observe: "Observe") -> "Observe":
    """The same, and every few steps what is free between blocks in use is returned as well."""
    steps = count(1)

    def observe_and_trim(report: "Report") -> None:
        observe(report)
        if next(steps) % STEPS_A_TRIM == 0:
            give_back()

    return observe_and_trim


def give_back() -> None:
    """Return what is free between blocks in use; of glibc only."""
    if malloc_trim := _glibc("malloc_trim"):
        malloc_trim(0)


def clear_away() -> None:
    """Return what a part of a run has left, so that its peak is not added to that of the next:
    what is garbage in cycles, as errors and their frames are, and what is free."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if most * MAXRSS_UNIT > LITTLE * 10**6:
        gc.collect()
        give_back()


def _glibc(function: str) -> Callable[..., Any] | None:
    return getattr(ctypes.CDLL(None), function, None) if sys.platform == "linux" else None
