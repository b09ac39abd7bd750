"""Pipeline: what `wholesale sync` does, as a Python API."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wholesale.api import RESOURCE
from wholesale.configuration import read_settings
from wholesale.errors import ConfigurationError
from wholesale.settings import ApiSettings
from wholesale_elt.load.sync import Outcome, sync_resources
from wholesale_elt.warehouse import DUCKDB, Warehouse, warehouse_in


@dataclass(frozen=True, slots=True)
class WholesalePipeline:
    """A service, and the warehouse into which it is synced."""

    settings: ApiSettings
    warehouse: Warehouse

    def run(self, *resources: str, is_full: bool = False) -> Outcome:
        """Bring these resources up to date, all 12 if none is named; safe to repeat at any time.

        Records that are gone from the service are marked as deleted, and the `certificates` of the
        outcome say as of which moment each resource is complete. `is_full` as in `sync_resources`.

        Raises: ConfigurationError for an unknown name, and what `sync_resources` does.
        """
        chosen = chosen_resources(resources)
        return sync_resources(self.settings, self.warehouse, chosen, is_full=is_full)


def wholesale_pipeline(
    database: str | Path | None = None, *, destination: str = DUCKDB, **settings: object
) -> WholesalePipeline:
    """A pipeline into the dataset `wholesale_raw` of `wholesale.duckdb`, or of another database.

    `settings` are fields of `wholesale.settings.ApiSettings`; dlt's configuration has those that
    are not given, under `sources.wholesale`.

    Raises: ConfigurationError for a setting that is missing, unknown or cannot be right, and for a
    destination that is not exact.
    """
    return WholesalePipeline(
        read_settings(**settings), warehouse_in(destination, Path(database) if database else None)
    )


def chosen_resources(names: Sequence[str]) -> list[str]:
    """The named resources, in the order in which they are read; all if none is named.

    Raises: ConfigurationError for an unknown name.
    """
    unknown = [name for name in names if name not in RESOURCE]
    if unknown:
        raise ConfigurationError(
            f"no such resource: {', '.join(unknown)}; there are {', '.join(RESOURCE)}"
        )
    return [name for name in RESOURCE if not names or name in names]
