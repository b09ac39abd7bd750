"""Next orders: who is awaited, when, with how much, and how often such windows were right."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Self

import duckdb

from wholesale.api import typed_id
from wholesale.errors import Unanswerable, WholesaleError, counted
from wholesale_elt.dashboard import time_text
from wholesale_elt.figures import unknown
from wholesale_elt.publish import Manifest
from wholesale_elt.warehouse import quoted

REPORT = "wholesale_bi.rpt_next_orders"
STANDINGS = ("due", "passed", "later")
"""Those with a window, in the order in which they are told."""
REASONS: Mapping[str, str] = {
    "too_few_purchases": "{} with fewer than six purchases",
    "too_few_alike": "{} of whose like too few orders are known",
    "right_too_seldom": "{} whose windows were right too seldom",
    "all_right_too_seldom": "{} as the windows of all were right too seldom",
}
"""Why there is no window, by standing."""
MOST_DAYS = 7
"""Windows count from the last day that is known; they are told so many days after it at most."""
MOST_PRODUCTS, MOST_WEEKS = 3, 12
SHARES = (50, 80, 90)
ROWS = """
select
    next_orders.* exclude (figures_up_to),
    (
        select list(coalesce(products.item_title, products.item_key) order by products.position)
        from wholesale_bi.rpt_call_sheet_products as products
        where products.buyer_id = next_orders.buyer_id
            and products.product_list = 'usual'
            and products.position <= {products}
    ) as usual_products
from {report} as next_orders
where {conditions}
{limit}order by {order}
"""
ORDER = (
    "case standing when 'due' then 1 when 'passed' then 2 else 3 end,"
    " order_in_week_share desc nulls last, last_day_80, buyer_id"
)
RECORD = """
    select part, member, claimed, claimed_percent, judged_count, right_count, right_share,
        mean_width_days, first_date, last_date
    from (
        from wholesale_bi.rpt_forecast_record_totals
        union all
        from wholesale_bi.rpt_forecast_record
    )
    where is_shown and part in ('all', 'age')
    order by part desc, try_cast(regexp_extract(member, '^[0-9]+') as integer), claimed
"""
WEEKS = f"from wholesale_bi.rpt_due_weeks order by week_start desc limit {MOST_WEEKS}"
CLAIMS = "main.forecast_claims"
"""What versions claimed, which a plug-in keeps; without it nothing is told of that."""
KEPT = " union all ".join(
    f"select '{claimed}' as claimed, {percent} as claimed_percent, count({of}) as judged_count,"
    f" count(*) filter (where {of}) as right_count, count(*) as claim_count"
    f" from {CLAIMS} where {{0}}"
    for claimed, percent, of in (
        *((str(share), share, f"is_right_{share}") for share in SHARES),
        ("amount", 80, "is_amount_right"),
    )
)
NOT_THERE = (
    "the published version has no windows for next orders, as an earlier release made it: run"
    " `wholesale build` and publish again"
)
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of whom: one buyer, by id or name; or all that have a window, of one account manager, or due
    alone, at most `limit` of each standing. Without `today` windows of any age are told."""

    buyer: str | None = None
    manager: str | None = None
    is_due_only: bool = False
    limit: int | None = None
    today: date | None = None


