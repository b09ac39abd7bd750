"""Restoring: creates our tables and columns again that were dropped by hand."""

from wholesale_elt.warehouse import Raw


def restore_tables(raw: Raw) -> None:
    """Create again what is missing of the tables in dlt's stored schema.

    dlt looks at the tables themselves only if it is forced to. If a run was killed before it stored
    any schema, there is nothing to restore.
    """
    schema = raw.schema()
    if not schema.is_new and raw.client.is_storage_initialized():
        raw.client.schema = schema
        raw.client.update_stored_schema(force=True)
