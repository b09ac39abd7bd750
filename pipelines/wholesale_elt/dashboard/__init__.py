"""The dashboard: a static site that shows what is published, and reads nothing else."""

from wholesale_elt.dashboard.writing import write_dashboard, write_entry

__all__ = ["write_dashboard", "write_entry"]
