"""A warehouse made by hand, and an empty place in any destination."""

from support.warehouses.desk_fixtures import desk, lake
from support.warehouses.places import place_in, socket

__all__ = ["desk", "lake", "place_in", "socket"]
