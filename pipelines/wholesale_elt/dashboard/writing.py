"""Writing: writes the files of the site, its data, and the entry page."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard.columnar import Json, read_row
from wholesale_elt.dashboard.contents import (
    CONTENTS,
    FOLDERS,
    REPORTS_FOLDER,
    read_index,
    read_report,
    write_pictures,
)
from wholesale_elt.dashboard.entry import (
    Markup,
    headlines,
    navigation,
    notice,
    render,
    time_text,
)
from wholesale_elt.dashboard.facts import (
    FOLDER,
    TABLES,
    decided_by,
    describe_prepared,
    is_counted,
    place_prepared,
    write_facts,
    write_prepared,
)
from wholesale_elt.dashboard.news import NAMED_ORDERS
from wholesale_elt.dashboard.pages import PAGES, Page, are_reports
from wholesale_elt.dashboard.scripts import copy_script, write_data, write_script
from wholesale_elt.dashboard.search import NUMBERED, PURCHASES, read_endings, write_purchases
from wholesale_elt.dashboard.settings import read_people, read_settings
from wholesale_elt.figures import FACTS, GROUPS, LINES, ORDERS, heading_of, read_facts, read_metrics
from wholesale_elt.pictures import Bounds
from wholesale_elt.process import budget, replace

SITE = Path(__file__).parent / "site"
PAGE = "index.html"
LATEST = "latest"
ENTRIES: Mapping[str, str] = {
    "dashboard/latest.js": f"{LATEST}.js",
    "dashboard/index.html": "entry.html",
    "index.html": "top.html",
}
"""Files of a published folder with one path in all versions, and their names in the version that
they are copied from. By `latest.js` an open page learns which version is in force."""
OF_THE_PUBLICATION = (
    *("version", "published_at", "as_of", "built_at", "verdict", "reasons"),
    *("currency", "time_zone"),
)
ENDS = (
    "select figures_from, figures_up_to, as_of_date, last_ordered_date, quiet_day_count"
    " from wholesale_bi.rpt_headlines"
)
LATE_AFTER_HOURS = 48
"""Figures are late after so many hours, where too few readings tell how often they come."""
FEWEST_READINGS = 5
MOST_READINGS = 20
"""The latest readings, of which the median of the hours between them is what is usual."""
USUAL_HOURS = f"""
    with readings as (
        select min(started_at) as started_at from wholesale_bi.rpt_sync_runs
        group by run_id order by started_at desc limit {MOST_READINGS}
    ),
    gaps as (
        select epoch(started_at - lag(started_at) over (order by started_at)) / 3600 as hours
        from readings
    )
    select
        case when count(*) >= {FEWEST_READINGS} then greatest(median(hours), 0.5) end as usual
    from gaps
