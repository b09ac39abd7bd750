"""Copies: a warehouse copied into another, as it is or as it was at a moment, without the service.

In:  a warehouse, and an empty one.
Out: its records, observations and certificates, there.
Knows nothing of the service, or of what is built of the records.
Begin with `copying`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.load.copies.copying import TableDigest, copy_warehouse
    from wholesale_elt.load.copies.then import PART_KINDS, copy_as_of
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["PART_KINDS", "TableDigest", "copy_as_of", "copy_warehouse"]
