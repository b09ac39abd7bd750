"""Erasing: takes who was erased out of the batches that are not acknowledged."""

from collections.abc import Mapping, Sequence

import duckdb

from wholesale.api import class_of
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_books.handover.batches import TABLES, quoted
from wholesale_books.handover.delivering import deliver_waiting, last_place
from wholesale_books.handover.places import place_at
from wholesale_books.handover.receiver import FOLDER, Receiver
from wholesale_books.handover.rewriting import Emptied, take_out
from wholesale_books.handover.settings import receivers
from wholesale_books.settings import folder_of
from wholesale_elt.publish import opened
from wholesale_elt.warehouse import Warehouse

KEY = {
    "orders": "order_id",
    "order_lines": "order_line_id",
    "order_comments": "order_comment_id",
}
RAW = {
    "orders": "orders",
    "order_lines": "orders__order_line_items",
    "order_comments": "orders__order_comments",
}
MARTS = "wholesale_marts"
KEYS = frozenset({"order_id", "order_line_id", "order_comment_id", "vendor_id", "buyer_id"})


def erase(warehouse: Warehouse, kind: str, id_: str) -> Sequence[str]:
    """Take out of all batches that are not acknowledged what the warehouse, whose models are built
    anew, no longer has of a buyer or a person; what was done and what could not be, a sentence a
    receiver. Batches that were acknowledged are the receiver's: they are named."""
    folder = folder_of(warehouse) / FOLDER
    names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    return [told for name in names if (told := _erase(warehouse, Receiver(warehouse, name)))]


def _erase(warehouse: Warehouse, receiver: Receiver) -> str:
    with receiver.locked():
        acknowledged = receiver.acknowledged()
        receiver.forget_acknowledged()
        with opened(warehouse, receiver.folder, {MARTS}) as connection:
            connection.execute("set timezone = 'UTC'")
            held = {
                part: f"warehouse.{MARTS}.{table} as held on ours.{KEY[part]} = held.{KEY[part]}"
                for part, table in TABLES.items()
            }
            emptied = _emptied(_held(connection))
            rewritten = take_out(receiver, connection, emptied, held, "erasure")
        told = []
        if rewritten:
            numbers = ", ".join(map(str, rewritten))
            told.append(f"rewritten without them: batch {numbers}, {_delivered(receiver)}")
        if acknowledged:
            what = "batch 1" if acknowledged == 1 else f"batches 1 to {acknowledged}"
            told.append(
                f"{what} were acknowledged: they are {receiver.name}'s, who is to be told, and are"
                " no longer kept here"
            )
    return f"hand-over {receiver.name}: {'; '.join(told)}" if told else ""


def _delivered(receiver: Receiver) -> str:
    """Deliver what was delivered before once more; what came of it."""
    if not receiver.handed():
        return "not delivered yet"
    try:
        settings = receivers().get(receiver.name)
        place = place_at(settings.to) if settings and settings.to else last_place(receiver)
        assert place
        deliver_waiting(receiver, place)
    except (WholesaleError, ConfigurationError) as error:
        return f"and not delivered again: {error}"
    return f"and delivered again to {place.name}"


def _held(connection: duckdb.DuckDBPyConnection) -> Mapping[str, frozenset[str]]:
    """The texts that the warehouse has of each part of an order, by name."""
    return {
        part: frozenset(
            name
            for (name,) in connection.execute(
                "select column_name from duckdb_columns() where data_type = 'VARCHAR'"
                " and database_name = 'warehouse' and schema_name = ? and table_name = ?",
                [MARTS, table],
            ).fetchall()
        )
        for part, table in TABLES.items()
    }


def _emptied(held: Mapping[str, frozenset[str]]) -> Emptied:
    """A text goes if the warehouse has none there any more; one that can tell of a person also if
    it has another one, or no such row."""

    def conditions(part: str, columns: Mapping[str, str]) -> Mapping[str, str]:
        found = {}
        for name in sorted((held[part] & columns.keys()) - KEYS):
            ours, theirs = f"ours.{quoted(name)}", f"held.{quoted(name)}"
            found[name] = (
                f"{theirs} is distinct from {ours}"
                if _is_personal(part, name)
                else f"(held.{KEY[part]} is not null and {theirs} is null)"
            )
        return found

    return conditions


def _is_personal(part: str, name: str) -> bool:
    """Whether a field of this name tells of a person, by its class, and is documented."""
    return class_of(RAW[part], name) not in (None, "undocumented")