"""
UNCONFIRMED_DAYS = (
    "select max(threshold_days) from wholesale_bi.rpt_tasks where task_kind = 'unconfirmed'"
)
IS_DISCOUNT_IN = "select is_discount_in_amounts from wholesale_marts.dim_settings"
HAS_MARTS = "select 1 from duckdb_tables() where schema_name = 'wholesale_marts' limit 1"
Take = Callable[[Set[str], str], bool]
"""Puts the data file of a name, or all files of the folder of that name, into the site, if the
version in force has them of the same reports and marts."""


def write_dashboard(
    database: Path, folder: Path, manifest: Mapping[str, Any], take: Take = lambda *data: False
) -> None:
    """Write the whole site of the published DuckDB file into `folder`.

    `manifest` is the content of `current.json`. Data that `take` has put there are not
    written. Memory is bounded by DuckDB's limit and some months of orders, whatever their
    number.
    Where only reports were published there are only the pages that need no marts.
    Raises: WholesaleError if the file lacks a table, as an older release made it, or if a setting
    is wrong.
    """
    ignored = shutil.ignore_patterns(PAGE)
    shutil.copytree(SITE, folder, ignore=ignored, copy_function=copy_script, dirs_exist_ok=True)
    data = folder / "data"
    with _opened(database) as connection:
        has_marts = _has_marts(connection)
        pages = [page for page in PAGES if has_marts or are_reports(page.models)]
        if has_marts and not take(TABLES, FOLDER):
            write_facts(connection, data)
    for part in FOLDERS:
        if has_marts and not take(part.tables, part.name):
            with _opened(database) as connection:
                if part.has_long_texts:
                    connection.execute(f"set memory_limit = '{budget.limit()}'")
                for name, tables in part.read(connection):
                    write_data(data, f"{part.name}/{name}", tables)
    with _opened(database) as connection:
        prepared = _write_prepared(connection, data, take) if has_marts else None
    with _opened(database) as connection:
        for content in CONTENTS:
            is_read = has_marts or are_reports(content.tables)
            if is_read and not (content.is_kept and take(content.tables, content.name)):
                write_data(data, content.name, content.read(connection))
    with _opened(database) as connection:
        reports = read_index(connection)
        write_data(data, REPORTS_FOLDER, reports)
        for name in reports:
            if not take({name}, f"{REPORTS_FOLDER}/{name}"):
                write_data(data, f"{REPORTS_FOLDER}/{name}", read_report(connection, name))
        meta = {
            **read_meta(connection, manifest, pages),
            "purchase_endings": read_endings(connection) if has_marts else [],
            "prepared": prepared,
            "pictures": None,
        }
        settings = read_settings()
        if has_marts and settings.pictures == "fetch":
            bounds = Bounds(
                settings.pictures_most,
                settings.pictures_megabytes * 1_000_000,
                settings.pictures_seconds,
            )
            meta["pictures"] = write_pictures(connection, data, bounds, take)
        write_data(data, "meta", meta)
        values = _values(connection, meta)
    write_script(folder, LATEST, {name: manifest[name] for name in ("version", "published_at")})
    write_pages(folder, SITE / PAGE, values, manifest)


def _write_prepared(connection: duckdb.DuckDBPyConnection, data: Path, take: Take) -> Json:
    """Write what is counted of orders and lines beforehand, and tell what there is of it."""
    place = place_prepared(connection)
    if not take(TABLES, place):
        write_prepared(connection, data, place)
    if not take(NUMBERED, PURCHASES):
        write_purchases(connection, data)
    return describe_prepared(connection, place)


def write_pages(
    folder: Path, template: Path, values: Mapping[str, str], manifest: Mapping[str, Any]
) -> None:
    """Write the page of a site, and its entries, which differ in the path to the site's files."""
    text = template.read_text("utf-8")
    site = PurePosixPath(manifest["dashboard"]).parent
    bases = {PAGE: ""} | {
        name: f"{site.relative_to(PurePosixPath(place).parent)}/"
        for place, name in ENTRIES.items()
        if name.endswith(".html")
    }
    for name, base in bases.items():
        (folder / name).write_text(render(text, {**values, "base": base}), "utf-8")


