"""The dashboard's site: whole, safe from the texts in its data, and small where it begins."""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.paths import ROOT
from support.services.peaks import peak_kib
from support.warehouses.marts import Marts
from support.warehouses.sites import MANIFEST, Site, publish, publish_nothing
from wholesale.errors import WholesaleError
from wholesale_elt.dashboard import writing
from wholesale_elt.dashboard.contents import CONTENTS
from wholesale_elt.dashboard.facts.prepared import PREPARED
from wholesale_elt.dashboard.pages import PAGES, are_reports

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
        f"update wholesale_marts.dim_vendors set vendor_name = {odd('vendor_id')}",
        f"update wholesale_marts.dim_names set display_name = {odd('name_key')}",
        f"update wholesale_bi.rpt_catalogue set item_title = {odd('product_id')}",
        verdict="incomplete",
        reasons=ODD_TEXTS,
    )
    assert {row["vendor_name"] for row in site.table("vendors")} <= set(ODD_TEXTS)
    assert {row["name"] for row in site.table("facts/members_of_orders", "vendor")} <= set(
        ODD_TEXTS
    )
    assert {row["item_title"] for row in site.table("products")} == set(ODD_TEXTS)
    assert site.content("meta")["reasons"] == list(ODD_TEXTS)
    for path in (site.folder / "data").rglob("*.js"):
        assert not {"\u2028", "\u2029"} & set(path.read_bytes().decode("utf-16"))
    page = (site.folder / "index.html").read_text("utf-8")
    assert "<script>alert" not in page


def test_nothing_is_left_out_of_the_template(site: Site) -> None:
    page = (site.folder / "index.html").read_text("utf-8")
    assert "complete as of 2026-01-02 03:00 UTC" in page
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
    assert (meta["figures_up_to"], meta["figures_from"]) == (None, None)
    assert site.content("facts/index")["fct_orders"]["months"] == {}
    assert "There are no orders" in (site.folder / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("hours", "usual", "late_after"),
    [
        ([], None, 48),
        ([24] * 3, None, 48),
        ([24] * 4, 24, 48),
        ([24] * 5, 24, 48),
        ([24, 24, 25, 24, 100], 24, 48),
        ([168] * 5, 168, 336),
    ],
)
def test_figures_are_late_after_twice_the_usual_time_between_readings(
    built: Marts, tmp_path: Path, hours: list[int], usual: float | None, late_after: float
) -> None:
    starts = [sum(hours[:n]) for n in range(len(hours) + 1)]
    rows = ", ".join(f"('r{start}', {start})" for start in starts)
    site = publish(
        built,
        tmp_path,
        "create table one as from wholesale_bi.rpt_sync_runs limit 1",
        "delete from wholesale_bi.rpt_sync_runs",
        "insert into wholesale_bi.rpt_sync_runs by name select one.* replace (run as run_id,"
        " timestamptz '2026-01-01 00:00:00Z' + to_hours(hour) as started_at)"
        f" from one, (values {rows}) as runs(run, hour)",
        "drop table one",
    )
    meta = site.content("meta")
    assert (meta["usual_hours"], meta["late_after_hours"]) == (usual, late_after)


def test_minutes_between_readings_do_not_make_figures_of_this_hour_late(
    built: Marts, tmp_path: Path
) -> None:
    site = publish(
        built,
        tmp_path,
        "create table one as from wholesale_bi.rpt_sync_runs limit 1",
        "insert into wholesale_bi.rpt_sync_runs by name select one.* replace (number::varchar as"
        " run_id, timestamptz '2036-01-01 00:00:00Z' + to_minutes(number) as started_at)"
        " from one, range(20) as runs(number)",
        "drop table one",
    )
    meta = site.content("meta")
    assert (meta["usual_hours"], meta["late_after_hours"]) == (0.5, 1)


def test_a_file_of_an_older_release_is_refused_in_one_line(built: Marts, tmp_path: Path) -> None:
    with pytest.raises(WholesaleError, match=r"rpt_price_changes.*run `wholesale build`") as caught:
        publish(built, tmp_path, "drop table wholesale_bi.rpt_price_changes")
    assert "\n" not in str(caught.value)