def today_of(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> date:
    """The day in the time zone of the account, as DuckDB knows zones that a system may not have."""
    [(today,)] = connection.execute(
        "select cast(now() at time zone ? as date)", [manifest.time_zone]
    ).fetchall()
    assert isinstance(today, date)
    return today


@dataclass(frozen=True, slots=True)
class NextOrders:
    """The rows of `rpt_next_orders` that are asked for, each with its usual products if it is on
    the call sheet; how many buyers have each standing; and how often windows were right: by age of
    buyer, by week, and as versions claimed.

    Where the last day that is known is too long ago, there are no rows, and `withheld` says so. Of
    one `buyer` there are all its claims and products.
    """

    manifest: Manifest
    figures_up_to: date | None
    rows: Sequence[Row]
    counts: Mapping[str, int]
    statement: str
    withheld: str | None
    record: Sequence[Row]
    weeks: Sequence[Row]
    kept: Sequence[Row]
    buyer: str | None = None
    claims: Sequence[Row] = ()
    products: Sequence[Row] = ()

    @classmethod
    def read(
        cls, connection: duckdb.DuckDBPyConnection, manifest: Manifest, wanted: Wanted
    ) -> Self:
        """Of the file of a version.

        Raises: Unanswerable for an unknown buyer or manager; WholesaleError if an earlier release
        published the file.
        """
        try:
            return cls._read(connection, manifest, wanted)
        except (duckdb.CatalogException, duckdb.BinderException):
            raise WholesaleError(NOT_THERE) from None

    @classmethod
    def _read(
        cls, connection: duckdb.DuckDBPyConnection, manifest: Manifest, wanted: Wanted
    ) -> Self:
        buyer = None if wanted.buyer is None else _buyer(connection, wanted.buyer)
        conditions = []
        if wanted.manager is not None:
            manager = _manager(connection, wanted.manager)
            conditions.append(f"account_manager_id = {quoted(manager)}")
        if buyer is not None:
            conditions.append(f"buyer_id = {quoted(buyer)}")
        of_all = " and ".join(conditions) or "true"
        counts = rows_of(
            connection,
            f"select standing, count(*) as buyers from {REPORT} where {of_all} group by standing",
        )
        if wanted.is_due_only:
            conditions.append("standing = 'due'")
        elif buyer is None:
            conditions.append(f"standing in {STANDINGS}")
        kept = f"row_number() over (partition by standing order by {ORDER}) <= {wanted.limit}"
        statement = ROWS.format(
            products=MOST_PRODUCTS,
            report=REPORT,
            conditions="\n    and ".join(conditions),
            limit="" if wanted.limit is None else f"qualify {kept}\n",
            order=ORDER,
        ).strip()
        [up_to] = rows_of(connection, "select figures_up_to from meta.versions")
        withheld = withheld_of(up_to["figures_up_to"], wanted.today)
        has_claims = bool(rows_of(connection, f"select 1 as n {_table_named(CLAIMS)}"))
        of_buyer = "true" if buyer is None else f"buyer_id = {quoted(buyer)}"
        return cls(
            manifest=manifest,
            figures_up_to=up_to["figures_up_to"],
            rows=[] if withheld else rows_of(connection, statement),
            counts={row["standing"]: row["buyers"] for row in counts},
            statement=statement,
            withheld=withheld,
            record=rows_of(connection, RECORD),
            weeks=rows_of(connection, WEEKS),
            kept=rows_of(connection, KEPT.format(of_buyer)) if has_claims else [],
            buyer=buyer,
            claims=rows_of(connection, f"from {CLAIMS} where {of_buyer} order by ordered_date desc")
            if buyer and has_claims
            else [],
            products=rows_of(
                connection,
                f"from wholesale_bi.rpt_call_sheet_products where {of_buyer}"
                " order by product_list desc, position",
            )
            if buyer
            else [],
        )

    def document(self) -> dict[str, Any]:
        """What `--json` prints."""
        manifest = self.manifest
        of_buyer = {"claims": self.claims, "products": self.products} if self.buyer else {}
        return {
            "rows": self.rows,
            "counts": self.counts,
            "withheld": self.withheld,
            **of_buyer,
            "record": self.record,
            "weeks": self.weeks,
            "kept": self.kept,
            "statement": self.statement,
            **{"verdict": manifest.verdict, "reasons": manifest.reasons},
            "findings": [asdict(each) for each in manifest.findings],
            "as_of": manifest.as_of,
            "figures_up_to": self.figures_up_to,
            "version": manifest.version,
        }

    def without_window(self) -> str | None:
        """How many buyers have no window, and why; None if all have one."""
        told = [
            why.format(counted(self.counts[standing], "buyer"))
            for standing, why in REASONS.items()
            if standing in self.counts
        ]
        return f"no window: {', '.join(told)}" if told else None

    def summary(self) -> str:
        """How many buyers have each standing, and how far to trust that."""
        doubts = "".join(f"; {each}" for each in self.manifest.doubts)
        told = ", ".join(f"{self.counts.get(each, 0):,} {each}" for each in STANDINGS) + ", "
        return (
            f"{'' if self.withheld or self.buyer else told}figures up to"
            f" {self.figures_up_to or 'no day'}: {self.manifest.verdict} as of"
            f" {time_text(self.manifest.as_of)}{doubts}"
        )


def withheld_of(figures_up_to: date | None, today: date | None) -> str | None:
    """Why no window is told on that day, if none is."""
    if figures_up_to is None:
        return "no window is told, as no day is known: no order has a date"
    if today is None or (today - figures_up_to).days <= MOST_DAYS:
        return None
    return (
        f"no window is told, as the last day that is known is {figures_up_to},"
        f" {(today - figures_up_to).days:,} days ago, and windows count from it: `wholesale run`"
        " loads what came since"
    )


def _buyer(connection: duckdb.DuckDBPyConnection, named: str) -> str:
    """The id of the buyer of that id or name, in any case. Raises: Unanswerable."""
    buyers: dict[str, str | None] = {
        row["buyer_id"]: row["buyer_name"]
        for row in rows_of(connection, f"select buyer_id, buyer_name from {REPORT} order by 1")
    }
    if (key := typed_id(named)) in buyers:
        return key
    name = named.strip().casefold()
    found = [key for key, of in buyers.items() if of and of.strip().casefold() == name]
    if len(found) > 1:
        raise Unanswerable(f"{counted(len(found), 'buyer')} have that name: name one by its id,"
                           f" {', '.join(found[:5])}")  # fmt: skip
    if not found:
        raise unknown(named, [of for of in buyers.values() if of], "buyer with a purchase")
    return found[0]


def _manager(connection: duckdb.DuckDBPyConnection, named: str) -> str:
    """Raises: Unanswerable for one that no buyer has."""
    managers = rows_of(
        connection,
        f"select distinct account_manager_id as id from {REPORT}"
        " where account_manager_id is not null order by 1",
    )
    ids = [str(row["id"]) for row in managers]
    if (key := typed_id(named)) not in ids:
        raise unknown(named, ids, "account manager of a buyer")
    return key


def _table_named(place: str) -> str:
    schema, table = place.split(".")
    return f"from duckdb_tables() where schema_name = '{schema}' and table_name = '{table}'"


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    asked = connection.execute(sql)
    names = [column[0] for column in asked.description or ()]
    return [dict(zip(names, row, strict=True)) for row in asked.fetchall()]
