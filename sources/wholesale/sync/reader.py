"""Reader: reads one resource until it is proved complete as of some moment."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Self

import numpy as np

from wholesale.errors import ContentError, Unavailable
from wholesale.expect import Expectation
from wholesale.names import FULL_READ, MANIFEST
from wholesale.pages import Fetcher
from wholesale.prove import Absence, Course, Head, HeadRefused, Proof, may_stop_early
from wholesale.sync.changes import Batch, Changes, Merge, See
from wholesale.sync.children import ChildLists
from wholesale.sync.listing import ServiceListing
from wholesale.sync.reading import Reading
from wholesale.sync.unsettled import tell_contents, tell_list, tell_records
from wholesale.tables import Ids, TableShape, find

log = logging.getLogger("wholesale.reader")

LEAST_SILENT = 2
"""Fewer records that were edited silently tell nothing of others."""


class Reader:
    """Reads one resource in one run.

    `tally` says in numbers what it did, and `doubts` what speaks against it; `gone` are the ids of
    stored records that are proved to be deleted.
    """

    def __init__(self, reading: Reading) -> None:
        self.resource = reading.resource
        self.stored = reading.stored
        self.tally, self.doubts = reading.tally, reading.doubts
        self.gone = reading.gone
        self.reading, self._ledger = reading, reading.ledger
        self.changes = Changes(reading)
        self.listing = ServiceListing(reading, self.changes)

    @property
    def fetcher(self) -> Fetcher:
        """Holds the connections of this reading, within its `with` block."""
        return self.reading.fetcher

    @property
    def expectation(self) -> Expectation:
        """What full records were held against."""
        return self.reading.expectation

    @property
    def shape(self) -> TableShape:
        """The shape of the tables, with the columns found so far."""
        return self.reading.decoder.shape

    @property
    def late(self) -> list[Batch]:
        """Records that came again in another state; to be merged after all others."""
        return self.changes.late

    def read(self, merge: Merge, see: See | None = None) -> None:
        """Read a resource that has one list, and pass on what has to be merged; `see` is shown all
        records.

        Raises: ServiceError when a page cannot be read; what was passed on before stays valid.
        """
        self.changes.merge = merge
        self.changes.see = see or self.changes.see
        with self.fetcher:
            try:
                if self.stop_early():
                    self.tally.want(len(self._ledger.due()))
                    self.listing.ask(self._ledger.next_step(), self._ledger.due())
                if not self.doubts.proof or len(self._ledger.due()):
                    self._read_course()
            except (Unavailable, ContentError) as failure:
                if isinstance(failure, ContentError) and not len(self._ledger):
                    raise  # something else than the service answers
                self.reading.tolerate(failure)
                with suppress(Unavailable, ContentError):
                    self.listing.read_what_comes(self._ledger.next_step())
                raise
        self._finish()

    def read_lists(
        self,
        parents: Sequence[str],
        counts: Mapping[str, int | None],
        merge: Merge,
        *,
        are_all: bool = False,
        look: Callable[[str], None] = lambda parent: None,
    ) -> None:
        """Read the child lists of these parents; `counts` are the children that each of them
        counts, where it counts any, and `are_all` says that they are proved to be all parents.
        `look` is called with the first parent that has children, before these are taken.

        Raises: ServiceError.
        """
        self.changes.merge = merge
        lists = ChildLists(self.reading, self.changes, parents, counts, are_all, look)
        with self.fetcher:
            lists.read()
        absence = lists.absence
        self.reading.mark_gone(absence.gone)
        self.tally.see_lists(lists.pages, lists.total)
        self.doubts.prove(lists.proof)
        refused = np.setdiff1d(self._ledger.due(), absence.gone, assume_unique=True)
        tell_records(self.reading, refused, absence.suspects, self.listing.first_rows)
        self.doubts.add_faults(lists.faults)
        self._finish()

    def stop_early(self) -> bool:
        """Read only the head of the list, if that is enough, and return whether it was: then
        everything new or changed is due in the ledger."""
        reading, version, ledger = self.reading, self.reading.version, self._ledger
        may_stop = reading.profile.newest_change_first and may_stop_early(self.stored.past)
        if not may_stop or version is None or reading.is_full or not reading.has_summaries:
            return False
        head = Head(self.stored, version, lambda at: self.listing.peek(ledger.next_step(), at))
        try:
            complete_as_of = head.read(Random(reading.tally.started_at.isoformat()))
        except HeadRefused as reason:
            log.info("%s: the whole list is read, as %s", self.resource.name, reason)
            return False
        reading.tally.see_head(head.total)
        reading.doubts.prove(Proof("head", complete_as_of, ledger.step))
        return True

    def count_differing(self, written: Ids) -> None:
        """Count the known records that differed when the destination compared them whole.

        Those of them that were audited were edited silently: no field of their summary changed.
        """
        is_silent = find(self.listing.audited, written.keys)[1]
        self.tally.count_differing(len(written), int(np.count_nonzero(is_silent)))

    @property
    def audit_finds_most_changed(self) -> bool:
        """Whether most of the audited records had been edited silently, as by a new release of the
        service that sends them otherwise; then most other records have been, too.

        Not if earlier audits found as many: then the service sends something else each time.
        """
        tally = self.tally
        silent = tally.silent or 0
        is_most = silent >= LEAST_SILENT and 2 * silent > tally.audited
        return is_most and not self.stored.past.is_restless

    def following(self, earlier: Self) -> Self:
        """This reading, which read all again; its tally accounts for the earlier one too."""
        self.tally.follow(earlier.tally)
        return self

    def course(self, *, can_ask: bool) -> Course:
        """The steps that prove the whole list; `can_ask`: of records by their ids, too."""
        reading = self.reading
        absence = Absence(
            self._ledger,
            self.listing.ask,
            self.stored.alive_keys,
            self.stored.past.absent,
            can_ask=can_ask,
            asks_all=reading.is_full,
            absent_share=self.fetcher.service.client.settings.absent_share,
        )
        return Course(
            self._ledger,
            self.listing,
            absence,
            reading.page_size,
            has_summaries=reading.has_summaries,
            is_stored_proved=self.stored.past.is_proved,
            is_counted=reading.profile.counts(self.resource.name),
        )

    def _read_course(self) -> None:
        if self.reading.has_summaries:
            self.reading.tally.begin(FULL_READ if self.reading.is_full else MANIFEST)
        course = self.course(can_ask=self.resource.get_endpoint is not None)
        course.read()
        self.reading.mark_gone(course.absence.gone)
        tell_list(self.reading, course, self.listing.first_rows)
        order = self.listing.order
        moves = order and order.moves_edits(self.reading.profile.newest_change_first)
        if moves is not None:
            self.fetcher.service.observe(newest_change_first=moves)

    def _finish(self) -> None:
        """Complete the account."""
        self.tally.end(
            ids_seen=len(self._ledger),
            audited=len(self.listing.audited),
            deleted=len(self.gone),
            stored=self.stored.alive,
        )
        tell_contents(self.reading)
        self.doubts.finish()
