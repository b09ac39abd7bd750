"""Added: what plug-ins tell in each version of how it compares with what they keep.

An entry point of the group `wholesale.comparisons` is a function that takes nothing, reads its
settings, and gives a `Comparison`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from wholesale_elt.process import plugins
from wholesale_elt.publish.comparison.writing import Row
from wholesale_elt.publish.description import DescribedTable
from wholesale_elt.publish.manifest import Build
from wholesale_elt.warehouse import Warehouse

if TYPE_CHECKING:
    import pyarrow as pa

Told = Sequence[tuple[DescribedTable, "Sequence[Row] | pa.Table"]]
Tell = Callable[[duckdb.DuckDBPyConnection, Warehouse, Build], Told]
"""The rows of the tables, as mappings or in a table of Arrow, of the version of that build whose
tables are attached as AFTER; what it attaches besides, it detaches."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tables that each version has, empty where there is nothing to tell, and who tells it.

    Who `takes_over` rows of its tables finds the version before of this place attached as BEFORE,
    the newest that is kept and has rows in them. It is so after an erasure too, which takes over
    nothing else; so these tables may have nothing that can identify a person.
    """

    tables: Sequence[DescribedTable]
    tell: Tell
    takes_over: bool = False


def read_comparisons() -> Sequence[Comparison]:
    """Raises: ConfigurationError for a setting that cannot be right."""
    return [wanted() for wanted in plugins("comparisons")]
