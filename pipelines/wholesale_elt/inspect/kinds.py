"""Kinds: what became of a record, in SQL over its raw rows of two moments."""

from collections.abc import Collection
from datetime import datetime

from wholesale.names import DELETED_AT, run_id_of
from wholesale_elt.inspect.stored_tables import StoredTable
from wholesale_elt.past import Side, conditions, is_content, kind_of, past_of
from wholesale_elt.warehouse import CERTIFICATES, RawReader

BEFORE, NOW = "was", "today"
"""What the two rows of a record are called."""
CREATED_AT, STATUS = "created_at", "status"
ORDERS = "orders"


def cancelled_words(raw: RawReader, cancelled: Collection[str]) -> Collection[str]:
    """The states of orders, as they are stored, that are `cancelled` as settings have them."""
    words = {
        word
        for table in (ORDERS, past_of(ORDERS))
        if STATUS in raw.column_names(table)
        for (word,) in raw.rows(f"select distinct {STATUS} from {raw.name(table)}")
    }
    return sorted(word for word in words if word and word.strip().lower() in cancelled)


def kind_of_record(
    raw: RawReader,
    table: StoredTable,
    synced: datetime,
    cancelled: Collection[str],
) -> str:
    """The kind of two rows of this table that differ. `synced` is when the last sync before the
    first of them began, and `cancelled` the states of orders that mean so, as they are stored."""
    columns = [name for name in table.columns if name in table.described]
    other = {
        name: f"{BEFORE}.{quoted} is distinct from {NOW}.{quoted}"
        for name, quoted in zip(columns, map(raw.quoted, columns), strict=True)
    }
    contents = [differs for name, differs in other.items() if is_content(name)]
    states = [differs for name, differs in other.items() if name.endswith(STATUS)]
    known_until = (
        f"(select max(complete_as_of) from {raw.name(CERTIFICATES)}"
        f" where resource = '{table.table}' and run_id <= '{run_id_of(synced)}')"
    )
    kinds = conditions(
        _side(BEFORE, table.table, columns, cancelled),
        _side(NOW, table.table, columns, cancelled),
        known_until,
        has_other_state=f"({' or '.join(states or ['false'])})",
        has_other_content=f"({' or '.join(contents)})",
    )
    return kind_of(kinds)


def _side(row: str, table: str, columns: Collection[str], cancelled: Collection[str]) -> Side:
    is_order = table == ORDERS and STATUS in columns
    status = f"{row}.{STATUS}" if is_order else "cast(null as varchar)"
    words = ", ".join("'{}'".format(word.replace("'", "''")) for word in cancelled)
    return Side(
        key=f"{row}.id",
        is_deleted=f"case when {row}.id is not null then {row}.{DELETED_AT} is not null end",
        is_cancelled=f"coalesce({status} in ({words}), false)" if words else "false",
        status=status,
        ordered_at=(
            f"{row}.{CREATED_AT}" if CREATED_AT in columns else "cast(null as timestamptz)"
        ),
    )
