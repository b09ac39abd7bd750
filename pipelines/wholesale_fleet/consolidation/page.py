"""Fleet: the page of all accounts: how far to trust each, and sales by currency.

It is complete HTML that needs no script, and it computes nothing: sums are those of the tables in
`fleet.duckdb`.
"""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from html import escape
from itertools import groupby, pairwise
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
    money_text,
    read_objects,
    time_text,
    write_pages,
    write_script,
)
from wholesale_elt.process import budget

OWN = Path(__file__).parent / "site"
TEMPLATE = OWN / "fleet.html"
FILES = (
    *("tokens.css", "fleet.css"),
    *("theme.js", "data.js", "format.js", "newer.js", "fleet.js"),
)
"""Files of the page: its own, and those of the dashboard of an account."""
WIDTH, HEIGHT = 100, 24
"""Width and height of the SVG view of a line, whatever its size on the page."""
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
SETTINGS: Mapping[str, str] = {
    "account_id": "Account",
    "settings_id": "Settings",
    "currency": "Currency",
    "time_zone": "Time zone",
    "is_discount_in_amounts": "Discounts in amounts",
    "cancelled_order_statuses": "Cancelled",
    "refunded_payment_statuses": "Refunded",
    "largest_amount": "Largest amount",
    "largest_quantity": "Largest quantity",
    "first_plausible_day": "First day",
}
"""Columns of settings with their labels."""

Cell = tuple[str, str | Markup]
"""The CSS class of a cell, and its content."""


