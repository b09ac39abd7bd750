"""Spellings: ids and references of a warehouse written otherwise, as a service may spell them."""

from collections.abc import Iterator

from support.warehouses.marts import Marts

CAPITALS, DASHLESS, BRACES, URN = (
    "upper({})",
    "replace({}, '-', '')",
    "'{{' || upper({}) || '}}'",
    "'urn:uuid:' || {}",
)


def respell(marts: Marts, schema: str, *, of_ids: str = "{}") -> None:
    """Spell each column with references otherwise, in a way of its own, and ids in another."""
    marts.change(*_respelling(marts, schema, of_ids))


def _respelling(marts: Marts, schema: str, of_ids: str) -> Iterator[str]:
    columns = marts.rows(
        "select table_name, column_name from duckdb_columns()"
        f" where schema_name = '{schema}' and data_type = 'VARCHAR' and table_name[1] <> '_'"
        " and (column_name = 'id' or column_name[-3:] = '_id') and column_name <> 'run_id'"
        " order by all"
    )
    ways = (CAPITALS, DASHLESS, BRACES, URN)
    for place, (table, column) in enumerate(columns):
        is_own = column == "id" or (table, column) in OWNED
        way = of_ids if is_own else ways[place % len(ways)]
        yield f"update {schema}.{table} set {column} = {way.format(column)}"


OWNED = {
    ("orders__order_line_items", "order_id"),
    ("orders__order_comments", "order_id"),
    ("items__options", "item_id"),
    ("variants__options", "variant_id"),
}
"""The ids of records in the tables of their children, which a sync writes as it does those."""
