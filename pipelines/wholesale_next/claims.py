"""Claims: those of the version before as they are, those that this one makes, and who was right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from wholesale_elt.causes import AFTER, BEFORE
from wholesale_elt.publish import Build, DescribedTable
from wholesale_elt.warehouse import quoted
from wholesale_next.tables import CLAIMS, MONTH_CLAIMS, SHARES

if TYPE_CHECKING:
    import pyarrow as pa

UP_TO = f"(select figures_up_to from {AFTER}.wholesale_bi.rpt_headlines)"


@dataclass(frozen=True, slots=True)
class Kind:
    """Claims of one table. They are `made` by a query of the columns that are a claim, and judged
    by `verdicts`, expressions over `claims` joined with what is `known` now."""

    table: DescribedTable
    made: str
    known: str
    verdicts: Mapping[str, str]


ORDERS = Kind(
    CLAIMS,
    # What is passed when it is first published is no claim: its days were over.
    made=f"""
        select
            *,
            last_ordered_date as ordered_date,
            standing = 'due' as is_due
        from {AFTER}.wholesale_bi.rpt_next_orders
        where standing in ('due', 'later')
    """,
    # As windows count purchases: what a buyer orders on one day is one.
    known=f"""
        asof left join (
            select
                buyer_id,
                ordered_date as day,
                sum(sub_total) as amount
            from {AFTER}.wholesale_bi.rpt_orders
            where is_return is not true
                and ordered_date <= {UP_TO}
            group by all
        ) as following
            on claims.buyer_id = following.buyer_id
            and claims.ordered_date < following.day
    """,
    verdicts={
        **{
            f"is_right_{share}": f"""
                case
                    when claims.last_day_{share} <= {UP_TO}
                        and claims.last_day_{share} > claims.figures_up_to
                        and claims.buyer_id in (
                            select buyer_id from {AFTER}.wholesale_bi.rpt_orders
                        )
                        then coalesce(
                            following.day
                                between claims.first_day_{share} and claims.last_day_{share},
                            false
                        )
                end
            """
            for share in SHARES
        },
        "is_amount_right": "following.amount between claims.low_amount and claims.high_amount",
    },
)
MONTHS = Kind(
    MONTH_CLAIMS,
    made=f"""
        from {AFTER}.wholesale_bi.rpt_sales_outlook_totals
        where coalesce({", ".join(f"high_{share}" for share in SHARES)}) is not null
    """,
    known=f"""
        cross join lateral (
            select case when count(*) = 0 then 0 else sum(sub_total) end as amount
            from {AFTER}.wholesale_bi.rpt_orders
            where date_trunc('month', ordered_date) = claims.month_start
        ) as month
    """,
    verdicts={
        f"is_right_{share}": f"""
            case
                when last_day(claims.month_start) <= {UP_TO}
                    then month.amount between claims.low_{share} and claims.high_{share}
            end
        """
        for share in SHARES
    },
)
KINDS = (ORDERS, MONTHS)


def claims_of(connection: duckdb.DuckDBPyConnection, kind: Kind, build: Build) -> "pa.Table":
    """The rows of the table of that kind in the version that is attached as AFTER, in the order of
    the key, those of the version that is attached as BEFORE among them, if one is.

    Shape: as the table is described. Raises: what DuckDB raises for a version without reports.
    """
    types = {name: column.type for name, column in kind.table.columns.items()}
    claimed = [name for name in types if name not in kind.verdicts]
    told = {
        **{name: name for name in claimed},
        "made_at": quoted(build.as_of) if build.as_of else "null",
        "built_at": quoted(build.built_at),
        **dict.fromkeys(kind.verdicts, "null"),
    }
    made = (f"cast({told[name]} as {type_}) as {name}" for name, type_ in types.items())
    columns = [f"claims.{name}" for name in claimed]
    columns += [f"coalesce(claims.{name}, {how}) as {name}" for name, how in kind.verdicts.items()]
    key = ", ".join(kind.table.key)
    return connection.sql(f"""
        with kept as ({_kept(connection, kind.table)}),
        made as (select {", ".join(made)} from ({kind.made})),
        claims as (
            from kept
            union all
            select made.* from made anti join kept using ({key})
        )
        select {", ".join(columns)} from claims {kind.known}
        order by {", ".join(f"claims.{name}" for name in kind.table.key)}
    """).to_arrow_table()


def _kept(connection: duckdb.DuckDBPyConnection, table: DescribedTable) -> str:
    """The claims of the version before; none if there is none."""
    found = connection.execute(
        "select 1 from duckdb_tables() where database_name = ? and schema_name = ?"
        " and table_name = ?",
        [BEFORE, table.schema, table.name],
    ).fetchall()
    if found:
        return f"select {', '.join(table.columns)} from {BEFORE}.{table.place}"
    nothing = (f"cast(null as {of.type}) as {name}" for name, of in table.columns.items())
    return f"select {', '.join(nothing)} where false"
