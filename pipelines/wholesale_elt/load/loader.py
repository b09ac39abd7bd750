"""Loader: what a sync needs of a destination, and the two ways in which it gets that."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self

import pyarrow as pa

from wholesale.sync import Run
from wholesale_elt.load.dlt_loader import DltLoader
from wholesale_elt.load.duckdb_writer import DuckDBWriter
from wholesale_elt.warehouse import Raw, Warehouse


class Loader(Protocol):
    """Writes within its `with` block. Both ways leave the same tables, columns and rows."""

    def __enter__(self) -> Self: ...

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None: ...

    def dataset(self) -> AbstractContextManager[Raw]:
        """The raw dataset as it stands, to be asked before and after a load."""

    def load(self, run: Run, resources: Sequence[str]) -> None:
        """Read these resources, write what is new or differs, and mark what is gone.

        What a run that died left behind is repaired first.
        """

    def certify(self, account: Mapping[str, pa.Table]) -> None:
        """Append the account of the run, by table, certificates last; nothing follows it."""


def loader_for(warehouse: Warehouse, run_id: str) -> Loader:
    """Straight from Arrow into DuckDB; through dlt's packages into any other destination."""
    loader = DuckDBWriter if warehouse.is_duckdb else DltLoader
    return loader(warehouse, run_id)
