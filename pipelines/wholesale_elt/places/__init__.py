"""Places: countries and states, each by all its codes and names.

In:  the tables of ISO 3166 that pycountry keeps.
Out: the one name that is published of each, and the rows by which SQL finds it.
Knows nothing of the warehouse and the service.
Begin with `names`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.places.names import known_places, made_of, place_lines
else:
    __getattr__ = lazy_names(__name__)

__all__ = ["known_places", "made_of", "place_lines"]
