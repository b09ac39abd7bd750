"""Proof: at which moment of a run the records that it saw are all there were (see the theory)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Literal

from wholesale.compare import Ledger
from wholesale.prove.steps import Probe, Scan

CHANGED = "the list changed too much while it was read"
MISCOUNTED = "the list does not add up"

ProofKind = Literal["count", "agreement", "head"]
"""`head`: the head of the list alone was read, and the rest rests on the last full scan."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A resource is complete as of a moment (UTC); of what changed later some may be there.

    Records that were seen in no step from `seen_since` on were gone at that moment.
    """

    kind: ProofKind
    complete_as_of: datetime
    seen_since: int


def by_count(ledger: Ledger, probes: Sequence[Probe], nameless: int = 0) -> Proof | None:
    """The proof for the latest probe that has one; `nameless` as in Scan."""
    for probe in reversed(probes):
        if probe.is_whole:
            return Proof("count", probe.at, probe.step)
        if probe.total is not None and ledger.certain(probe.step) + nameless == probe.total:
            return Proof("count", probe.at, probe.step + 1)
    return None


def by_agreement(scans: Sequence[Scan], probes: Sequence[Probe]) -> Proof | None:
    """The proof that the last two scans give, if no record is known that they do not show.

    There is none where totals are higher than what came, as there may be more records than the list
    shows: than the rows that came, where both scans show the same records again.
    """
    if len(scans) < 2:
        return None
    earlier, later = scans[-2:]
    are_cut_alike = earlier.page_size == later.page_size
    if earlier.fault or later.fault or are_cut_alike or not earlier.shows_the_same(later):
        return None
    since = [
        probe.total for probe in probes if probe.step > earlier.step and probe.total is not None
    ]
    counts = [counted for counted in (earlier.totals, later.totals, since) if counted]
    if any(min(counted) > later.rows_like(earlier) for counted in counts):
        return None
    return Proof("agreement", later.at, later.step)


def mismatch(scans: Sequence[Scan]) -> str:
    """The numbers of scans without a proof: of all where the last two differ, or else the total and
    the records of the last one; empty if those agree."""
    last = scans[-1]
    if not last.shows_the_same(scans[-2]):
        counts = list(chain(*(scan.totals or () for scan in scans)))
        also = f", and it counts {_span(counts)}" if counts else ""
        shown = _span([scan.records for scan in scans])
        return f"{CHANGED}: {len(scans)} full scans show {shown} records{also}"
    shows = last.records + last.nameless
    if last.totals is None or last.totals == (shows, shows):
        return ""
    return f"{MISCOUNTED}: it counts {_span(last.totals)} and shows {shows:,}"


def _span(numbers: Sequence[int]) -> str:
    """`1,000`, or `998 to 1,002`."""
    least, most = min(numbers), max(numbers)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"
