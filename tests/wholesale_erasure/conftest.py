"""An empty place in any destination, on a PostgreSQL server of the module's own."""

from support.warehouses.places import place_in, socket

__all__ = ["place_in", "socket"]
