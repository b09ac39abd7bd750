"""Part: which rows and values of the raw tables are of a part of an account, so that their copy
tells of nothing else.

What a part does not name is not copied: a table that comes later tells of nobody until somebody has
thought of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property

from wholesale.api import CLASS_OF_FIELD, typed_id
from wholesale.names import DELETED_AT, VALID_FROM, VALID_TO
from wholesale_elt.past import OBSERVED_AT, past_of, record_table_of, rows_as_of
from wholesale_elt.warehouse import CERTIFICATES, RELEASES, RawReader

ALL, NOTHING = "true", "false"
OF_RUNS = {
    *("run_id", "resource", "service", "destination", "started_at", "ended_at"),
    *("strategy", "verdict", "complete_as_of", "proof"),
}
"""What a certificate has besides counts, which are of all, and the sentence on them."""
OURS = {DELETED_AT, VALID_FROM, VALID_TO, OBSERVED_AT}
"""Columns that syncs add to those of the service."""
READ_BESIDE = {"currency"}
"""What models read although no description has it."""
WHY_INCOMPLETE = "the account was not read whole"
LINES = "orders__order_line_items"
LOG = "__observations"


class Part(ABC):
    """A part of an account, by what is stored of a moment. Comments are left out, as they may tell
    anything, and what was observed of a record while it was of another part."""

    def __init__(
        self, raw: RawReader, tables: Mapping[str, Collection[str]], moment: datetime, key: str
    ) -> None:
        self._raw, self._tables, self._moment = raw, tables, moment
        self._id = typed_id(key)

    @abstractmethod
    def is_known(self) -> bool:
        """Whether anything stored has its id."""

    @abstractmethod
    def _conditions_of_tables(self) -> Mapping[str, str]:
        """Which rows of each table are of the part: conditions on their columns."""

    @abstractmethod
    def _is_own_value(self, table: str, column: str) -> str | None:
        """On which rows of the part a column that may tell of others is the part's own; None of all
        other columns."""

    @cached_property
    def _conditions(self) -> Mapping[str, str]:
        return self._conditions_of_tables()

    def condition(self, table: str) -> str:
        """Which rows of a table are of the part: a condition on its columns."""
        return self._conditions.get(record_table_of(table), NOTHING)

    def beside(self, table: str) -> str:
        """What a query for `value`s of a table begins with: what several of them read, once."""
        return ""

    def value(self, table: str, column: str, selected: str) -> str:
        """What the part has of a column, which is `selected` so in a query."""
        condition = self._is_kept(record_table_of(table), column)
        if condition == ALL:
            return selected
        quoted = self._raw.quoted(column)
        expression = selected.removesuffix(f" as {quoted}")
        if (table, column) == (CERTIFICATES, "reason"):
            told = f"case when verdict <> 'complete' then '{WHY_INCOMPLETE}' end"
            return f"{told} as {quoted}"
        return f"case when {condition} then {expression} end as {quoted}"

    def _is_kept(self, table: str, column: str) -> str:
        if table == CERTIFICATES:
            return ALL if column in OF_RUNS else NOTHING
        if table == RELEASES:
            return ALL
        if own := self._is_own_value(table, column):
            return own
        known = CLASS_OF_FIELD.get(table.removesuffix(LOG), {}).keys() | OURS | READ_BESIDE
        return ALL if column in known else NOTHING

    def _then(self, table: str, *columns: str) -> str:
        """A query for columns of a table as it was at the moment, as far as it has them."""
        return self._query(table, columns, is_ever=False)

    def _ever(self, table: str, *columns: str) -> str:
        """The same of all that it ever had."""
        return self._query(table, columns, is_ever=True)

    def _query(self, table: str, columns: Sequence[str], *, is_ever: bool) -> str:
        listed = self._listed(table, columns)
        if table not in self._tables:
            return f"select {', '.join(listed)} where {NOTHING}"
        past, now = past_of(table), f"select {', '.join(listed)} from {self._raw.name(table)}"
        if past not in self._tables:
            return now
        if not is_ever:
            return rows_as_of(self._raw, table, listed, self._moment)
        before = f"select {', '.join(self._listed(past, columns))} from {self._raw.name(past)}"
        return f"{now} union all {before}"

    def _listed(self, table: str, columns: Sequence[str]) -> Sequence[str]:
        known = self._tables.get(table, ())
        return [
            name
            if name in known
            else f"cast(null as {'timestamptz' if name in OURS else 'varchar'}) as {name}"
            for name in columns
        ]

    def _times(self, table: str, condition: str, *columns: str) -> str:
        """The ids of records while they fulfilled a condition, since when and until when."""
        known = self._ever(table, "id", VALID_FROM, VALID_TO, *columns)
        return (
            f"select id as ever_id, {VALID_FROM} as since, {VALID_TO} as until,"
            f" {', '.join(columns)} from ({known}) as known where {condition}"
        )

    def _above(self, categories: str) -> str:
        """Categories of these ids, and all above them."""
        known = self._then("categories", "id", "parent_id")
        return (
            f"with recursive kept(id) as ({categories} union"
            f" select above.parent_id from kept join ({known}) as above"
            f" on above.id = kept.id where above.parent_id is not null)"
            " select id from kept"
        )

    def _where_it_has(self, table: str, column: str, condition: str) -> str:
        return condition if column in self._tables.get(table, ()) else NOTHING

    def _of_variant_or_item(self, table: str, of_variant: str, of_item: str) -> str:
        """The fields of prices are assumed: without them nobody knows whose a price is."""
        variant = self._where_it_has(table, "variant_id", of_variant)
        item = self._where_it_has(table, "item_id", of_item)
        is_of_variant = self._where_it_has(table, "variant_id", "variant_id is not null")
        return f"case when {is_of_variant} then {variant} else coalesce({item}, {NOTHING}) end"


def was_own(ever: str, column: str) -> str:
    """Of a row of a log: what has this id was of the part when the row was written. Of a past
    that was forgotten nobody knows."""
    return (
        f"exists (select 1 from ({ever}) as ever where ever_id = {column}"
        f" and (since is null or since <= {OBSERVED_AT})"
        f" and (until is null or until > {OBSERVED_AT}))"
    )
