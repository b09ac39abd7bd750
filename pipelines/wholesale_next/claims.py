"""Claims: those of the version before as they are, those that this one makes, and who was right."""

from typing import TYPE_CHECKING

import duckdb

from wholesale_elt.causes import AFTER, BEFORE
from wholesale_elt.publish import Build, DescribedTable
from wholesale_elt.warehouse import quoted
from wholesale_next.tables import CLAIMS, SHARES, VERDICTS

if TYPE_CHECKING:
    import pyarrow as pa

Told = tuple[DescribedTable, "pa.Table"]
CLAIMED = tuple(name for name in CLAIMS.columns if name not in VERDICTS)
AS_PUBLISHED = {
    "ordered_date": "last_ordered_date",
    "is_due": "standing = 'due'",
}
"""What is not called the same in `rpt_next_orders`; and of when it is, the build tells."""
PURCHASES = f"""
    select
        buyer_id,
        ordered_date,
        sum(sub_total) as amount
    from {AFTER}.wholesale_bi.rpt_orders
    where is_return is not true
        and buyer_id is not null
        and ordered_date <= (select figures_up_to from {AFTER}.wholesale_bi.rpt_headlines)
    group by all
"""
"""As the windows count them: what a buyer orders on one day is one."""
MADE = f"""
    select {{claimed}}
    from {AFTER}.wholesale_bi.rpt_next_orders
    where standing in ('due', 'later')
"""
"""What is passed when it is first published is no claim: its days were over."""


def claims_of(connection: duckdb.DuckDBPyConnection, build: Build) -> "pa.Table":
    """The rows of `forecast_claims` in the version that is attached as AFTER, in the order of the
    key, those of the version that is attached as BEFORE among them, if one is.

    Shape: as the table is described. Raises: what DuckDB raises for a version without reports.
    """
    return connection.sql(_statement(connection, build)).to_arrow_table()


def _statement(connection: duckdb.DuckDBPyConnection, build: Build) -> str:
    types = {name: column.type for name, column in CLAIMS.columns.items()}
    told = {
        **{name: AS_PUBLISHED.get(name, name) for name in CLAIMED},
        "made_at": quoted(build.as_of) if build.as_of else "null",
        "built_at": quoted(build.built_at),
        **dict.fromkeys(VERDICTS, "null"),
    }
    made = ", ".join(f"cast({told[name]} as {types[name]}) as {name}" for name in types)
    nothing = ", ".join(f"cast(null as {type_}) as {name}" for name, type_ in types.items())
    claimed = ", ".join(f"claims.{name}" for name in CLAIMED)
    verdicts = ", ".join(
        f"coalesce(claims.{name}, {told}) as {name}" for name, told in _verdicts().items()
    )
    return f"""
        with purchases as ({PURCHASES}),
        kept as ({_before(connection) or f"select {nothing} where false"}),
        made as ({MADE.format(claimed=made)}),
        claims as (
            from kept
            union all
            select made.* from made anti join kept using (buyer_id, ordered_date)
        ),
        buyers as (select distinct buyer_id from purchases)
        select {claimed}, {verdicts}
        from claims
        cross join (select figures_up_to from {AFTER}.wholesale_bi.rpt_headlines) as known
        left join buyers on claims.buyer_id = buyers.buyer_id
        asof left join purchases as following
            on claims.buyer_id = following.buyer_id
            and claims.ordered_date < following.ordered_date
        order by claims.buyer_id, claims.ordered_date
    """


def _before(connection: duckdb.DuckDBPyConnection) -> str:
    """The claims of the version before; empty if there is none."""
    found = connection.execute(
        "select 1 from duckdb_tables() where database_name = ? and schema_name = ?"
        " and table_name = ?",
        [BEFORE, CLAIMS.schema, CLAIMS.name],
    ).fetchall()
    columns = ", ".join(CLAIMS.columns)
    return f"select {columns} from {BEFORE}.{CLAIMS.place}" if found else ""


def _verdicts() -> dict[str, str]:
    """How each is told. Of a buyer whose orders are in this version no more, nothing is."""
    told = {
        f"is_right_{share}": f"""
            case
                when claims.last_day_{share} <= known.figures_up_to
                    and claims.last_day_{share} > claims.figures_up_to
                    and buyers.buyer_id is not null
                    then coalesce(
                        following.ordered_date
                            between claims.first_day_{share} and claims.last_day_{share},
                        false
                    )
            end
        """
        for share in SHARES
    }
    amount = "following.amount between claims.low_amount and claims.high_amount"
    return told | {"is_amount_right": amount}