def write_fleet_page(database: Path, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the page of a `fleet.duckdb` into `folder`; `manifest` is the content of
    `current.json`."""
    folder.mkdir()
    for name in FILES:
        own = OWN / name
        shutil.copyfile(own if own.exists() else SITE / name, folder / name)
    with budget.open_within(database) as connection:
        content = _content(connection, manifest["accounts"])
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


def _content(connection: duckdb.DuckDBPyConnection, accounts: Sequence[Json]) -> Markup:
    sales = read_objects(connection, SALES)
    sold = {row["account_id"]: row for row in read_objects(connection, OF_ACCOUNTS)}
    months = read_objects(connection, MONTHS)
    settings = read_objects(connection, OF_SETTINGS)
    courses = [
        course(list(rows)) for _, rows in groupby(months, key=lambda row: row["settings_id"])
    ]
    rows = (_sales(sales), "".join(courses), _accounts(accounts, sold), _settings(settings))
    return Markup("".join(f'<div class="tiles">{tiles}</div>' for tiles in rows if tiles))


def _sales(sales: Sequence[Json]) -> Markup:
    return _tile(
        "Sales",
        "Of all time, not cancelled and not deleted, a row for all accounts whose amounts and days"
        " mean the same.",
        _table(
            "Sales by currency and settings",
            ("Currency", "Time zone", "Settings", "Accounts", "Orders", "Sales", "Billed", "As of"),
            (
                [
                    ("code", row["currency"]),
                    ("code", row["time_zone"]),
                    ("code", row["settings_id"]),
                    ("number", count_text(row["account_count"])),
                    ("number", count_text(row["order_count"])),
                    ("number", _amount(row, "sales_amount")),
                    ("number", _amount(row, "billed_amount")),
                    ("moment", time_text(row["as_of"])),
                ]
                for row in sales
            ),
        ),
    )


def course(months: Sequence[Json]) -> Markup:
    """Sales by month, as a line and as a table."""
    first = months[0]
    currency, settings_id = first["currency"], first["settings_id"]
    values = [
        None if row["sales_amount"] is None else Decimal(row["sales_amount"]) for row in months
    ]
    highest = max((value for value in values if value is not None), default=None)
    path = _path(values)
    return _tile(
        f"Sales by month, {currency}",
        f"Of accounts with settings {settings_id}; the last month goes to the last day with an"
        " order.",
        Markup(
            f'<svg class="course" viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' preserveAspectRatio="none" aria-hidden="true"><path d="{path}"/></svg>'
            f'<p class="ends"><span>{escape(first["month"])}</span>'
            f"<span>highest {escape(money_text(highest, currency))}</span>"
            f"<span>{escape(months[-1]['month'])}</span></p>"
            "<details><summary>The numbers</summary>"
        )
        + _table(
            f"Sales by month, {currency}, settings {settings_id}",
            ("Month", "Orders", "Sales"),
            (
                [
                    ("month", row["month"]),
                    ("number", count_text(row["order_count"])),
                    ("number", _amount(row, "sales_amount")),
                ]
                for row in reversed(months)
            ),
        )
        + "</details>",
    )


def _accounts(accounts: Sequence[Json], sold: Mapping[str, Json]) -> Markup:
    def cells(entry: Json) -> list[Cell]:
        row = sold.get(entry["account_id"], {})
        as_of = entry["as_of"]
        age = f'<span data-since="{escape(as_of)}">{NOTHING}</span>' if as_of else NOTHING
        notes = (entry["reason"], entry["trouble"] and f"last command: {entry['trouble']}")
        return [
            ("code", entry["account_id"]),
            ("code", _verdict(entry["verdict"] or "none")),
            ("moment", time_text(as_of)),
            ("code", Markup(age)),
            ("code", _verdict(entry["status"])),
            ("code", row.get("currency") or NOTHING),
            ("number", count_text(row.get("order_count"))),
            ("number", _amount(row, "sales_amount") if row else NOTHING),
            ("date", row.get("last_ordered_date") or NOTHING),
            ("text", "; ".join(filter(None, notes))),
        ]

    return _tile(
        "Accounts",
        "The verdict is that of the version whose numbers stand here; how the account stands now is"
        " beside it.",
        _table(
            "Accounts",
            (
                *("Account", "Verdict", "As of", "Age", "Now", "Currency", "Orders", "Sales"),
                *("Last order", "Remark"),
            ),
            map(cells, accounts),
        ),
    )


def _settings(settings: Sequence[Json]) -> Markup:
    return _tile(
        "Settings",
        "What amounts and days of each account mean. One other setting, or another release of the"
        " models, is another row of sales.",
        _table(
            "Settings by account",
            tuple(SETTINGS.values()),
            ([("text", _shown(row[name])) for name in SETTINGS] for row in settings),
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


def _amount(row: Json, name: str) -> Markup:
    """Rounded as elsewhere on the dashboard; the attribute `value` is exact."""
    value = row[name]
    text = money_text(None if value is None else Decimal(value), row["currency"])
    return Markup(f'<data value="{escape(value or "")}">{escape(text)}</data>')


def _path(values: Sequence[Decimal | None]) -> str:
    """An SVG path from the left to the right of the view, whose height includes zero.

    It is broken where a value is not known.
    """
    ends = [Decimal(0), *(value for value in values if value is not None)]
    low, high = min(ends), max(ends)
    reach = high - low or Decimal(1)
    steps = []
    for number, (before, value) in enumerate(pairwise((None, *values))):
        if value is not None:
            x = WIDTH * number / max(1, len(values) - 1)
            y = HEIGHT * (1 - (value - low) / reach)
            steps.append(f"{'M' if before is None else 'L'}{x:.2f},{y:.2f}")
    return " ".join(steps)


def _tile(title: str, explanation: str, content: str) -> Markup:
    return Markup(
        f'<section class="tile"><h2>{escape(title)}</h2>'
        f'<p class="explanation">{escape(explanation)}</p>{content}</section>'
    )


def _table(caption: str, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Markup:
    """An HTML table; the first cell of a row is its header."""
    cells = [list(row) for row in rows]
    if not cells:
        return Markup('<p class="empty">Nothing here.</p>')
    classes = [style for style, _ in cells[0]]
    heads = "".join(
        f'<th scope="col" class="{style}">{escape(name)}</th>'
        for style, name in zip(classes, names, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            _cell(number, name, *cell)
            for number, (name, cell) in enumerate(zip(names, row, strict=True))
        )
        + "</tr>"
        for row in cells
    )
    return Markup(
        f'<div class="scroller" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f'<caption class="hidden">{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(number: int, name: str, style: str, content: str | Markup) -> str:
    text = content if isinstance(content, Markup) else escape(content)
    if not number:
        return f'<th scope="row" class="{style}">{text}</th>'
    return f'<td class="{style}" data-label="{escape(name)}">{text}</td>'
