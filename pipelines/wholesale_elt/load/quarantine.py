"""Quarantine: a record without a usable id stands there once, as the last run saw it."""

from wholesale.tables import QUARANTINE
from wholesale_elt.warehouse import Raw


def drop_repeats(raw: Raw, resource: str, run_id: str) -> None:
    """Drop what earlier runs found of those records of a resource that this run found again.

    Those whose bodies may not be stored are taken for the same.
    """
    table, body = raw.name(QUARANTINE), "coalesce(cast(body as varchar), '')"
    raw.execute(
        f"delete from {table} where resource = %s and run_id <> %s and {body} in"
        f" (select {body} from {table} where resource = %s and run_id = %s)",
        *(resource, run_id, resource, run_id),
    )
