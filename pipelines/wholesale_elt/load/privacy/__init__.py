"""Privacy: which stored cells may not be there: another policy's, and those of who was erased.

In:  raw tables, the policy of now, and the list of the erased.
Out: the cells to empty, and tables without them.
Knows nothing of what a sync reads.
Begin with `policies`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.load.privacy.erasures import (
        ErasableCells,
        cells_of,
        count,
        empty_erased,
        emptying,
        remaining,
    )
    from wholesale_elt.load.privacy.policies import (
        POLICIES,
        POLICIES_SCHEMA,
        empty_differing,
        policy_row,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "POLICIES",
    "POLICIES_SCHEMA",
    "ErasableCells",
    "cells_of",
    "count",
    "empty_differing",
    "empty_erased",
    "emptying",
    "policy_row",
    "remaining",
]
