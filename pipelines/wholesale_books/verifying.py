"""Verifying: whether the book, the files of closes and the pinned versions are what they were."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import duckdb
import msgspec

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_books.book import NAME, Book, Entry
from wholesale_books.counting import count_month, metrics_of_a_month
from wholesale_books.months import ClosedMonth, closes_in
from wholesale_elt.figures import read_metrics
from wholesale_elt.publish import Manifest, NotPublished, describe_file, kept_versions, pins_in
from wholesale_elt.verification import Finding, verify
from wholesale_elt.warehouse import open_file

TOLD = "rpt_closed_months"
"""The table of a published version that tells of entries of the book."""
TELLS = "select schema_name from duckdb_tables() where table_name = ? limit 1"
ENTRIES = "select distinct entry_number, entry_digest from {}.{} order by all"


@dataclass(frozen=True, slots=True)
class BookVerified:
    """What differs from what was written, what nobody can tell, and what is so besides."""

    entries: int
    closes: int
    findings: Sequence[Finding]
    unknown: Sequence[str]
    notes: Sequence[str]


def verify_book(book: Book, published: Path, month: date | None = None) -> BookVerified:
    """Whether every entry is there as it was written, and every close, or those of one month, still
    says what it said: its file, its figures, and the pinned version where that is kept.

    Raises: ConfigurationError if the book has no close of that month.
    """
    entries, faults = book.check()
    findings = [Finding(NAME, str(fault)) for fault in faults]
    unknown: list[str] = []
    notes: list[str] = []
    versions = _kept(published)
    told = _told_by(published.expanduser(), versions)
    findings += _not_there(entries, told)
    if not told:
        after = f" after {entries[-1].number}" if entries else ""
        unknown.append(f"whether entries{after} are missing: no kept version tells of any")
    else:
        notes.append(f"up to entry {max(told)} none is missing, as kept versions tell of them")
    try:
        closes = closes_in(entries, book.folder)
    except (msgspec.ValidationError, WholesaleError) as error:
        closes = []
        findings.append(Finding(NAME, f"tells of a month what it cannot: {one_line(error)}"))
    wanted = [each for each in closes if month in (None, each.month)]
    if month and not wanted and not findings:
        raise ConfigurationError(
            f"{month:%Y-%m} was never closed: `wholesale close` lists what is, and could be"
        )
    for each in wanted:
        findings += _of_file(each, unknown)
        findings += _of_version(each, published.expanduser(), versions, notes)
    findings = [found for at, found in enumerate(findings) if found not in findings[:at]]
    return BookVerified(len(entries), len(wanted), findings, unknown, notes)


def _kept(published: Path) -> Mapping[str, Manifest]:
    try:
        return {each.version: each for each in kept_versions(published)}
    except NotPublished:
        return {}


def _told_by(published: Path, versions: Mapping[str, Manifest]) -> Mapping[int, tuple[str, str]]:
    """The digests of entries that kept versions tell, by number, and which one does."""
    told: dict[int, tuple[str, str]] = {}
    for version, manifest in versions.items():
        try:
            with open_file(published / manifest.database.path) as connection:
                if place := connection.execute(TELLS, [TOLD]).fetchone():
                    rows = connection.execute(ENTRIES.format(place[0], TOLD)).fetchall()
                    told |= {number: (digest, version) for number, digest in rows}
        except (duckdb.Error, WholesaleError):  # `verify` names what is wrong with the file
            continue
    return told


def _not_there(entries: Sequence[Entry], told: Mapping[int, tuple[str, str]]) -> Iterator[Finding]:
    by_number = {entry.number: entry.digest for entry in entries}
    for number, (digest, version) in told.items():
        if number not in by_number:
            yield Finding(NAME, f"entry {number} is missing, of which version {version} tells")
        elif by_number[number] != digest:
            yield Finding(NAME, f"entry {number} is not the one of which version {version} tells")


def _of_file(close: ClosedMonth, unknown: list[str]) -> Iterator[Finding]:
    """What is wrong with the file of a close, and which of its figures are not those noted."""
    name, about = close.file.name, close.about
    if not close.file.is_file():
        yield Finding(name, "is missing")
        return
    found = describe_file(close.file.parent, close.file)
    if (found.bytes, found.sha256) != (about.file.bytes, about.file.sha256):
        yield Finding(name, "its hash is another one")
    try:
        with open_file(close.file) as connection:
            metrics = [each for each in _counted_alike(connection) if each in about.figures]
            counted = count_month(connection, about.month, metrics).figures
    except (duckdb.Error, WholesaleError) as error:
        yield Finding(name, f"cannot be counted: {one_line(error)}")
        return
    if others := [each for each in about.figures if each not in metrics]:
        unknown.append(
            f"{', '.join(others)} of {about.month}: defined otherwise now, or not at all"
        )
    for metric in metrics:
        if counted[metric] != about.figures[metric]:
            reason = f"{metric} is {counted[metric]}, and was {about.figures[metric]}"
            yield Finding(f"{name} (entry {close.entry.number})", reason)


def _counted_alike(connection: duckdb.DuckDBPyConnection) -> Sequence[str]:
    """The metrics of a month that are counted as when the file was made."""
    found = connection.execute("select metric_name, expression from meta.metrics").fetchall()
    then, now = dict(found), read_metrics()
    return [name for name in metrics_of_a_month() if then.get(name) == now[name].expression]


def _of_version(
    close: ClosedMonth, published: Path, versions: Mapping[str, Manifest], notes: list[str]
) -> Iterator[Finding]:
    """What is wrong with the pinned version, if the month is closed and the version is kept."""
    manifest = versions.get(close.version)
    if manifest is None:
        if close.version in pins_in(published):
            yield Finding(f"version {close.version}", "is pinned, and is not there")
        elif close.reopened is None:
            notes.append(
                f"version {close.version} of {close.name} is not kept here: an erasure removes"
                " pinned versions, and the file of the close stays"
            )
        return
    if manifest.digests != close.about.digests:
        yield Finding(
            f"version {close.version}", f"has other digests than entry {close.entry.number}"
        )
    yield from verify(published, close.version).findings
