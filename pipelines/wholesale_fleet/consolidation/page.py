"""Fleet: the page of all accounts: how far to trust each, and sales by currency.

It is complete HTML that needs no script, and it computes nothing: sums are those of the tables in
`fleet.duckdb`.
"""

import shutil
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.dashboard import (
    LATEST,
    NOTHING,
    SITE,
    Json,
    Markup,
    count_text,
    read_objects,
    time_text,
    write_pages,
    write_script,
)
from wholesale_elt.process import budget
from wholesale_fleet.consolidation.manifest import is_late
from wholesale_fleet.consolidation.markup import Cell, table, tile
from wholesale_fleet.consolidation.sales import (
    KEY,
    SETTINGS,
    amount_cell,
    course,
    currency_text,
    sales_by_currency,
)

OWN = Path(__file__).parent / "site"
TEMPLATE = OWN / "fleet.html"
FILES = (
    *("tokens.css", "fleet.css"),
    *("theme.js", "data.js", "format.js", "newer.js", "fleet.js"),
)
"""Files of the page: its own, and those of the dashboard of an account."""
MOST_MONTHS = 36
MOST_REASONS = 5
"""Problems listed at the top of the page; all are also shown with their accounts."""
SALES = "from wholesale_bi.fleet_sales order by currency, time_zone, settings_id"
MONTHS = f"""
    select
        settings_id,
        currency,
        strftime(date_day, '%Y-%m') as month,
        cast(sum(order_count) as bigint) as order_count,
        cast(sum(sales_amount) as decimal(38, 9)) as sales_amount
    from wholesale_bi.fleet_daily_sales
    group by settings_id, currency, strftime(date_day, '%Y-%m')
    qualify row_number() over (partition by settings_id order by month desc) <= {MOST_MONTHS}
    order by currency, settings_id, month
"""
OF_ACCOUNTS = """
    select account_id, settings_id, currency, order_count, sales_amount, last_ordered_date
    from wholesale_bi.fleet_account_sales
"""
OF_SETTINGS = (
    "from wholesale_bi.fleet_settings order by currency, time_zone, settings_id, account_id"
)

MOST_NAMED = 5
"""Accounts named where they are counted together; the table of accounts has all."""


