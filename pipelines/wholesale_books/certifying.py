"""Certifying: what must hold of a version, and of a month in it, before it is closed by that."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb

from wholesale.errors import ConfigurationError, WholesaleError
from wholesale_books.months import last_day
from wholesale_elt.figures import known_days
from wholesale_elt.models import OWN_SCHEMA, NotRendered, read_added
from wholesale_elt.process import plugin_names
from wholesale_elt.publish import Manifest, find_site
from wholesale_elt.warehouse import open_file

STATE = "_status"
"""How the fields end that hold states: what else has no meaning are words of vendors, on which days
of bills depend and no sale does."""


class NotCertified(WholesaleError):
    """What is published is not certified to be all that there was, or to mean what is counted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The version in force: the months that are over in it, by their first days, and why none of
    them can be closed, if that is so."""

    version: str
    reason: str | None
    months: Sequence[date] = ()


def folder_in(published: Path) -> Path:
    """Raises: ConfigurationError for a bucket or catalogue, which keeps no pins."""
    scheme, colon, _ = str(published).partition(":")
    if colon and scheme.lower() in plugin_names("stores"):
        raise ConfigurationError(
            f"a close pins a version in a folder, and {scheme}: is no folder: publish --to a folder"
            " as well, and name it by --published"
        )
    return published.expanduser()


def standing_of(published: Path) -> Standing:
    """Whether months of the version in force can be closed. Raises: NotPublished."""
    folder = folder_in(published)
    manifest = find_site(folder).manifest
    with open_file(folder / manifest.database.path) as connection:
        try:
            require_certified(connection, manifest)
            return Standing(manifest.version, None, [*_months_over(connection, manifest)])
        except WholesaleError as error:
            return Standing(manifest.version, str(error))


def _months_over(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[date]:
    """The months that a version can close, by their first days."""
    known = known_days(connection)
    if known.figures_from and known.figures_up_to:
        month = known.figures_from.replace(day=1)
        while month <= known.figures_up_to and _is_over(manifest, month):
            yield month
            month = _following(month)


def require_certified(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Raises: NotCertified; ConfigurationError for what is not of the whole account; Unanswerable
    for reports alone."""
    version = f"version {manifest.version}"
    if manifest.only:
        raise ConfigurationError(
            f"{version} is of {manifest.only} alone, and a month is closed of the whole account:"
            " name the folder with all of it by --published"
        )
    known_days(connection)
    if not manifest.is_complete:
        raise NotCertified(
            f"{version} is not certified complete ({'; '.join(manifest.reasons)}): run"
            " `wholesale run` until it is"
        )
    if states := [each for each in manifest.unknown_states if each.field.endswith(STATE)]:
        told = "; ".join(map(str, states))
        raise NotCertified(
            f"in {version} {told}: say it in [build], then `wholesale build` and `wholesale"
            " publish`"
        )
    if mistake := _left_out(manifest):
        raise NotCertified(
            f"{version} is without your models and metrics ({mistake}): mend that, then `wholesale"
            " build` and `wholesale publish`"
        )


def _left_out(manifest: Manifest) -> str:
    """Why what users added is not in a version; empty if it is, or if there is nothing of it."""
    try:
        added = read_added()
    except NotRendered as error:
        return str(error)
    has_models = any(path.endswith(".sql") for path in added.own.files)
    if has_models and not any(table.schema == OWN_SCHEMA for table in manifest.tables):
        return added.mistake or "the build left them out, or they are newer than it"
    return added.mistake


def require_over(connection: duckdb.DuckDBPyConnection, manifest: Manifest, first: date) -> None:
    """A month is over by the day of the build and the moment of which the orders are, whenever the
    last order was: in a quiet month, or where orders have ended, that is long before.

    Raises: ConfigurationError for a month that is not over, or of which nothing is known;
    NotCertified if the orders were not complete after its end.
    """
    month, version, known = f"{first:%Y-%m}", manifest.version, known_days(connection)
    if known.figures_from is None or known.figures_up_to is None:
        raise ConfigurationError(f"there is no order yet, so {month} cannot be closed")
    if not _is_over(manifest, first):
        raise ConfigurationError(
            f"{month} is not over in version {version}, which was built on {_built_on(manifest)}"
            f" ({manifest.time_zone}): close it by a version of a later day"
        )
    if known.figures_from > last_day(first):
        raise ConfigurationError(
            f"nothing is known of {month}: the first day that is known is {known.figures_from}"
        )
    if known.figures_up_to < first:
        raise ConfigurationError(
            f"nothing is known of {month}: the last day that is known is {known.figures_up_to}"
        )
    as_of, is_later = orders_as_of(connection, _following(first), manifest.time_zone)
    if not is_later:
        raise NotCertified(
            f"the orders of version {version} are complete as of {as_of}, which is not after the"
            f" end of {month} ({manifest.time_zone}): run `wholesale run`, then close it"
        )


def _is_over(manifest: Manifest, first: date) -> bool:
    return _built_on(manifest) > last_day(first)


def _built_on(manifest: Manifest) -> date:
    """The day of the build, in the company's time zone."""
    built = datetime.fromisoformat(manifest.built_at)
    return built.astimezone(ZoneInfo(manifest.time_zone)).date()


def _following(first: date) -> date:
    """The first day of the next month."""
    return last_day(first) + timedelta(days=1)


def orders_as_of(
    connection: duckdb.DuckDBPyConnection, day: date, zone: str
) -> tuple[datetime | None, bool]:
    """The moment as of which all orders were there, and whether it is after this day began."""
    ((moment, is_later),) = connection.execute(
        "select max(complete_as_of), coalesce(max(complete_as_of)"
        " >= timezone(?, cast(cast(? as date) as timestamp)), false)"
        " from wholesale_bi.rpt_freshness where resource = 'orders'",
        [zone, day],
    ).fetchall()
    return moment, bool(is_later)
