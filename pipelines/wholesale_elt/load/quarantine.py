"""Quarantine: records that could not be loaded, each once, as the last run saw it."""

from wholesale.tables import QUARANTINE
from wholesale_elt.warehouse import Raw


def drop_repeats(raw: Raw, resource: str, run_id: str) -> None:
    """Delete the rows of earlier runs for records of a resource that this run found again.

    Records whose bodies may not be stored count as the same one.
    """
    table, body = raw.name(QUARANTINE), "coalesce(cast(body as varchar), '')"
    raw.execute(
        f"delete from {table} where resource = %s and run_id <> %s and {body} in"
        f" (select {body} from {table} where resource = %s and run_id = %s)",
        *(resource, run_id, resource, run_id),
    )
