"""Imported: whatever a command may import, at once, for processes that are forked."""

from wholesale_elt import load, publish, warehouse
from wholesale_elt.cli.main import main

__all__ = ["load", "main", "publish", "warehouse"]
