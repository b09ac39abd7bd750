"""Samples: records read in several forms, by which a run learns what each form shows."""

import logging
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.compare import (
    LEAST_SHOWN_OTHERWISE,
    MOST_LOST,
    UNUSUAL,
    Form,
    shown_otherwise,
    versions_in,
)
from wholesale.errors import ContentError, NotFound, Unavailable, Unprocessable
from wholesale.sync.reading import Reading
from wholesale.tables import KEY, Decoded, Keys, Mask, find, join, order_of

log = logging.getLogger("wholesale.reader")

MOST_SAMPLES = 20
"""Records without a list, asked for by themselves to see whether they lack it there too."""
PAGES_TRIED = 3
"""Pages in full that are asked for until one can be read."""
MOST_LONGEST = 5
"""Records with as many entries of a list as any on a page: where it cuts it off, most have more."""


class Samples:
    """What summaries, pages and single reads of one resource show, compared once a run at most.

    `form` is told what records have in full. `are_pages_whole`: pages show as many entries of a
    record as single reads do, as far as is known.
    """

    def __init__(self, reading: Reading, form: Form) -> None:
        self.form = form
        self.are_pages_whole = True
        self._reading = reading
        self._has_learned = False
        self._has_compared = False

    def learn_form(self, short: pa.Table | None = None) -> None:
        """Learn what full records have, by a page of them and by some single reads; and by
        comparison with the summaries `short`, what only summaries have."""
        if self._has_learned:
            return
        self._has_learned = True
        found = self._first_in_full()
        if found is None:
            self._learn_from_singles()
            return
        index, full = found
        if not len(full.root):
            return
        self.form.learn(full)
        if short is None:
            short = self._reading.page(index, is_summary=True).root
        else:
            if index:
                short = self._reading.page(index, is_summary=True).root
            self._reading.decoder.summaries.compare(short, full.root)
        self._learn_what_is_shown_otherwise(short, full)
        self._learn(self._compare_longest(full, at_least=MOST_LONGEST))
        for table, lacking in self.form.lacking(full).items():
            for sample in self._reading.singles(lacking[:MOST_SAMPLES]):
                self._learn_omissions(table, sample, len(full.root))

    def learn_omissions(self, refused: Keys) -> None:
        """Learn from these records, which are refused as their list shows them, what it leaves
        out."""
        listed = len(self._reading.ledger)
        if self._has_learned or MOST_LOST * len(refused) < listed:
            return
        self._has_learned = True
        for sample in self._reading.singles(refused[:MOST_SAMPLES]):
            for table, keys in self.form.lacking(sample).items():
                lacks = sample.keep(pa.array(np.isin(sample.ids.keys, keys)))
                self._learn_omissions(table, lacks, listed)

    def compare_pages(self) -> None:
        """Learn whether pages show all entries of a record."""
        if not self._has_compared:
            found = self._first_in_full()
            self.are_pages_whole = found is not None
            if found:
                self._compare_longest(found[1])

    def see_first(self, short: Decoded) -> bool:
        """Compare the forms, if almost all of these summaries differ from what is stored of the
        very same version; whether they were compared."""
        stored, version = self._reading.stored, self._reading.version
        is_odd = _are_almost_all(stored.differs_in_its_version(short, version))
        if is_odd:
            found = self._first_in_full()
            if found and not found[0]:
                self._learn_what_is_shown_otherwise(short.root, found[1])
        return is_odd

    def _first_in_full(self) -> tuple[int, Decoded] | None:
        """The first page in full that can be read, and its index; None if none of the first few
        can: one record that the service fails at fails its page."""
        for index in range(PAGES_TRIED):
            try:
                full = self._reading.page(index)
            except (Unavailable, ContentError) as failure:
                self._reading.tolerate(failure)
            except (NotFound, Unprocessable):
                if not index:
                    raise
                break
            else:
                return (index, full) if len(full.root) or not index else None
        return None

    def _learn_from_singles(self) -> None:
        """Learn what full records have by single reads alone."""
        self.are_pages_whole = False
        short = self._reading.page(0, is_summary=True)
        samples = list(self._reading.singles(short.ids.keys[:MOST_SAMPLES]))
        for sample in samples:
            self._reading.decoder.summaries.compare(short.root, sample.root)
        self._learn(samples)

    def _learn_omissions(self, table: str, sample: Decoded, of: int) -> None:
        """Learn from these records whether the service leaves out this list where it is empty."""
        if self.form.lacks_always(table, sample, of) and self._is_still_sent(table):
            self.form.omit(table)

    def _is_still_sent(self, table: str) -> bool:
        """Whether most of the records that are stored with entries in this list still show it: else
        it is not left out where it is empty, but no longer sent (§9.2)."""
        owners = self.form.stored.owners.get(table)
        if owners is None:
            return True
        carried = [sample.carried[table] for sample in self._reading.singles(owners)]
        showing: int = sum(mask.true_count for mask in carried)
        return 2 * showing > sum(len(mask) for mask in carried)

    def _learn(self, samples: Sequence[Decoded]) -> None:
        """Learn what full records have by all of these together: what one has may be unusual."""
        self.form.learn(join(samples, self._reading.decoder.shape))

    def _learn_what_is_shown_otherwise(self, short: pa.Table, full: Decoded) -> None:
        """Learn which columns have other values in summaries than in full records, also in those
        that are asked for alone and so are current."""
        version = self._reading.version or ""
        otherwise = shown_otherwise(short, full.root, version)
        if not otherwise:
            return
        for sample in self._reading.singles(full.ids.keys[:MOST_SAMPLES]):
            otherwise &= shown_otherwise(short, sample.root, version)
        if otherwise:
            resource, names = self._reading.resource.name, ", ".join(sorted(otherwise))
            log.warning("%s: the list shows another %s than single reads", resource, names)
            self._reading.decoder.shown_otherwise = otherwise

    def _compare_longest(self, full: Decoded, *, at_least: int = 0) -> Sequence[Decoded]:
        """Compare the records on this page that are longest in one of their lists with their single
        reads, which are returned; of a list that all of them lack, `at_least` so many."""
        self._has_compared = True
        entries = {table: _entries_of(full, table) for table in full.owners}
        longest = [np.empty(0, KEY)]
        for table, counts in entries.items():
            most = MOST_SAMPLES if table in self.form.stored.lists else at_least
            keys = full.ids.keys[counts == counts.max(initial=0)]
            longest.append(keys[: MOST_LONGEST if counts.any() else most])
        samples = list(self._reading.singles(np.unique(np.concatenate(longest))))
        order = order_of(full.ids.keys)
        on_page = versions_in(full.root, self._reading.version)[order]
        for sample in samples:
            if any(
                sample.carried[name].true_count > full.carried[name].true_count == 0
                for name in entries
            ):
                self.are_pages_whole = False  # no page shows that list, not even as an empty one
            places, is_there = find(full.ids.keys[order], sample.ids.keys)
            is_there &= versions_in(sample.root, self._reading.version) == on_page[places]
            if any(
                (_entries_of(sample, table) > counts[order][places])[is_there].any()
                for table, counts in entries.items()
            ):
                resource = self._reading.resource.name
                log.warning("%s: pages show fewer entries than single reads", resource)
                self.are_pages_whole = False
        return samples


def _entries_of(decoded: Decoded, table: str) -> NDArray[np.int64]:
    """How many entries each record has in this list."""
    counts = np.zeros(len(decoded.root), np.int64)
    np.add.at(counts, decoded.owners[table].to_numpy(zero_copy_only=False), 1)
    return counts


def _are_almost_all(mask: Mask) -> bool:
    is_many = len(mask) >= LEAST_SHOWN_OTHERWISE
    return is_many and int(np.count_nonzero(~mask)) <= len(mask) // UNUSUAL
