"""The dashboard's site: whole, safe from the texts in its data, and small where it begins."""

import json
import os
import re
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from support.paths import ROOT
from support.services.peaks import peak_kib
from support.warehouses.marts import Marts
from support.warehouses.sites import MANIFEST, Site, publish, publish_nothing
from wholesale.errors import WholesaleError
from wholesale_elt.dashboard import writing
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.dashboard.sales import SOLD

ODD_TEXTS = (
    "</script><script>alert(1)</script>",
    "\"quoted\" and 'quoted' & <b>",
    "two\u2028lines\u2029and\nmore",
    "\u202eright to left\u202c שלום",
    "back\\slash ]]> <!-- \x01",
)


def test_odd_texts_stay_texts(built: Marts, tmp_path: Path) -> None:
    listed = ", ".join("'" + text.replace("'", "''") + "'" for text in ODD_TEXTS)

    def odd(column: str) -> str:
        return f"([{listed}])[1 + ascii({column}) % {len(ODD_TEXTS)}]"

    site = publish(
        built,
        tmp_path,
        f"update wholesale_bi.rpt_orders set buyer_company_name = {odd('order_id')}",
        f"update wholesale_bi.rpt_sales_by_period set vendor_name = {odd('vendor_id')}",
        f"update wholesale_bi.rpt_sales_by_period_totals set vendor_name = {odd('vendor_id')}",
        f"update wholesale_bi.rpt_catalogue set item_title = {odd('product_id')}",
        verdict="incomplete",
        reasons=ODD_TEXTS,
    )
    read = [
        row for month in site.content("meta")["orders"] for row in site.table(f"orders/{month}")
    ]
    assert {row["buyer_company_name"] for row in read} == set(ODD_TEXTS)
    assert {choice["label"] for choice in site.content("meta")["filters"][1]["choices"]} <= {
        "All vendors",
        *ODD_TEXTS,
    }
    assert {row["item_title"] for row in site.table("catalogue", "best_sellers")} <= set(ODD_TEXTS)
    assert site.content("meta")["reasons"] == list(ODD_TEXTS)
    for path in (site.folder / "data").rglob("*.js"):
        text = path.read_text("utf-8")
        assert "<" not in text
        assert not {"\u2028", "\u2029"} & set(text)
    page = (site.folder / "index.html").read_text("utf-8")
    assert "<script>alert" not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page
    assert "&quot;quoted&quot; and &#x27;quoted&#x27; &amp; &lt;b&gt;" in page


def test_the_page_shows_its_headline_figures_before_any_script(site: Site) -> None:
    ((sales, orders, buyers, average),) = site.answer(
        "select sales_amount, order_count, buyer_count, average_order_value"
        " from wholesale_bi.rpt_sales_by_period_totals"
        " where period_key = 'last_12_months' and vendor_id = 'all' and state = 'all'"
    )
    page = (site.folder / "index.html").read_text("utf-8")
    whole = Decimal(sales).quantize(Decimal(1), "ROUND_HALF_UP")
    cents = Decimal(average).quantize(Decimal("0.01"), "ROUND_HALF_UP")
    for figure in (f"EUR\u00a0{whole:,}", f"{orders:,}", f"{buyers:,}", f"EUR\u00a0{cents:,}"):
        assert f">{figure}<" in page
    assert "2026-01-02 03:00 UTC" in page
    assert "{{" not in page


@pytest.mark.parametrize(("entry", "base"), [("dashboard/", ""), ("", "dashboard/")])
def test_the_pages_above_a_version_read_its_files(site: Site, entry: str, base: str) -> None:
    base = f"{base}{MANIFEST['version']}/"
    inside = (site.folder / "index.html").read_text("utf-8")
    outside = (site.published / entry / "index.html").read_text("utf-8")
    assert 'src="data/meta.js"' in inside
    assert f'src="{base}data/meta.js"' in outside
    assert outside.replace(base, "") == inside
    assert not list(site.published.rglob(".*"))
    assert not list(site.folder.glob("fleet.*"))


def test_a_page_that_is_open_can_learn_which_version_is_in_force(site: Site) -> None:
    latest = (site.published / "dashboard/latest.js").read_text("utf-8")
    assert latest == (
        'wholesale.receive("latest",{"version":"20260102T030405000Z-0a1b2c3d",'
        '"published_at":"2026-01-02T03:04:05.000Z"});\n'
    )


def test_a_page_of_an_empty_business_says_so(built: Marts, tmp_path: Path) -> None:
    site = publish_nothing(built, tmp_path)
    meta = site.content("meta")
    assert [[choice["value"] for choice in entry["choices"]] for entry in meta["filters"]] == [
        ["all_time"],
        ["all"],
        ["all"],
        [""],
    ]
    assert (meta["figures_up_to"], meta["shards"], meta["orders"]) == (None, {}, {})
    assert site.table("period/all_time") == []
    [reordering] = site.table("buyers", "reordering")
    assert reordering["reorder_90_days_rate"] is None
    page = (site.folder / "index.html").read_text("utf-8")
    assert "All time" in page
    assert "This account has no orders" in page


def test_a_file_of_an_older_release_is_refused_in_one_line(built: Marts, tmp_path: Path) -> None:
    with pytest.raises(WholesaleError, match=r"rpt_price_changes.*run `wholesale build`") as caught:
        publish(built, tmp_path, "drop table wholesale_bi.rpt_price_changes")
    assert "\n" not in str(caught.value)


