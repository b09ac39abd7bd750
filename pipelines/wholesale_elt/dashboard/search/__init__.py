"""Search: data files by which the page finds an order without reading all of them.

In:  the orders of a version.
Out: a small file for each ending of a number.
Knows nothing of what the page shows.
Begin with `purchases`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.dashboard.search.purchases import (
        NUMBERED,
        PURCHASES,
        read_endings,
        write_purchases,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["NUMBERED", "PURCHASES", "read_endings", "write_purchases"]
