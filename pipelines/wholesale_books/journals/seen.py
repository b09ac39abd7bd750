"""Seen: when a sync saw the last change of an order since a month was closed."""

from collections.abc import Collection, Mapping
from datetime import datetime

import duckdb

from wholesale_elt.causes import AFTER, BEFORE

LAST_SEEN = f"""
    select order_id, max(observed_at)
    from {AFTER}.wholesale_bi.rpt_events
    where observed_at > (
            select complete_as_of from {BEFORE}.wholesale_bi.rpt_freshness
            where resource = 'orders'
        )
        and order_id in (select unnest(?))
    group by order_id
"""
"""The orders of the close were complete as of a moment after its last sync began."""


def seen_since(
    connection: duckdb.DuckDBPyConnection, order_ids: Collection[str]
) -> Mapping[str, datetime]:
    """When each of these orders was seen to change last, as far as the later version tells."""
    if not order_ids:
        return {}
    try:
        found = connection.execute(LAST_SEEN, [sorted({*order_ids})]).fetchall()
    except (duckdb.BinderException, duckdb.CatalogException):
        return {}  # the version has no such report
    return dict(found)