def test_the_index_of_the_data_names_every_file_and_every_choice(site: Site) -> None:
    meta = site.content("meta")
    keys = [row["period_key"] for row in site.table("meta", "periods")]
    shards = set(meta["shards"].values())
    assert site.names() == sorted(
        [
            *("meta", "buyers", "catalogue", "chase", "daily", "definitions", "health"),
            *(f"months/{key}" for key in keys if len(key) == len("2026-01")),
            *("period", "cross", "products", "trend", "orders", "months"),
            *(f"{name}/{key}" for name in ("period", "cross", "products") for key in keys),
            *(f"trend/{shard}" for shard in shards),
            *(f"orders/{month}" for month in meta["orders"]),
        ]
    )
    assert {name: meta[name] for name in writing.OF_THE_PUBLICATION} == {
        name: MANIFEST[name] for name in writing.OF_THE_PUBLICATION
    }
    filters = {entry["name"]: entry for entry in meta["filters"]}
    choices = {
        name: [(choice["value"], choice["label"]) for choice in entry["choices"]]
        for name, entry in filters.items()
    }
    assert {name: entry["otherwise"] for name, entry in filters.items()} == {
        "period": "last_12_months",
        "vendor": "all",
        "state": "all",
        "month": f"{max(key for key in keys if len(key) == len('2026-01'))}-01",
    }
    assert choices["period"] == site.answer(
        "select period_key, period_label from wholesale_bi.rpt_periods order by position"
    )
    assert choices["vendor"] == [
        ("all", "All vendors"),
        *site.answer(
            "select vendor_id, vendor_name from wholesale_bi.rpt_sales_by_period_totals"
            " where period_key = 'all_time' and state = 'all' and vendor_id <> 'all'"
            " order by sales_amount desc, vendor_id"
        ),
    ]
    assert choices["state"] == [
        ("all", "All states"),
        *site.answer(
            "select state, state from wholesale_bi.rpt_sales_by_period_totals where period_key ="
            " 'all_time'"
            " and vendor_id = 'all' and state <> 'all' order by sales_amount desc, state"
        ),
    ]
    assert [page["name"] for page in meta["pages"]] == [page.name for page in PAGES]
    assert meta["pages"][0]["tiles"][0] == {
        "type": "headline",
        "name": "sales",
        "label": "Sales",
        "explanation": "Sum of the orders' sub_total. Cancelled and deleted orders are left out,"
        " and returns lower it.",
        "model": "rpt_sales_by_period",
        "columns": [
            {"name": "sales_amount", "type": "amount", "label": "Sales"},
            {"name": "sales_amount_year_before", "type": "amount", "label": "A year before"},
            {
                "name": "sales_amount_growth",
                "type": "change",
                "label": "Change",
                "is_coloured": True,
            },
        ],
        "filters": ["period", "vendor", "state"],
        "has_totals": True,
        "figure": "{sales_amount}",
        "note": "{sales_amount_growth} on {sales_amount_year_before} a year before",
        "otherwise": "nothing to compare with a year before",
        "behind": "Orders behind the sales",
    }


def test_every_report_that_is_read_is_named_by_a_page_and_no_other() -> None:
    code = "".join(path.read_text("utf-8") for path in Path(writing.__file__).parent.glob("*.py"))
    read = set(re.findall(r"\bwholesale_bi\.(rpt_\w+)", code))
    listed = {model for page in PAGES for listing, _ in page.listings for model in listing.models}
    named = {model for page in PAGES for model in page.models}
    assert named == read | listed | set(SOLD), (
        "a tile has no `rows`, and nothing else reads its report"
    )


def test_the_readme_names_every_page_and_its_reports() -> None:
    path = ROOT / "pipelines/wholesale_elt/dashboard/README.md"
    lines = path.read_text("utf-8").splitlines()
    for page in PAGES:
        models = ", ".join(f"`{model}`" for model in dict.fromkeys(t.model for t in page.tiles))
        assert f"| {page.title} | {page.question} | {models} |" in lines


@pytest.mark.long
def test_a_million_orders_of_many_vendors_are_written_in_bounded_memory_and_open_fast(
    built: Marts, tmp_path: Path
) -> None:
    ((orders,),) = built.rows("select count(*) from wholesale_bi.rpt_orders")
    database = publish(
        built,
        tmp_path,
        "insert into wholesale_bi.rpt_orders select rpt_orders.* replace (md5(n || order_id) as"
        " order_id)"
        f" from wholesale_bi.rpt_orders, range(1, {1 + 1_000_000 // orders}) as times(n)",
        "insert into wholesale_bi.rpt_sales_by_period"
        " select sales.* replace (n || vendor_id as vendor_id, n || vendor_name as vendor_name)"
        " from wholesale_bi.rpt_sales_by_period as sales, range(25) as times(n)",
    ).database

    folder = tmp_path / "again" / "dashboard"
    write = (
        "import json, sys; from pathlib import Path;"
        " from wholesale_elt.dashboard import write_dashboard;"
        " write_dashboard(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))"
    )
    command = [sys.executable, "-c", write, str(database), str(folder), json.dumps(MANIFEST)]
    assert peak_kib(command, os.environ) < 600_000

    site = Site(database, folder, tmp_path)
    meta = site.content("meta")
    assert sum(meta["orders"].values()) > 1_000_000
    assert len(meta["shards"]) > 250
    first = ("meta", "period/last_12_months", "trend/all")
    assert sum((folder / "data" / f"{name}.js").stat().st_size for name in first) < 500_000
