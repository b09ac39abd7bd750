"""Releases: which releases of this package wrote a warehouse, so that older ones refuse it."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

from packaging.version import Version

from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse import RELEASES

if TYPE_CHECKING:
    import pyarrow as pa

    from wholesale_elt.warehouse import RawReader, Warehouse

LAYOUT = 2
"""The number of the layout of what is stored, which a change of it raises within a release, too."""


@cache
def this_release() -> str:
    """The version of the installed release, and as its local part (PEP 440) the layout, so that it
    is newer than one of another layout with the same version."""
    return f"{installed_version('wholesale-elt')}+{LAYOUT}"


def _last_release(raw: "RawReader") -> str | None:
    """The version of the release that wrote last; None if it did not record that."""
    rows = raw.rows(
        f"select version from {raw.name(RELEASES)} order by first_wrote_at desc limit 1"
    )
    return str(rows[0][0]) if rows else None


def require_known(raw: "RawReader", warehouse: "Warehouse") -> None:
    """Raises: ConfigurationError if a newer release wrote, whose data this one does not know."""
    refuse_newer(
        (row[0] for row in raw.rows(f"select version from {raw.name(RELEASES)}")), warehouse
    )


def refuse_newer(releases: Iterable[str], warehouse: "Warehouse") -> None:
    """Raises: ConfigurationError if one of the releases that wrote is newer than this one."""
    newest = max(releases, key=_age, default=None)
    if newest is not None and is_newer(newest):
        name = newest or "(no version)"
        raise ConfigurationError(
            f"{warehouse.name} was written by wholesale-elt {name}, and this is"
            f" {this_release()}: install {name} or newer, or {warehouse.remedy}"
        )


def is_newer(release: str) -> bool:
    """Whether a release is newer than this one, or none whose name this one can read."""
    return _age(release) > _age(this_release())


def _age(release: str) -> tuple[bool, Version]:
    try:
        return False, Version(release)
    except ValueError:
        return True, Version("0")


def release_row(raw: "RawReader") -> "pa.Table":
    """The row that this release has to add; none if it wrote last."""
    import pyarrow as pa

    from wholesale_elt.runs.tables import RELEASES_SCHEMA

    version = this_release()
    rows = [{"version": version, "first_wrote_at": datetime.now(UTC)}]
    return pa.Table.from_pylist(
        rows if _last_release(raw) != version else [], schema=RELEASES_SCHEMA
    )
