"""Deletions: proves which of the stored records that a list did not show are gone."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from wholesale.api import Resource
from wholesale.pages import Fetcher, RawPage
from wholesale.sync.changes import Changes
from wholesale.sync.passes import Pass
from wholesale.sync.report import Report

LEAST_MISSING_IN_DOUBT = 50
SHARE_MISSING_IN_DOUBT = 0.01


@dataclass(slots=True)
class Deletions:
    """Confirms what is missing after each pass over the list of one resource.

    `is_full`: any number of deletions is believed.
    """

    fetcher: Fetcher
    resource: Resource
    changes: Changes
    report: Report
    is_full: bool = False
    _absent: set[str] = field(default_factory=set)

    def confirm(self, this_pass: Pass) -> Iterator[RawPage]:
        """Ask for each stored record that the pass did not show; those that exist all the same."""
        missing = self.changes.missing(this_pass)
        if not len(missing):
            self._absent = set()
            return
        doubt = deletion_guard(len(missing), self.changes.stored.alive, this_pass)
        if doubt and not self.is_full:
            self.report.faults.append(f"{doubt}; --full believes it after asking for each")
            return
        if self.resource.get_endpoint is None:
            self._confirm_by_absence(set(missing.ids.texts()), this_pass)
            return
        for key, page in self.fetcher.records(missing.keys()):
            if page:
                this_pass.missed_but_existing += 1
                yield page
            else:
                self.changes.gone.add(key)

    def _confirm_by_absence(self, ids: set[str], this_pass: Pass) -> None:
        """Records that cannot be asked for are gone when absent from two quiet lists in a row."""
        if this_pass.doubts():
            self._absent = set()
            return
        self.changes.gone |= self._absent & ids
        this_pass.absent_once += len(ids - self._absent)
        self._absent = ids


def deletion_guard(missing: int, alive: int, this_pass: Pass) -> str | None:
    """Why so many missing records are a sign of a broken list and not of deletions."""
    if not this_pass.listed.count and len(this_pass.paginators) == 1:
        return f"the list is empty although {alive:,} records are stored"
    most = max(LEAST_MISSING_IN_DOUBT, int(alive * SHARE_MISSING_IN_DOUBT))
    if missing > most:
        return f"{missing:,} stored records are not listed, more than deletions explain"
    return None
