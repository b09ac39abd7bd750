"""Did a contender load the same rows and sums as the store holds?"""

from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb

from benchmarks.contenders import Tables
from benchmarks.store import Facts


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason` says what differs, and is empty when nothing does; `money` is a column's type."""

    reason: str
    money: str = ""


def check(folder: Path, tables: Tables, expected: Facts) -> Verdict:
    try:
        with duckdb.connect(str(folder / tables.file), read_only=True) as connection:
            found = _facts(connection, tables)
            money = connection.execute(f"select any_value(typeof(sub_total)) from {tables.orders}")
            ((type_,),) = money.fetchall()
    except duckdb.Error as error:
        return Verdict(f"cannot be read: {str(error).splitlines()[0]}")
    wanted = asdict(expected) | {"distinct ids": expected.orders}
    differences = [
        f"{name} {found[name]}, not {value}"
        for name, value in wanted.items()
        if found[name] != value
    ]
    return Verdict("; ".join(differences), type_)


def _facts(connection: duckdb.DuckDBPyConnection, tables: Tables) -> dict[str, int]:
    names = ("orders", "distinct ids", "total", "newest", "lines", "quantity", "comments")
    ((*values,),) = connection.execute(
        f"""
        select
            count(*), count(distinct id), sum(total::decimal(38, 9) * 100)::bigint,
            max(epoch_us(updated_at::timestamptz)),
            (select count(*) from {tables.lines}),
            (select sum(quantity)::bigint from {tables.lines}),
            (select count(*) from {tables.comments})
        from {tables.orders}
        """
    ).fetchall()
    return dict(zip(names, values, strict=True))
