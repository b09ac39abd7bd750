"""A warehouse made by hand, for each test its own."""

from support.warehouses.desk_fixtures import desk, lake

__all__ = ["desk", "lake"]
