"""A PostgreSQL server, for the databases of a fleet's accounts."""

from support.warehouses.places import socket

__all__ = ["socket"]
