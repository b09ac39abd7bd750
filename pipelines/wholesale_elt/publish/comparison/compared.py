"""Compared: the next version with the one before it, with one of a day ago and one of a week ago.

What cannot be compared is told in a sentence, and the version is published all the same.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import duckdb

from wholesale.compare import Digest
from wholesale.errors import one_line
from wholesale_elt.causes import made_as_of, tables_read
from wholesale_elt.figures import Question
from wholesale_elt.past import NotInPast
from wholesale_elt.publish.comparison.added import Comparison
from wholesale_elt.publish.comparison.changes import write_changes
from wholesale_elt.publish.comparison.why import (
    METRICS,
    Earlier,
    Told,
    attached,
    causes,
    taken_over,
    unmoved,
    write_why,
)
from wholesale_elt.publish.comparison.writing import Rows
from wholesale_elt.publish.description import COMPARED, DescribedTable
from wholesale_elt.publish.manifest import Build, Manifest
from wholesale_elt.publish.store import VersionStore
from wholesale_elt.publish.tables import LastVersion, Source
from wholesale_elt.warehouse import Warehouse

log = logging.getLogger("wholesale.publish")
VERSION_BEFORE, OLDEST_VERSION = "version_before", "oldest_version"
AGO = {
    "day_before": (timedelta(days=1), timedelta(hours=3)),
    "week_before": (timedelta(days=7), timedelta(days=1)),
}
"""How long ago, and how near to that a version must have been published to count as one of then."""
ORDERS = "fct_orders"
"""What figures are counted of; where reports alone are published, there are none."""
SAME = (ORDERS, "dim_settings", "rpt_periods")
"""If these are the same in both, no figure moved: the periods tell the last day that counts."""
NO_ROWS = Digest().text


@dataclass(frozen=True, slots=True)
class Compared:
    """The next version, whose tables are in the attached DuckDB file; the version in force, `last`,
    None if it may not be compared with; and what plug-ins have `added`."""

    connection: duckdb.DuckDBPyConnection
    warehouse: Warehouse
    store: VersionStore
    draft: Path
    last: Manifest | None
    in_force: LastVersion
    sources: Sequence[Source]
    build: Build
    published: Sequence[str]
    added: Sequence[Comparison] = ()

    @property
    def tables(self) -> Sequence[DescribedTable]:
        """Those that are written: ours, and those of plug-ins."""
        return [*COMPARED, *(table for each in self.added for table in each.tables)]


def compare(version: Compared) -> set[str]:
    """Write the tables that tell what changed, and why; without a version before, they are empty.

    Returned are the names of those that were written anew.
    """
    rows = Rows(version.connection, version.tables)
    for comparison in version.added if version.store.has_files else ():
        with _told("what plug-ins compare it with"):
            with _taken_over_by(version, comparison):
                found = comparison.tell(version.connection, version.warehouse, version.build)
            with _transaction(version.connection):
                for table, told_rows in found:
                    rows.append(table, told_rows)
    last = version.last
    if last is None or not version.store.has_files:
        return rows.written
    built_at = datetime.fromisoformat(last.built_at)
    with _told("what changed since the version before"), _transaction(version.connection):
        write_changes(rows, version.warehouse, built_at, version.build, version.published)
    if any(source.table == ORDERS for source in version.sources):
        told: list[Told] = []
        with _told("why figures moved since the version before"):
            told.append(_since_the_version_before(version, last))
        for name, (ago, near) in AGO.items():
            with _told(f"why figures moved since the {name.replace('_', ' ')}"):
                told.append(_since(version, last, name, ago, near))
        if not told or not told[-1]:
            with _told("why figures moved since the oldest version"):
                told.append(_since_the_oldest_version(version, last))
        with _told("why figures moved"), _transaction(version.connection):
            for each in told:
                write_why(rows, each)
    return rows.written


@contextmanager
def _taken_over_by(version: Compared, comparison: Comparison) -> Iterator[None]:
    """With the newest version of this place attached whose tables of this comparison have rows, if
    it takes over any."""
    names = {f"{table.schema}.{table.name}" for table in comparison.tables}
    for of in reversed(version.store.kept()) if comparison.takes_over else ():
        if any(of.digests.get(name, NO_ROWS) != NO_ROWS for name in names):
            with _file_of(version, of) as file:
                if file:
                    with attached(version.connection, file):
                        yield
                    return
    yield


def _since_the_version_before(version: Compared, last: Manifest) -> Told:
    """What moved since the version in force; what was so then is made of the past only where its
    file cannot be had."""
    earlier = _earlier(VERSION_BEFORE, last)
    if _has_same_figures(version):
        return unmoved(version.connection, earlier)
    with _file_of(version, last) as file:
        if file:
            return _explained(version, earlier, file)
    return _since_then(version, VERSION_BEFORE, datetime.fromisoformat(last.built_at))


def _since(version: Compared, last: Manifest, name: str, ago: timedelta, near: timedelta) -> Told:
    """What moved since so long ago; nothing if so little is kept. It is not asked again if nothing
    changed since the version before, which was asked for nearly the same moment."""
    moment = datetime.fromisoformat(version.build.built_at) - ago
    if _has_same_figures(version) and (told := _told_before(version, last, name, moment, near)):
        return told
    found = [each for each in version.store.kept() if abs(_published_at(each) - moment) <= near]
    for kept in sorted(found, key=lambda each: abs(_published_at(each) - moment)):
        with _file_of(version, kept) as file:
            if file:
                return _explained(version, _earlier(name, kept), file)
    try:
        return _since_then(version, name, moment)
    except NotInPast:
        return ()


def _since_the_oldest_version(version: Compared, last: Manifest) -> Told:
    """What moved since the oldest version that is kept, if that is not the version before."""
    oldest = min(version.store.kept(), key=_published_at, default=last)
    if oldest.version != last.version:
        with _file_of(version, oldest) as file:
            if file:
                return _explained(version, _earlier(OLDEST_VERSION, oldest), file)
    return ()


def _since_then(version: Compared, compared_with: str, moment: datetime) -> Told:
    """What moved since a moment, made of the past.

    Raises: NotInPast if that does not reach so far.
    """
    read = tables_read(Question(metrics=METRICS))
    currency = version.build.currency
    with made_as_of(version.warehouse, moment, "publish", currency, read, is_held=True) as then:
        return _explained(version, Earlier(compared_with, None, then.as_of, moment), then.database)


def _explained(version: Compared, earlier: Earlier, file: Path) -> Told:
    with attached(version.connection, file):
        return causes(version.connection, earlier)


def _earlier(compared_with: str, of: Manifest) -> Earlier:
    return Earlier(compared_with, of.version, of.as_of, datetime.fromisoformat(of.built_at))


def _has_same_figures(version: Compared) -> bool:
    """Whether the orders, the settings and the days are those of the version in force."""
    compared = [source for source in version.sources if source.table in SAME]
    return all(map(version.in_force.is_same, compared))


def _told_before(
    version: Compared, last: Manifest, name: str, moment: datetime, near: timedelta
) -> Told:
    """What the version in force tells of that, if it compared with nearly this moment."""
    with _file_of(version, last) as file:
        if file is None:
            return ()
        with attached(version.connection, file):
            kept = {each.version for each in version.store.kept()}
            told = taken_over(version.connection, name, kept)
    totals = told[0][1]
    is_near = totals and totals[0]["from_as_of"] and abs(totals[0]["from_as_of"] - moment) <= near
    return told if is_near else ()


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
