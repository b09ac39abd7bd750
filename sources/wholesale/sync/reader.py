"""Reader: reads one resource until it is proved complete as of some moment."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Self

import numpy as np
import pyarrow as pa

from wholesale.api import Resource
from wholesale.compare import NOTHING, Ledger, Stored
from wholesale.errors import ContentError, NotFound, Unavailable, Unprocessable
from wholesale.http import Traffic
from wholesale.json import Page
from wholesale.pages import Fetcher, Profile, Service, Totals
from wholesale.privacy import STORE_ALL, Masking
from wholesale.prove import Course, EarlyStop, EarlyStopRefused, Proof, may_stop_early
from wholesale.sync.batches import Batch, BatchDecoder, Merge
from wholesale.sync.changes import Changes, See
from wholesale.sync.children import ChildLists
from wholesale.sync.listing import ServiceListing
from wholesale.sync.reading import Reading
from wholesale.sync.report import FULL_READ, MANIFEST, Observe, Report
from wholesale.tables import KEY, Decoded, Ids, Keys, TableShape, find, in_order, pack

log = logging.getLogger("wholesale.reader")

LEAST_SILENT = 2
"""Fewer records that were edited silently tell nothing of others."""


class Reader:
    """The reading of one resource in one run.

    `report` accounts for it; `gone` are the ids of stored records that are proved to be deleted.

    - `stored`: what the destination holds.
    - `profile`: what earlier runs learned of the list.
    - `is_full`: every record is read and passed on, changed or not.
    - `masking`: removes what may not be stored.
    - `traffic`: counts the requests.
    """

    def __init__(
        self,
        service: Service,
        resource: Resource,
        shape: TableShape,
        *,
        stored: Stored = NOTHING,
        profile: Profile | None = None,
        is_full: bool = False,
        masking: Masking = STORE_ALL,
        traffic: Traffic | None = None,
        observe: Observe | None = None,
    ) -> None:
        self.resource = resource
        self.report = Report.of(resource, observe)
        self.report.traffic = traffic or self.report.traffic
        self.gone: set[str] = set()
        self._service = service
        self.stored = stored
        self._ledger = Ledger()
        self._reading = Reading(
            resource,
            Fetcher(service, resource, self.report.traffic),
            BatchDecoder(resource, shape, self.report, masking, stored.ids.others),
            stored,
            self._ledger,
            self.report,
            is_full,
        )
        self._changes = Changes(self._reading)
        profile = profile or Profile()
        service.recall(profile)
        self.listing = ServiceListing(self._reading, self._changes, profile)

    @property
    def fetcher(self) -> Fetcher:
        """Holds the connections of this reading, within its `with` block."""
        return self._reading.fetcher

    @property
    def shape(self) -> TableShape:
        """The shape of the tables, with the columns found so far."""
        return self._reading.decoder.shape

    @property
    def profile(self) -> Profile:
        """What is known of the list after this run; nothing after a failure."""
        is_read = self.report.is_finished
        return self._service.learned(self.listing.profile) if is_read else Profile()

    @property
    def late(self) -> list[Batch]:
        """Records that came again in another state; to be merged after all others."""
        return self._changes.late

    def read(self, merge: Merge, see: See | None = None) -> None:
        """Read a resource that has one list, and pass on what has to be merged; `see` is shown all
        records.

        Raises: ServiceError when a page cannot be read; what was passed on before stays valid.
        """
        self._changes.merge = merge
        self._changes.see = see or self._changes.see
        with self.fetcher:
            try:
                if self.stop_early():
                    self.listing.bodies(self._ledger.next_step(), self._ledger.due())
                if not self.report.proof or self.due:
                    self._read_course()
            except (Unavailable, ContentError) as failure:
                if isinstance(failure, ContentError) and not len(self._ledger):
                    raise  # something else than the service answers
                self._reading.tolerate(failure)
                with suppress(Unavailable, ContentError):
                    self.listing.read_what_comes(self._ledger.next_step())
                raise
        self._finish()

    def read_lists(self, parents: Sequence[str], merge: Merge) -> None:
        """Read the child lists of these parents, which must be all parents.

        Raises: ServiceError.
        """
        self._changes.merge = merge
        lists = ChildLists(self._service, self._reading, self._changes)
        with self.fetcher:
            lists.read(parents)
        self._bury(lists.gone)
        self.report.see_lists(lists.pages, lists.records)
        self.report.proof = lists.proof
        self._note_unread(lists.suspects)
        self.report.suspects = tuple(sorted(self._reading.ids(lists.suspects).texts()))
        self.report.faults += lists.faults
        self._finish()

    def has_lists(self, parents: Sequence[str]) -> bool:
        """Whether one of these parents has children; nothing is passed on."""
        with self.fetcher as fetcher:
            return any(found.pages or found.failure for found in fetcher.lists(parents))

    def alive(self) -> Ids:
        """The records that were seen alive and are not gone since."""
        keys = self._ledger.alive()
        gone = pack(pa.array(sorted(self.gone), pa.string())).keys
        return self._reading.ids(np.setdiff1d(keys, gone, assume_unique=True))

    def stop_early(self) -> bool:
        """Read only the head of the list, if that is enough, and return whether it was: then
        everything new or changed is due in the ledger."""
        version = self.resource.version.value
        if version is None or not self._may_stop_early():
            return False

        def peek(index: int) -> tuple[Page, Decoded]:
            try:
                return self.listing.peek(self._ledger.next_step(), index)
            except (NotFound, Unprocessable) as error:
                raise EarlyStopRefused(str(error)) from None

        early_stop = EarlyStop(self.stored, version, peek)
        try:
            early_stop.read(Random(self.report.started_at.isoformat()))
        except EarlyStopRefused as reason:
            log.info("%s: the whole list is read, as %s", self.resource.name, reason)
            return False
        self.report.stop_early(
            Proof("count", early_stop.complete_as_of, self._ledger.step), early_stop.total
        )
        return True

    def list_due(self) -> int:
        """Sweep the list for what is new or changed; return how many stored records it lacks."""
        if self.listing.profile.may_count:
            self.listing.look(self._ledger.next_step(), 0)
        self.listing.sweep(self._ledger.next_step())
        return int(np.count_nonzero(self._ledger.last_seen(self.stored.alive_keys) == 0))

    @property
    def due(self) -> int:
        """How many records are to be read in full."""
        return len(self._ledger.due())

    def count_differing(self, written: Ids) -> None:
        """Count the known records that differed when the destination compared them whole.

        Those of them that were audited were edited silently: no field of their summary changed.
        """
        self.report.changed = len(written)
        is_silent = find(self.listing.audited, written.keys)[1]
        self.report.silent = int(np.count_nonzero(is_silent))

    @property
    def audit_finds_most_changed(self) -> bool:
        """Whether most of the audited records had been edited silently, as by a new release of the
        service that sends them otherwise; then most other records have been, too.

        Not if earlier audits found as many: then the service sends something else each time.
        """
        silent = self.report.silent or 0
        is_most = silent >= LEAST_SILENT and 2 * silent > self.report.audited
        return is_most and not self.stored.past.is_restless

    def following(self, earlier: Self) -> Self:
        """This reading, which read all again; its report accounts for the earlier one too."""
        self.report.follow(earlier.report)
        return self

    def _may_stop_early(self) -> bool:
        """Whether all that is new or changed may stand at the head of the list."""
        return (
            self._reading.has_summaries
            and not self._reading.is_full
            and self.listing.profile.may_stop_early
            and not self.stored.says_deleted.any()  # the list may count these, or not
            and may_stop_early(self.stored.past)
        )

    def _read_course(self) -> None:
        if self.resource.summary:
            self.report.strategy = FULL_READ if self._reading.is_full else MANIFEST
        course = Course(
            self._ledger,
            self.listing,
            self.stored.alive_keys,
            self.stored.past.absent,
            self._service.paging.limit,
            can_ask=self.resource.get_endpoint is not None,
            has_summaries=bool(self.resource.summary),
            is_stored_proved=self.stored.past.is_proved,
            may_count=self.listing.profile.may_count,
            asks_all=self._reading.is_full,
        )
        course.read()
        if len(course.refused) and self.resource.get_endpoint:
            self._changes.takes_lesser = True
            self.listing.ask(self._ledger.next_step(), course.refused)
        self.listing.profile = replace(self.listing.profile, totals=self._totals(course))
        self._bury(course.gone)
        self.report.proof = course.proof
        self.report.suspects = tuple(sorted(self._reading.ids(course.suspects).texts()))
        self._note_unread(np.union1d(course.refused, course.suspects))
        self.report.refused = len(np.setdiff1d(course.refused, self._reading.unread_keys))
        self.report.faults += course.faults
        self.report.faults += [sweep.fault for sweep in course.sweeps[-1:] if sweep.fault]

    def _totals(self, course: Course) -> Totals | None:
        last = course.sweeps[-1]
        if last.totals is None:
            return "missing"
        if course.proof is None:
            return None
        if course.proof.kind == "count":
            return "right"
        counted = last.records + self.listing.nameless
        return self.listing.profile.totals if last.totals == (counted, counted) else "wrong"

    def _finish(self) -> None:
        """Complete the report, with the numbers of records deleted and alive after this."""
        gone = in_order(self.gone)
        say_so = np.sort(np.array(list(self._changes.says_deleted), KEY))
        say_so = np.setdiff1d(say_so, gone, assume_unique=True)
        was_alive = find(self.stored.alive_keys, say_so)[1]
        self.report.deleted = len(gone) + int(np.count_nonzero(was_alive))
        self.report.alive = self.stored.alive + self.report.added - len(gone) - len(say_so)
        self.report.ids_seen = len(self._ledger)
        self.report.audited = len(self.listing.audited)
        if age := self.report.traffic.oldest_seconds:
            self.report.doubt(
                f"answers came out of a cache, up to {age:,} s old: ask whoever runs the service to"
                " let `no-cache` through"
            )
        self.report.finish()

    def _note_unread(self, needed: Keys) -> None:
        """Say in the report which of the records that are needed cannot be read, and why."""
        keys = np.intersect1d(needed, self._reading.unread_keys, assume_unique=True)
        why = [self._reading.unread[key] for key in keys.tolist()]
        ids = self._reading.ids(keys).texts()
        self.report.unread = dict(sorted(zip(ids, why, strict=True)))

    def _bury(self, keys: Keys) -> None:
        """Add those of these records that the destination has to `gone`."""
        is_there = find(self.stored.alive_keys, keys)[1] | self._ledger.is_read(keys)
        self.gone |= set(self._reading.ids(keys[is_there]).texts())
