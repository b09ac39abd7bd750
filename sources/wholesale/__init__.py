"""Extractor and dlt source for the wholesale catalog-and-ordering API.

To know how a sync works, read these files in this order: a long day, at 600 lines an hour. Of every
other package its `__init__` is enough: what comes in, what goes out, what it must not know.

1. `prove/__init__`: the theory, why a count proves that a list that moves is complete
2. `api/resources`, `api/profile`: what is read, and in what services may differ
3. `pages` but not `read_ahead`, `work_queue`: a list as pages, whatever its paging; records by
   themselves (these two fetch several at once)
4. `tables/decoded`: a page as Arrow tables, with the ids and versions of its rows
5. `compare` but not `stored`, `row_hashes`, `summaries`, `sorted_runs`, `digests`: what comes
   against what is stored (these hold hashes in little memory)
6. `expect`: what full records must have, and the sentence for what contradicts that
7. `discover`: how a service behaves where the description leaves it open
8. `prove` but not `head`: what proves a list, and which records are gone (how the head of a list
   can be enough may be skipped)
9. `sync` but not `again`: a run, from the list to its certificate; begin with `run` (how orders are
   read again by their ids may be skipped)

`poe lint` counts these lines and fails above a limit: whoever adds lines here takes as many out.
"""

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wholesale.source import wholesale_source

# dlt reports each run to its vendor unless told not to; who wants that can still say so.
os.environ.setdefault("RUNTIME__DLTHUB_TELEMETRY", "false")

__all__ = ["wholesale_source"]


def __getattr__(name: str) -> Any:
    """Load the source, and dlt with it, only when it is asked for."""
    if name in __all__:
        from wholesale import source

        return getattr(source, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Names that notebooks and shells complete, those that are not loaded yet among them."""
    return sorted({*globals(), *__all__})