def write_fleet_page(database: Path, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the page of a `fleet.duckdb` into `folder`; `manifest` is the content of
    `current.json`."""
    folder.mkdir()
    for name in FILES:
        own = OWN / name
        shutil.copyfile(own if own.exists() else SITE / name, folder / name)
    with budget.open_within(database) as connection:
        content = _content(connection, manifest)
    write_script(folder, LATEST, {name: manifest[name] for name in ("version", "published_at")})
    values = {
        **{name: str(manifest[name]) for name in ("version", "verdict")},
        "as_of": time_text(manifest["as_of"]),
        "published_at": time_text(manifest["published_at"]),
        "reasons": _some(manifest["reasons"]),
        "counted": count_text(sum(entry["is_counted"] for entry in manifest["accounts"])),
        "total": count_text(len(manifest["accounts"])),
        "content": content,
    }
    write_pages(folder, TEMPLATE, values, manifest)


def _some(reasons: Sequence[str]) -> str:
    rest = len(reasons) - MOST_REASONS
    return "; ".join(reasons[:MOST_REASONS]) + (f"; and {rest:,} more below" if rest > 0 else "")


def _content(connection: duckdb.DuckDBPyConnection, manifest: Mapping[str, Any]) -> Markup:
    sales = read_objects(connection, SALES)
    sold = {row["account_id"]: row for row in read_objects(connection, OF_ACCOUNTS)}
    months = read_objects(connection, MONTHS)
    settings = {
        key: list(rows)
        for key, rows in groupby(read_objects(connection, OF_SETTINGS), lambda row: row[KEY])
    }
    names = {key: _names([row["account_id"] for row in rows]) for key, rows in settings.items()}
    courses = [
        course(list(rows), names[key]) for key, rows in groupby(months, key=lambda row: row[KEY])
    ]
    accounts, published_at = manifest["accounts"], manifest["published_at"]
    rows = (
        _late(accounts, published_at),
        sales_by_currency(sales, names, settings),
        "".join(courses),
        _accounts(accounts, sold),
        _settings(settings, names),
    )
    return Markup("".join(f'<div class="tiles">{tiles}</div>' for tiles in rows if tiles))


def _names(accounts: Sequence[str]) -> str:
    rest = len(accounts) - MOST_NAMED
    return ", ".join(accounts[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def _late(accounts: Sequence[Json], published_at: str) -> Markup:
    """The accounts whose numbers are old, and why; nothing where none is."""
    late = [each for each in accounts if is_late(each["as_of"], each["every_hours"], published_at)]
    if not late:
        return Markup()
    return tile(
        "Late",
        "Accounts whose numbers were older than two of their intervals when this was published.",
        table(
            "Late accounts",
            ("Account", "Numbers as of", "Age", "Expected every", "Why"),
            (
                [
                    ("account", each["account_id"]),
                    ("moment", time_text(each["as_of"])),
                    ("age", _age(each)),
                    ("number", f"{each['every_hours']:g} h"),
                    ("text", _remark(each) or "no run has ended since"),
                ]
                for each in late
            ),
        ),
    )


def _age(account: Json) -> Markup:
    """How old its numbers are: a script says so, and whether that is late by now."""
    if not account["as_of"]:
        return Markup(NOTHING)
    since = escape(account["as_of"])
    return Markup(
        f'<span data-since="{since}" data-every="{account["every_hours"]:g}">{NOTHING}</span>'
    )


def _remark(account: Json) -> str:
    trouble = account["trouble"] and f"last command: {account['trouble']}"
    return "; ".join(filter(None, (account["reason"], trouble)))


def _accounts(accounts: Sequence[Json], sold: Mapping[str, Json]) -> Markup:
    def cells(entry: Json) -> list[Cell]:
        row = sold.get(entry["account_id"], {})
        return [
            ("account", entry["account_id"]),
            ("code", _verdict(entry["verdict"] or "none")),
            ("moment", time_text(entry["as_of"])),
            ("age", _age(entry)),
            ("code", _verdict(entry["status"])),
            ("code", currency_text(row["currency"]) if row else NOTHING),
            ("number", count_text(row.get("order_count"))),
            ("number", amount_cell(row, "sales_amount") if row else NOTHING),
            ("date", row.get("last_ordered_date") or NOTHING),
            ("text", _remark(entry)),
        ]

    return tile(
        "Accounts",
        "The verdict is that of the version whose numbers stand here; how the account stands now is"
        " beside it.",
        table(
            "Accounts",
            (
                *("Account", "Verdict", "As of", "Age", "Now", "Currency", "Orders", "Sales"),
                *("Last order", "Remark"),
            ),
            map(cells, accounts),
        ),
    )


def _settings(settings: Mapping[str, Sequence[Json]], names: Mapping[str, str]) -> Markup:
    return tile(
        "Settings",
        "What amounts and days mean. One other setting, or another release of the models, is"
        " another row of sales.",
        table(
            "Settings by account",
            ("Accounts", *SETTINGS.values()),
            (
                [
                    ("account", names[key]),
                    *(
                        ("text", currency_text(str(rows[0][name])))
                        if name == "currency"
                        else ("text", _shown(rows[0][name]))
                        for name in SETTINGS
                    ),
                ]
                for key, rows in settings.items()
            ),
        ),
    )


def _shown(value: str | int | bool | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value or NOTHING if isinstance(value, str) else count_text(value)


def _verdict(verdict: str) -> Markup:
    return Markup(
        f'<span class="verdict" data-verdict="{escape(verdict)}">{escape(verdict)}</span>'
    )