def write_entries(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Put the entries of the version of this `manifest` in force, each atomically.

    `folder` is the published one; `manifest["dashboard"]` is the path of the version's page there.
    """
    site = (folder / manifest["dashboard"]).parent
    for place, name in ENTRIES.items():
        replace(folder / place, partial(shutil.copyfile, site / name))


@contextmanager
def _opened(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Each part of the site has a connection of its own, at whose end all that it held is free."""
    with budget.open_within(database) as connection:
        connection.execute("set threads = 1")
        budget.hold_back(connection)
        try:
            if _has_marts(connection):
                connection.execute(NAMED_ORDERS)
            yield connection
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first_line = str(error).partition("\n")[0]
            raise WholesaleError(
                f"the dashboard cannot be made from {database}: {first_line}; run `wholesale build`"
                " and publish again"
            ) from error


def _has_marts(connection: duckdb.DuckDBPyConnection) -> bool:
    return bool(connection.sql(HAS_MARTS).fetchall())


def read_meta(
    connection: duckdb.DuckDBPyConnection, manifest: Mapping[str, Any], pages: Sequence[Page] = ()
) -> Json:
    """What every page needs to know, and whatever else tells of the version."""
    settings, known = read_settings(), read_facts()
    only = manifest.get("only")  # what earlier releases published was of all
    people = _people_of(only, read_people(settings.people))
    return {
        **{name: manifest[name] for name in OF_THE_PUBLICATION},
        **read_row(connection, ENDS),
        **_ages(connection),
        "old_after_days": settings.old_after_days,
        **_thresholds(connection),
        "company": _name_of_part(connection, only, people) if only else settings.company,
        "people": people,
        "mixed_currencies": _mixed_currencies(connection),
        "states": _states(connection),
        "views": {} if only else settings.views,  # they may name other vendors
        "groups": GROUPS,
        **({"has_goals": True} if _has_goals(connection) else {}),
        "pages": [{"name": page.name, "title": page.title} for page in pages],
        "metrics": {
            metric.name: {
                "label": metric.label,
                "unit": metric.unit,
                "kind": metric.kind,
                "group": metric.group,
                "of_products": metric.of_products,
                "parts": metric.parts,
                "fact": metric.model,
                "decided": decided_by(metric),
            }
            for metric in read_metrics().values()
            if is_counted(metric)
        },
        "dimensions": {
            fact: {name: each.meaning for name, each in known[fact].dimensions.items()}
            for fact in (ORDERS, LINES)
        },
        "fields": {
            name: heading_of(name)
            for name in known[LINES].dimensions.keys() - FACTS[LINES].dimensions.keys()
        },
    }


def _ages(connection: duckdb.DuckDBPyConnection) -> Json:
    """Hours that usually lie between two readings, none where too few tell it, and those after
    which newer figures are late: twice as many, and one at least."""
    [(hours,)] = connection.sql(USUAL_HOURS).fetchall()
    usual = None if hours is None else round(float(hours), 2)
    late = LATE_AFTER_HOURS if usual is None else 2 * usual
    return {"usual_hours": usual, "late_after_hours": late}


def _states(connection: duckdb.DuckDBPyConnection) -> Mapping[str, Mapping[str, str]]:
    """What each state means by field, those that most orders are in first."""
    rows = connection.sql(
        "select field_name, state, standing from wholesale_bi.rpt_order_states"
        " where state is not null order by field_name, order_count desc, state"
    ).fetchall()
    return {field: {state: as_ for of, state, as_ in rows if of == field} for field, *_ in rows}


def _thresholds(connection: duckdb.DuckDBPyConnection) -> Json:
    """Days from which on something is told, and within which of its gaps the next of a buyer is
    that is not late; nothing if only reports, which do not tell, were published. No order waits
    for so many `unconfirmed_days` if it is None."""
    if not _has_marts(connection):
        return {}
    names = ("overdue_days", "old_order_days", "recent_days", "done_days", "late_percentile")
    found = connection.sql(f"select {', '.join(names)} from wholesale_marts.dim_settings")
    [(*days, share)] = found.fetchall()
    [(unconfirmed,)] = connection.sql(UNCONFIRMED_DAYS).fetchall()
    told = dict(zip(names, [*days, format(share.normalize(), "f")], strict=True))
    [(is_in,)] = connection.sql(IS_DISCOUNT_IN).fetchall()
    return told | {"unconfirmed_days": unconfirmed, "is_discount_in_amounts": is_in}


def _people_of(only: str | None, people: Mapping[str, str]) -> Mapping[str, str]:
    """Of the owner's own people a part names nobody but the manager that it is of."""
    if not only:
        return people
    return {key: name for key, name in people.items() if only == f"manager={key}"}


def _name_of_part(
    connection: duckdb.DuckDBPyConnection, only: str, people: Mapping[str, str]
) -> str:
    """What the one is called whose figures these are; the id if there is no name, or if only
    reports were published."""
    kind, _, key = only.partition("=")
    if key in people:
        return people[key]
    try:
        names = connection.execute(
            "select display_name from wholesale_marts.dim_names"
            " where name_kind = ? and name_key = ?",
            [kind, key],
        ).fetchall()
    except duckdb.CatalogException:
        names = []
    return next((name for (name,) in names if name), key)


def _has_goals(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether there are any: without a file of them no page speaks of goals."""
    try:
        return bool(connection.sql("select 1 from wholesale_bi.rpt_goals limit 1").fetchall())
    except duckdb.CatalogException:  # an earlier release built it
        return False


def _mixed_currencies(connection: duckdb.DuckDBPyConnection) -> Sequence[str]:
    """Currencies that are added up with others, or with those of the setting."""
    rows = connection.sql(
        "select distinct currency from wholesale_bi.rpt_currencies where not is_expected"
        " order by all"
    ).fetchall()
    return [currency for (currency,) in rows]


def _values(connection: duckdb.DuckDBPyConnection, meta: Json) -> dict[str, str]:
    """What the page shows before any script has run."""
    has_figures = meta["pages"][0]["name"] == PAGES[0].name
    ends = (meta["figures_from"], meta["figures_up_to"])
    days, figures = "", Markup()
    if has_figures:
        days, figures = headlines(connection, *ends, meta["currency"])
    return {
        "company": meta["company"],
        "verdict": meta["verdict"],
        "reasons": "; ".join(meta["reasons"]),
        "as_of": time_text(meta["as_of"]),
        "pages": navigation(meta["pages"]),
        "days": days,
        "headlines": figures,
        "notice": notice(
            meta["last_ordered_date"], meta["quiet_day_count"], meta["mixed_currencies"]
        ),
    }
