"""A warehouse in plain dictionaries, which takes in what a reader gives as the load does."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from support.services.worlds import SUMMARY, World
from wholesale.api.profile import ServiceProfile, names_a_fact
from wholesale.api.records import ColumnType
from wholesale.api.resources import RESOURCE
from wholesale.compare.past import Past
from wholesale.compare.stored import IS_DELETED, NOTHING, Stored
from wholesale.discover import discover_list, discover_service
from wholesale.errors import ServiceError
from wholesale.http.traffic import Traffic
from wholesale.names import DELETED_AT, EXTRA
from wholesale.sync.changes import Batch
from wholesale.sync.reader import Reader
from wholesale.sync.reading import Reading
from wholesale.tables.decoded import Decoded
from wholesale.tables.ids import in_order
from wholesale.tables.shapes import TableShape, shape_of

Row = dict[str, Any]

ORDERS = RESOURCE["orders"]
LINES = "orders__order_line_items"
COMMENTS = "orders__order_comments"
CHILDREN = (LINES, COMMENTS)
NUMBER = {LINES: "line_number", COMMENTS: "comment_number"}
ADDED_BY_US = (EXTRA, DELETED_AT)


@dataclass(slots=True)
class Model:
    """Rows of orders by id, and of each child table by order; a value that is None is left out.

    `certified_at` is when the last certified run began, or the first of all: an edit in the tick
    of the clock before it may have been overlooked since.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    children: dict[str, dict[str, list[Row]]] = field(
        default_factory=lambda: {table: {} for table in CHILDREN}
    )
    deleted: set[str] = field(default_factory=set)
    found: dict[str, dict[str, ColumnType]] = field(default_factory=dict)
    certified_at: datetime | None = None
    suspects: Sequence[str] = ()
    is_proved: bool = False
    profile: ServiceProfile | None = None
    refused: Sequence[str] = ()
    looks: int = 0
    bodies_looked_at: int = 0

    def sync(
        self, world: World, *, is_full: bool = False, killed_after: int | None = None
    ) -> Reader:
        """One run; nothing is loaded where the reader raises.

        Of one that is killed after so many batches those are there, and nothing else of it.
        """
        began_at = world.now
        self.certified_at = self.certified_at or began_at
        shape = shape_of(ORDERS, self.found)
        stored = self.stored(shape, world.habits.grain) if self.rows else NOTHING
        service = world.service(None if is_full else self.profile)
        asked = world.asked.requests, world.asked.bodies
        with service.client, suppress(ServiceError):
            discover_service(service, Traffic())
            discover_list(service, ORDERS, shape, Traffic())
        self.looks += world.asked.requests - asked[0]
        self.bodies_looked_at += world.asked.bodies - asked[1]
        reader = Reader(Reading.begin(service, ORDERS, shape, stored=stored, is_full=is_full))
        batches: list[Batch] = []
        reader.read(batches.append)
        self.is_proved = False
        self.merge(batches[:killed_after])
        if killed_after is not None:
            return reader
        for late in reader.late:
            self.merge([late])
        self.deleted |= set(reader.gone) & self.rows.keys()
        self.suspects = reader.doubts.suspects
        self.refused = reader.doubts.refused
        is_contradicted = any(map(names_a_fact, reader.doubts.sentences()))
        self.profile = service.profile.forgotten() if is_contradicted else service.profile
        self.is_proved = not reader.doubts.sentences()
        for table in reader.shape.tables:
            self.found[table.table] = {
                mapping.column: mapping.type
                for mapping in table.mappings
                if mapping.section is None
            }
        if not reader.doubts.sentences():
            self.certified_at = began_at
        return reader

    def stored(self, shape: TableShape, grain: timedelta) -> Stored:
        fields = [shape.schema.field(name) for name in (*SUMMARY, EXTRA)]
        rows = pa.Table.from_pylist(
            [
                {name: row.get(name) for name in SUMMARY} | {IS_DELETED: key in self.deleted}
                for key, row in self.rows.items()
            ],
            schema=pa.schema([*fields, pa.field(IS_DELETED, pa.bool_())]),
        )
        return (
            Stored.of(
                [rows],
                columns=[name for name in SUMMARY if name != "id"],
                version=ORDERS.version.value,
            )
            .after(
                Past(
                    self.dirty_since(grain),
                    absent=in_order(self.suspects),
                    is_proved=self.is_proved,
                )
            )
            .doubting(self.refused)
        )

    def dirty_since(self, grain: timedelta) -> datetime | None:
        """None where no two edits share a stamp, so that no row is read again for nothing."""
        is_coarse = grain > timedelta(seconds=1)
        return self.certified_at - grain if self.certified_at and is_coarse else None

    def merge(self, batches: Sequence[Batch]) -> None:
        """Insert what is new, and replace what is known, each record with its entries.

        The load does not look for doubles among what is new, so there must be none.
        """
        ids: list[str] = []
        before = set(self.rows)
        for batch in batches:
            decoded = batch.decoded
            here = decoded.root["id"].to_pylist()
            known = [key for key, is_known in zip(here, batch.is_known, strict=True) if is_known]
            assert set(known) == before & set(here), "inserted twice, or compared with nothing"
            ids += here
            for row in decoded.root.to_pylist():
                assert row[DELETED_AT] is None
                assert row[EXTRA] is None
                self.rows[row["id"]] = _present(row)
                self.deleted.discard(row["id"])
            for table in CHILDREN:
                self._replace(table, decoded, here)
        assert len(ids) == len(set(ids)), "a run passes an order on twice"

    def _replace(self, table: str, decoded: Decoded, ids: Sequence[str]) -> None:
        rows = decoded.tables[table].to_pylist()
        for key in ids:
            self.children[table][key] = []
        for row in sorted(rows, key=lambda row: row[NUMBER[table]]):
            assert row[EXTRA] is None
            self.children[table][row["order_id"]].append(_present(row))


def _present(row: Row) -> Row:
    return {k: v for k, v in row.items() if v is not None and k not in ADDED_BY_US}
