"""Consolidation: the published versions of all accounts, to be read in one place.

In:  the published version of each account, and the account's state.
Out: a folder of versions: Parquet by account, sums by account, currency and settings, a page.
Knows nothing of warehouses, services, or where the list of accounts comes from.
Begin with `publisher`.
"""

from wholesale_fleet.consolidation.manifest import DATABASE, EVERY_HOURS, FleetManifest, is_late
from wholesale_fleet.consolidation.member import AccountFolder, read_member
from wholesale_fleet.consolidation.publisher import consolidate
from wholesale_fleet.consolidation.summary import Consolidation

__all__ = [
    "DATABASE",
    "EVERY_HOURS",
    "AccountFolder",
    "Consolidation",
    "FleetManifest",
    "consolidate",
    "is_late",
    "read_member",
]
