"""Compared: the next version with the one before it, and with one of a week ago.

What cannot be compared is told in a sentence, and the version is published all the same.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale.errors import ConfigurationError, one_line
from wholesale_elt.causes import COMPLETE_AS_OF, build_as_of
from wholesale_elt.process import environment
from wholesale_elt.publish.comparison.changes import write_changes
from wholesale_elt.publish.comparison.why import (
    Earlier,
    Told,
    attached,
    causes,
    have_same_days,
    taken_over,
    unmoved,
    write_why,
)
from wholesale_elt.publish.comparison.writing import Rows
from wholesale_elt.publish.description import COMPARED
from wholesale_elt.publish.manifest import Build, Manifest
from wholesale_elt.publish.store import VersionStore
from wholesale_elt.publish.tables import LastVersion, Source
from wholesale_elt.warehouse import Warehouse

log = logging.getLogger("wholesale.publish")
VERSION_BEFORE, WEEK_BEFORE = "version_before", "week_before"
WEEK, NEAR = timedelta(days=7), timedelta(days=1)
"""A version counts as one of a week ago if it was published within a day of that."""
READ = ("fct_orders", "dim_settings", "dim_as_of", "rpt_freshness")
"""What a comparison of the main figures reads."""
SAME = READ[:2]
"""If these are the same in both, and the last day is, no figure moved."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The next version, whose tables are in the attached DuckDB file; and the version in force,
    `last`, None if it may not be compared with."""

    connection: duckdb.DuckDBPyConnection
    warehouse: Warehouse
    store: VersionStore
    draft: Path
    last: Manifest | None
    in_force: LastVersion
    sources: Sequence[Source]
    build: Build
    published: Sequence[str]


def compare(version: Compared) -> set[str]:
    """Write the tables that tell what changed, and why; without a version before, they are empty.

    Returned are the names of those that were written anew.
    """
    rows = Rows(version.connection, COMPARED)
    last = version.last
    if last is None or not version.store.has_files:
        return rows.written
    built_at = datetime.fromisoformat(last.built_at)
    with _told("what changed since the version before"), _transaction(version.connection):
        write_changes(rows, version.warehouse, built_at, version.build, version.published)
    if any(source.table == READ[0] for source in version.sources):
        told: list[Told] = []
        with _told("why figures moved since the version before"), _before(version, last) as before:
            told.append(_explained(version, before))
        with _told("why figures moved since a week ago"):
            told += _of_the_week(version, last)
        with _told("why figures moved"), _transaction(version.connection):
            for each in told:
                write_why(rows, each)
    return rows.written


def _explained(version: Compared, earlier: Earlier) -> Told:
    with attached(version.connection, earlier):
        is_same = _has_same_orders(version) and have_same_days(version.connection)
        return (unmoved if is_same else causes)(version.connection, earlier)


def _has_same_orders(version: Compared) -> bool:
    """Whether the orders and settings are those of the version in force."""
    of_orders = [source for source in version.sources if source.table in SAME]
    return all(map(version.in_force.is_same, of_orders))


@contextmanager
def _before(version: Compared, last: Manifest) -> Iterator[Earlier]:
    """The version in force; made of the past where its file cannot be had."""
    with _file_of(version, last) as file:
        if file:
            yield Earlier(VERSION_BEFORE, last.version, last.as_of, file)
            return
    with _made(version, VERSION_BEFORE, datetime.fromisoformat(last.built_at)) as made:
        yield made


def _of_the_week(version: Compared, last: Manifest) -> Iterator[Told]:
    """What moved since a week ago; nothing if so little is kept. It is not asked again if nothing
    changed since the version before, which was asked for nearly the same moment."""
    week_ago = datetime.fromisoformat(version.build.built_at) - WEEK
    if _has_same_orders(version) and (told := _told_before(version, last, week_ago)):
        yield told
        return
    near = [each for each in version.store.kept() if abs(_published_at(each) - week_ago) <= NEAR]
    for kept in sorted(near, key=lambda each: abs(_published_at(each) - week_ago)):
        with _file_of(version, kept) as file:
            if file:
                earlier = Earlier(WEEK_BEFORE, kept.version, kept.as_of, file)
                with attached(version.connection, earlier):
                    yield causes(version.connection, earlier)
                return
    with (
        suppress(ConfigurationError),
        _made(version, WEEK_BEFORE, week_ago) as made,
        attached(version.connection, made),
    ):
        yield causes(version.connection, made)


def _told_before(version: Compared, last: Manifest, moment: datetime) -> Told | None:
    """What the version in force tells of the week, if it compared with nearly this moment, and
    counts up to the same day."""
    with _file_of(version, last) as file:
        if file is None:
            return None
        with attached(version.connection, Earlier("", None, None, file)):
            if not have_same_days(version.connection):
                return None
            told = taken_over(version.connection, WEEK_BEFORE)
    totals = told[0][1]
    is_near = totals and totals[0]["from_as_of"] and abs(totals[0]["from_as_of"] - moment) <= NEAR
    return told if is_near else None


def _published_at(version: Manifest) -> datetime:
    return datetime.fromisoformat(version.published_at)


@contextmanager
def _file_of(version: Compared, of: Manifest) -> Iterator[Path | None]:
    """The DuckDB file of a version that is kept; None if it cannot be had as it was."""
    path = version.draft / "earlier.duckdb"
    if not version.store.take_over(of.database, path):
        yield None
        return
    try:
        yield path
    finally:
        path.unlink()


@contextmanager
def _made(version: Compared, compared_with: str, moment: datetime) -> Iterator[Earlier]:
    """The marts of a moment, made of the past, in a folder of this user alone.

    Raises: ConfigurationError if the past does not reach so far.
    """
    with (
        TemporaryDirectory(dir=version.warehouse.state_folder) as folder,
        environment({"BUILD__CURRENCY": version.build.currency}),
    ):
        file = Path(folder, "then.duckdb")
        build_as_of(version.warehouse, moment, file, only=READ, is_held=True)
        with duckdb.connect(file, read_only=True) as then:
            [(_, as_of)] = then.execute(COMPLETE_AS_OF).fetchall()
        yield Earlier(compared_with, None, as_of, file)


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    connection.execute("begin")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


@contextmanager
def _told(what: str) -> Iterator[None]:
    """A version without a comparison is better than none: what fails is told."""
    try:
        yield
    except Exception as error:
        log.warning(f"the version does not tell {what}: {one_line(error)}")
