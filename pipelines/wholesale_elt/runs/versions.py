"""Versions: which versions of this package wrote a warehouse, so that older ones refuse it."""

from datetime import UTC, datetime
from importlib.metadata import version as installed_version

import pyarrow as pa
from packaging.version import Version

from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse import Raw, Warehouse

VERSIONS = "sync_versions"
"""A row for each change of the version that writes."""
VERSIONS_SCHEMA = pa.schema(
    [
        pa.field("version", pa.string(), nullable=False),
        pa.field("first_wrote_at", pa.timestamp("us", "UTC"), nullable=False),
    ]
)


def this_version() -> str:
    """The installed version of this package."""
    return installed_version("wholesale-elt")


def read_version(raw: Raw) -> str | None:
    """The version that wrote last; None if it did not record that."""
    rows = raw.rows(
        f"select version from {raw.name(VERSIONS)} order by first_wrote_at desc limit 1"
    )
    return str(rows[0][0]) if rows else None


def require_known(raw: Raw, warehouse: Warehouse) -> None:
    """Raises: ConfigurationError if a newer version wrote, whose data this one does not know, or an
    earlier one that was not exact."""
    rows = raw.rows(f"select version from {raw.name(VERSIONS)}")
    newest = max((str(row[0]) for row in rows), key=Version, default=None)
    if newest and Version(newest) > Version(this_version()):
        raise ConfigurationError(
            f"{warehouse.name} was written by wholesale-elt {newest}, and this is"
            f" {this_version()}: install {newest} or newer, or {warehouse.remedy}"
        )
    raw.require_exact()


def version_row(raw: Raw) -> pa.Table:
    """The row that this version has to add; none if it wrote last."""
    version = this_version()
    rows = [{"version": version, "first_wrote_at": datetime.now(UTC)}]
    return pa.Table.from_pylist(
        rows if read_version(raw) != version else [], schema=VERSIONS_SCHEMA
    )
