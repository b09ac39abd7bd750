"""Places: where a receiver finds its batches: a folder, a bucket, or a database.

In:  a batch, with its files and manifest.
Out: the same there, whole or not at all for who reads the manifest first.
Knows nothing of orders, and of what a batch is made from.
Begin with `place`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_books.handover.places.named import place_at
    from wholesale_books.handover.places.place import NotDelivered, Place
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["NotDelivered", "Place", "place_at"]
