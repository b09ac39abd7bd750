"""Pictures: fetches the pictures of products, which others keep, as files of the site.

In:  addresses, and a folder with the pictures that the version before had.
Out: files there, each called by its content, and what could not be fetched, counted by its reason.
Knows nothing of the site, or of what the pictures show.
Begin with `fetching`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.pictures.fetching import Bounds, fetch_pictures
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["Bounds", "fetch_pictures"]
