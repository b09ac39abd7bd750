"""Extractor and dlt source for the wholesale catalog-and-ordering API.

To know how a sync works, read these files in this order: a long day, at 600 lines an hour. What is
left out may be skipped. First the docstrings of `errors`, `json` and `http`: pages and their bytes.

1. `prove/__init__`: the theory, why a count proves that a list that moves is complete
2. `api/resources`, `api/profile`: what is read, and in what services may differ
3. `pages` but not `read_ahead`, `work_queue`: begin with `paginator`, `list_reader`; the two fetch
   several pages at once
4. `tables/decoded`: a page as Arrow tables, with the ids of its rows
5. `compare` but not `stored`, `row_hashes`, `summaries`, `sorted_runs`, `digests`: begin with
   `ledger`; the five hold hashes in little memory
6. `prove` but not `head`: `steps`, `proof`, `absence`, `course`; `head` says when the head of
   a list is enough
7. `expect`: begin with `form`; what full records must have, and what contradicts that
8. `discover`: how a service behaves where the description leaves it open
9. `sync` but not `again`: `reading`, `tally`, `doubts`, `batches`, `changes`, `listing`, `reader`,
   `run`; `wholesale_elt.runs.certificate` makes the certificate of a tally and its doubts

`poe lint` counts these lines and fails above a limit: whoever adds lines here takes as many out.
"""

import os
from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale.source import wholesale_source
else:
    __getattr__ = lazy_names(__name__)  # dlt with it, only when it is asked for

# dlt reports each run to its vendor unless told not to; who wants that can still say so.
os.environ.setdefault("RUNTIME__DLTHUB_TELEMETRY", "false")

__all__ = ["wholesale_source"]


def __dir__() -> list[str]:
    """Names that notebooks and shells complete, those that are not loaded yet among them."""
    return sorted({*globals(), *__all__})
