"""Forgetting: removes rows of the past that are older than a setting keeps them."""

from wholesale.dlt_hints import hints_of
from wholesale_elt.load.writer import Writer
from wholesale_elt.past import (
    FORGOTTEN,
    FORGOTTEN_SCHEMA,
    forget,
    forgotten,
    moment_to_forget,
    old_tables,
)
from wholesale_elt.process import AlreadyRunning
from wholesale_elt.warehouse import Warehouse


def forget_past(warehouse: Warehouse) -> None:
    """Remove the rows of the past that setting `history.keep_days` does not keep, and note until
    when they are gone; nothing if another program works on the warehouse.

    Raises: ConfigurationError, and what the destination raises.
    """
    moment = moment_to_forget()
    if moment is None:
        return
    try:
        with warehouse.hold(), Writer(warehouse, run_id="") as writer:
            tables = old_tables(writer.raw, moment)
            if not tables:
                return
            writer.ensure_tables({FORGOTTEN: hints_of(FORGOTTEN_SCHEMA)})
            writer.begin()
            for table in tables:
                forget(writer.raw, table, moment)
            writer.insert(FORGOTTEN, forgotten(moment))
            writer.commit()
    except AlreadyRunning:
        return