def test_every_data_file_is_one_that_the_index_names(site: Site) -> None:
    index = site.content("facts/index")
    orders, lines = (index[fact]["months"] for fact in ("fct_orders", "fct_order_lines"))
    assert site.names() == sorted(
        [
            *("meta", "reports", *(content.name for content in CONTENTS)),
            *(f"reports/{name}" for name in site.content("reports")),
            *(
                f"of_{kind}/{part}"
                for kind in ("buyers", "products")
                for part in {row["part"] for row in site.table(kind)}
            ),
            *("facts/index", "facts/kinds"),
            *(f"facts/members_of_{file}" for file in ("orders", "states", "more")),
            *(
                f"facts/{name}-{month}"
                for name in ("orders", "states", "more", "flags", "steps")
                for month in orders
            ),
            *(f"facts/details-{month}-0" for month in orders),
            *(f"{site.content('meta')['prepared']['place']}/{name}" for name in PREPARED),
            *(f"facts/{name}-{month}" for name in ("lines", "more_lines") for month in lines),
            *("calls/index", "calls/0"),
            *(f"purchases/{ending}" for ending in site.content("meta")["purchase_endings"]),
        ]
    )
    meta = site.content("meta")
    assert {name: meta[name] for name in writing.OF_THE_PUBLICATION} == {
        name: MANIFEST[name] for name in writing.OF_THE_PUBLICATION
    }
    assert [page["name"] for page in meta["pages"]] == [page.name for page in PAGES]


def test_a_site_of_reports_alone_has_the_pages_that_need_no_marts(
    built: Marts, tmp_path: Path
) -> None:
    site = publish(built, tmp_path, "drop schema wholesale_marts cascade")
    assert [page["name"] for page in site.content("meta")["pages"]] == [
        page.name for page in PAGES if are_reports(page.models)
    ]
    assert site.names() == sorted(
        [
            *("meta", "reports", *(f"reports/{name}" for name in site.content("reports"))),
            *(content.name for content in CONTENTS if are_reports(content.tables)),
        ]
    )


def test_the_readme_names_every_page_and_its_question() -> None:
    path = ROOT / "pipelines/wholesale_elt/dashboard/README.md"
    lines = path.read_text("utf-8").splitlines()
    assert [f"| {page.title} | {page.question} |" for page in PAGES] == [
        line for line in lines if re.fullmatch(r"\| \w[\w ]* \| .+[?.] \|", line)
    ]


@pytest.mark.long
def test_a_million_orders_are_written_in_bounded_memory_and_open_fast(
    built: Marts, tmp_path: Path
) -> None:
    [(orders,)] = built.rows("select count(*) from wholesale_marts.fct_orders")
    more = "select {0}.* replace (md5(n || order_id) as order_id{1}) from wholesale_marts.{0},"
    times = f"range(1, {1 + 1_000_000 // orders}) as times(n)"
    line = ", md5(n || order_line_id) as order_line_id"
    database = publish(
        built,
        tmp_path,
        f"insert into wholesale_marts.fct_orders {more.format('fct_orders', '')} {times}",
        f"insert into wholesale_marts.fct_order_lines {more.format('fct_order_lines', line)}"
        f" {times}",
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
    assert sum(site.content("facts/index")["fct_orders"]["months"].values()) > 1_000_000
    bytes_an_order = (
        sum(path.stat().st_size for path in (folder / "data/facts").glob("orders-*")) / 1_000_000
    )
    assert bytes_an_order < 15


MOST_BYTES_A_LINE = {"facts": 75, "of_buyers": 17}
"""By the folder of data, of a small account, whose many files have few lines each."""
MOST_BYTES_OF_SCRIPTS = 800_000
"""With style sheets, and lists that every page may read."""


def test_a_site_is_light(site: Site) -> None:
    """Data by what there is more of in a larger account; scripts are read once."""
    weight = Counter[str]()
    for path in site.folder.rglob("*"):
        if path.is_file():
            _, _, name = path.relative_to(site.folder).as_posix().partition("data/")
            weight[name.partition("/")[0] if "/" in name else ""] += path.stat().st_size
    [(lines,)] = site.answer("select count(*) from wholesale_marts.fct_order_lines")
    for folder, most in MOST_BYTES_A_LINE.items():
        assert weight[folder] < most * lines, folder
    assert weight[""] < MOST_BYTES_OF_SCRIPTS
