"""Asking: the journals of closed months between their files and the version in force."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from wholesale.errors import Unanswerable, WholesaleError, one_line
from wholesale_books.journals.closes import Closes, fault_of, read_closes
from wholesale_books.journals.journal import Journal, JournalEntry, journals_of, no_journals
from wholesale_books.journals.metrics import metrics_of, metrics_set
from wholesale_books.months import ClosedMonth, first_day
from wholesale_books.settings import folder_of
from wholesale_elt.causes import AFTER, BEFORE
from wholesale_elt.dashboard import time_text
from wholesale_elt.models import read_once
from wholesale_elt.publish import Manifest, Site, find_site
from wholesale_elt.warehouse import Warehouse, open_file, open_files

BUYERS = "select name_key, display_name from wholesale_marts.dim_names where name_kind = 'buyer'"


@dataclass(frozen=True, slots=True)
class Asked:
    """Journals, the version that they lead to, and what it calls buyers."""

    journals: Sequence[Journal]
    version: Manifest
    buyers: Mapping[str, str]

    @property
    def faults(self) -> Sequence[str]:
        """Why some are not to be relied on, each once."""
        told = [f"{each.month.name}: {each.fault}" for each in self.journals if each.fault]
        return list(dict.fromkeys(told))

    @property
    def summary(self) -> str:
        version = self.version
        return f"now is {version.version} ({version.verdict} as of {time_text(version.as_of)})"

    def document(self, *, with_entries: bool) -> dict[str, Any]:
        """What `--json` prints; amounts are decimals."""
        months: dict[tuple[str, int], dict[str, Any]] = {}
        for each in self.journals:
            month = each.month
            found = months.setdefault((month.name, month.number), _month(month))
            found["metrics"].append(_metric(each, self.buyers, with_entries=with_entries))
        return {
            "months": list(months.values()),
            "version": self.version.version,
            "as_of": self.version.as_of,
            "verdict": self.version.verdict,
        }


def ask_journals(
    warehouse: Warehouse, published: Path, month: str | None, metrics: Sequence[str]
) -> Asked:
    """The journals of all closed months, or of one, by these metrics or those that are set.

    Raises: NotPublished; Unanswerable for a month that is not closed, and for a metric that has no
    value of a month; ConfigurationError for what is no month.
    """
    names = metrics_of(metrics) if metrics else metrics_set() or metrics_of(["sales"])
    closes = read_closes(folder_of(warehouse))
    months = closes.of_closed if month is None else [_find(closes, month)]
    site = find_site(published)
    if site.manifest.only:
        raise Unanswerable(
            f"what is published in {published} is of {site.manifest.only}, and months are closed"
            " of the whole: name the place of that with --published"
        )
    with read_once():
        found = [each for it in months for each in _journals(closes, it, site, names)]
    return Asked(found, site.manifest, _buyers(site.database))


def _find(closes: Closes, month: str) -> ClosedMonth:
    first = first_day(month)
    for each in closes.of_closed:
        if each.month == first:
            return each
    ended = [each for each in closes.all if each.month == first]
    why = f"was reopened: {ended[-1].reason}" if ended else "is not closed"
    raise Unanswerable(f"{month} {why}; `wholesale close {month}` closes it")


def _journals(
    closes: Closes, month: ClosedMonth, site: Site, names: Sequence[str]
) -> Iterator[Journal]:
    if fault := closes.fault or fault_of(month, site.manifest.source):
        yield from no_journals(month, names, fault)
        return
    try:
        with open_files({BEFORE: month.file, AFTER: site.database}) as connection:
            yield from list(journals_of(connection, month, names))
    except (WholesaleError, duckdb.Error) as error:
        yield from no_journals(month, names, one_line(error))


def _buyers(database: Path) -> Mapping[str, str]:
    with open_file(database) as connection:
        try:
            return dict(connection.execute(BUYERS).fetchall())
        except (duckdb.BinderException, duckdb.CatalogException):
            return {}  # names are not published


def _month(month: ClosedMonth) -> dict[str, Any]:
    return {
        "month": month.name,
        "close_number": month.number,
        "entry_number": month.entry.number,
        "entry_digest": month.entry.digest,
        "version": month.version,
        "as_of": month.as_of,
        "closed_at": month.closed_at,
        "closed_by": month.by,
        "note": month.note,
        "metrics": [],
    }


def _metric(
    journal: Journal, buyers: Mapping[str, str], *, with_entries: bool
) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "metric": journal.metric,
        "as_closed": journal.as_closed,
        "changed": journal.changed,
        "counted_otherwise": journal.counted_otherwise,
        "now": journal.now,
        "residue": journal.residue,
        "orders_changed": journal.orders_changed,
        "problem": journal.problem,
    }
    if with_entries:
        told["entries"] = [_entry(each, buyers) for each in journal.entries]
    return told


def _entry(entry: JournalEntry, buyers: Mapping[str, str]) -> Mapping[str, Any]:
    return {
        "kind": entry.kind,
        "cause": entry.cause,
        "fields": entry.fields.split(", ") if entry.fields else [],
        "part": entry.part,
        "seen_at": entry.seen_at,
        "order_id": entry.order_id,
        "order_number": entry.order_number,
        "order_ids": entry.order_ids,
        "buyer_id": entry.buyer_id,
        "buyer": buyers.get(entry.buyer_id or ""),
        "vendor_id": entry.vendor_id,
        "counted_id": entry.counted_id,
        "was": entry.was,
        "now": entry.now,
        "difference": entry.amount,
    }
