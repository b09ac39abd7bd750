"""Restoring: tables and columns of ours that were dropped by hand are there again."""

from wholesale_elt.warehouse import Raw


def restore_tables(raw: Raw) -> None:
    """Make again what is missing of the tables that dlt's schema in the destination tells of.

    dlt looks at the tables themselves only when it is forced. Where a run died before it noted any
    schema, there is nothing to make again.
    """
    schema = raw.schema()
    if not schema.is_new and raw.client.is_storage_initialized():
        raw.client.schema = schema
        raw.client.update_stored_schema(force=True)
