"""Part: what a publication is of: the whole account, or one vendor.

Of a vendor all is built anew by the same SQL, of its rows alone, so that no table has to leave
anything out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from wholesale.api import typed_id
from wholesale.errors import ConfigurationError
from wholesale_elt.causes import build_as_of
from wholesale_elt.process import environment
from wholesale_elt.publish.version import BI, opened, read_build, read_releases
from wholesale_elt.runs import refuse_newer
from wholesale_elt.warehouse import DUCKDB, Warehouse

VENDOR = "vendor="


def plain_part(only: str) -> str:
    """A part as manifests name it.

    Raises: ConfigurationError for what names no vendor.
    """
    key = only.removeprefix(VENDOR).strip()
    if not only.startswith(VENDOR) or not key:
        raise ConfigurationError(f"{only} is no part of an account: write {VENDOR}ID")
    return f"{VENDOR}{typed_id(key)}"


@contextmanager
def part_of(warehouse: Warehouse, only: str | None) -> Iterator[Warehouse]:
    """The warehouse; or one with what is of a part `only`, as the last build has it, which is gone
    at the end.

    Raises: NotBuilt, NotLoaded, BuildFailed; ConfigurationError for a vendor that is not stored, or
    a warehouse of a newer version; AlreadyRunning.
    """
    if only is None:
        yield warehouse
        return
    with TemporaryDirectory(dir=warehouse.state_folder) as folder:
        with warehouse.hold(is_read_only=True), opened(warehouse, Path(folder), BI) as connection:
            refuse_newer(read_releases(connection), warehouse)
            build = read_build(connection, warehouse)
        file = Path(folder, "part.duckdb")
        with environment({"BUILD__CURRENCY": build.currency, "BUILD__ENGINE": DUCKDB}):
            build_as_of(
                *(warehouse, datetime.fromisoformat(build.built_at), file),
                vendor=only.removeprefix(VENDOR),
            )
            yield Warehouse(file)
