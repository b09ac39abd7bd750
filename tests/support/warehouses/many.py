"""Many orders, made by SQL from those that a sync has loaded."""

from collections.abc import Callable, Iterator, Sequence

FAMILY = {
    "orders": "id",
    "orders__order_line_items": "order_id",
    "orders__order_comments": "order_id",
}
"""The tables of orders, and the column in each with the order's id."""


def multiplying(columns_of: Callable[[str], Sequence[str]], times: int) -> Iterator[str]:
    """Statements after which all orders are there so many times, each time under other ids;
    `columns_of` names the columns of a raw table."""
    for table, key in FAMILY.items():
        columns = ", ".join(
            f"cast(cast(md5(n || {key}) as uuid) as varchar)" if name == key else f'"{name}"'
            for name in columns_of(table)
        )
        yield (
            f"insert into wholesale_raw.{table} select {columns}"
            f" from wholesale_raw.{table}, range(1, {times}) as times(n)"
        )
    yield (
        "update wholesale_raw.sync_runs set last_total_count ="
        " (select count(*) from wholesale_raw.orders) where resource = 'orders'"
    )
