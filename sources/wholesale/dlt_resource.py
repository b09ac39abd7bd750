"""dlt resource: yields whole Arrow tables, and refuses dlt's methods that work on single rows."""

from typing import Any, NoReturn, Self

import dlt
from dlt.common.configuration.container import Container
from dlt.common.destination import DestinationCapabilitiesContext
from dlt.extract import DltResource

from wholesale.errors import ConfigurationError

FREE_HINTS = frozenset({"write_disposition", "schema_contract", "file_format"})
DISPOSITIONS = (None, "merge", "replace")


class TablesResource(DltResource):
    """A dlt resource whose items are tables of records or of their children.

    Functions for items would be given tables instead of records, and a limit would leave records
    without their children. Keys and column types are fixed.
    """

    def apply_hints(self, *args: Any, **hints: Any) -> Self:
        """Set the write disposition, merge or replace, the schema contract or the file format.

        Raises: ConfigurationError for any other hint.
        """
        if hints.get("create_table_variant"):  # what each of our tables brings along
            return super().apply_hints(*args, **hints)
        given = sorted(name for name, value in hints.items() if value and name not in FREE_HINTS)
        if args or given:
            self._refuse(
                f"apply_hints({', '.join(given) or 'table_name'}=…)",
                "its tables, keys and columns are fixed; rename and cast in a view over them",
            )
        disposition = hints.get("write_disposition")
        if isinstance(disposition, dict):
            disposition = disposition.get("disposition")
        if disposition not in DISPOSITIONS:
            self._refuse(
                f"write_disposition {disposition!r}",
                "each run reads every record, and would store it once more; take merge or replace",
            )
        return super().apply_hints(**hints)

    def add_limit(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_limit", "it would cut records from their children; load all of it")

    def add_map(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_map", "it would be given whole tables; change values in a view over them")

    def add_yield_map(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_yield_map", "it would be given whole tables; use a view over them")

    def add_filter(self, *args: Any, **options: Any) -> NoReturn:
        self._refuse("add_filter", "it would be given whole tables; filter in a view over them")

    def _refuse(self, what: str, why: str) -> NoReturn:
        raise ConfigurationError(f"resource {self.name} takes no {what}: {why}")


def is_to_replace() -> bool:
    """Whether the resource that is being read replaces its tables.

    It does if the user says so, and where the destination cannot merge: on a filesystem dlt would
    append, and so double every record with each run.
    """
    if dlt.current.resource().write_disposition == "replace":
        return True
    container = Container()
    if DestinationCapabilitiesContext not in container:  # iterated over, without a pipeline
        return False
    strategies = container[DestinationCapabilitiesContext].supported_merge_strategies
    return "delete-insert" not in (strategies or ())
