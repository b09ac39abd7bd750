"""Raw tables: dlt creates them, adds columns, and restores what was dropped by hand."""

from collections.abc import Mapping

from dlt.common.schema import Schema
from dlt.common.schema.typing import TColumnSchema
from dlt.common.schema.utils import new_table

from wholesale.dlt_hints import quarantine_columns
from wholesale.tables import QUARANTINE, TableShape
from wholesale_elt.load.observations import log_table
from wholesale_elt.past import tables_in_time
from wholesale_elt.warehouse import Raw

Tables = Mapping[str, Mapping[str, TColumnSchema]]
"""Tables by name, each with its columns for dlt."""


class RawTables:
    """The tables of the dataset, by dlt's schema of them, which the destination stores too."""

    def __init__(self, raw: Raw) -> None:
        self._client = raw.client
        self._schema = raw.schema()

    def restore(self) -> None:
        """Create again what is missing of the tables in the stored schema.

        dlt looks at the tables themselves only if it is forced to. If a run was killed before it
        stored any schema, there is nothing to restore.
        """
        if not self._schema.is_new and self._client.is_storage_initialized():
            self._client.schema = self._schema
            self._client.update_stored_schema(force=True)

    def lacking(self, tables: Tables) -> Tables:
        """Those of these tables that do not exist, or that lack some of their columns."""
        return {
            table: columns
            for table, columns in tables.items()
            if not columns.keys()
            <= self._schema.tables.get(table, {"columns": {}})["columns"].keys()
        }

    def extend(self, tables: Tables) -> None:
        """Create these tables, or add the columns that they lack; in no transaction."""
        for table, columns in tables.items():
            self._schema.update_table(new_table(table, columns=list(columns.values())))
        self._schema = Schema.from_stored_schema(self._schema.to_dict())
        self._client.schema = self._schema
        if not self._client.is_storage_initialized():
            self._client.initialize_storage()
        self._client.update_stored_schema()


def tables_of(*shapes: TableShape) -> Tables:
    """The tables of these shapes, of their past, their logs, and the quarantine."""
    tables: dict[str, Mapping[str, TColumnSchema]] = {}
    for shape in shapes:
        for table in shape.tables:
            tables |= tables_in_time(table)
        tables |= log_table(shape)
    return tables | {QUARANTINE: quarantine_columns()}
