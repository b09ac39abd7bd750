"""Samples: records read in several forms, by which a run learns what each form shows."""

import logging
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from wholesale.api import RECORDS
from wholesale.compare import (
    LEAST_SHOWN_OTHERWISE,
    UNUSUAL,
    Form,
    shown_columns,
    shown_otherwise,
    versions_in,
)
from wholesale.errors import ContentError, NotFound, Unavailable, Unprocessable
from wholesale.prove import CONTROLS
from wholesale.sync.reading import Reading
from wholesale.tables import KEY, Decoded, Mask, find, join, order_of

log = logging.getLogger("wholesale.reader")

MOST_SAMPLES = 20
"""How many records that lack a list are asked for by themselves, to see whether they have it."""
PAGES_TRIED = 3
"""Pages in full that are asked for until one can be read."""
MOST_LONGEST = 5
"""How many of the records with most entries of a list on a page are asked for by themselves: where
pages cut that list off, most of these have more entries."""


class Samples:
    """Compares, once a run at most, what summaries, pages in full and single reads show.

    `form` is told what records have in full. `are_pages_whole`: as far as is known, pages show as
    many entries of each record's lists as single reads do, and the same documented fields.
    """

    def __init__(self, reading: Reading, form: Form) -> None:
        self.form = form
        self.are_pages_whole = True
        self._reading = reading
        self._has_learned = False
        self._has_compared = False

    def learn_form(self, short: pa.Table | None = None) -> None:
        """Learn what full records have, by a page of them and by some single reads.

        `short`: the first page of summaries, by which to learn what only summaries have, too.
        """
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
        is_first = short is not None
        if short is None or index:
            short = self._reading.page(index, is_summary=True).root
        if is_first:
            self._reading.decoder.summaries.compare(short, full.root)
        self._learn_what_is_shown_otherwise(short, full)
        self._learn(self._compare_longest(full, at_least=MOST_LONGEST))
        for table, lacking in self.form.lacking(full).items():
            for sample in self._reading.singles(lacking[:MOST_SAMPLES]):
                if self.form.may_omit(table, len(sample.root), of=len(full.root)):
                    self._learn_omissions(table, sample)

    def see_list(self, page: Decoded) -> bool:
        """Whether the list, of whose first page these are, shows its records in short, though it
        has one form only: by themselves they have documented fields that no record on the page has,
        or, where the description does not show their fields (§2.8), any.

        Asked where the page lacks a field that is documented or assumed; of what is stored, where
        that has such fields too."""
        reading, stored = self._reading, self._reading.stored
        assumed = RECORDS[reading.resource.record].assumed_fields
        names = {each.column for each in page.shape.mappings if each.section}
        names |= page.carried.keys() | assumed.keys()
        if len(stored) and not reading.is_full:
            usual = {*stored.usual, *stored.lists}
            names = usual if assumed else names & usual
        if not reading.resource.get_endpoint or not len(page.root) or names <= _shown_in(page):
            return False
        few = page.keep(pa.array(np.arange(len(page.root)) < CONTROLS))
        sample = join(list(reading.singles_of(few)), reading.decoder.shape)
        lacking = _shown_in(sample) - _shown_in(page)
        lacking = lacking if assumed else lacking & names
        if lacking:
            fields = ", ".join(sorted(lacking))
            log.warning("%s: the list does not show %s", reading.resource.name, fields)
        return bool(lacking)

    def learn_omissions(self, poor: Decoded) -> None:
        """Learn from these records of a list without summaries, which lack something there, what
        the service leaves out where it is empty: what all of them lack by themselves too. What is
        believed wrongly is put right by the next run, which reads the list again."""
        some = poor.keep(pa.array(np.arange(len(poor.root)) < MOST_SAMPLES))
        sample = join(list(self._reading.singles_of(some)), self._reading.decoder.shape)
        for table in sample.carried:
            self._learn_omissions(table, sample)

    def compare_pages(self) -> None:
        """Learn whether pages show all entries and fields of a record."""
        if not self._has_compared:
            found = self._first_in_full()
            self.are_pages_whole = found is not None
            if found:
                self._compare_longest(found[1])

    def see_first(self, short: Decoded) -> bool:
        """Compare summaries with full records, if almost all of these summaries differ from what is
        stored of the same version; return whether they were compared."""
        stored, version = self._reading.stored, self._reading.version
        is_odd = _are_almost_all(stored.differs_in_its_version(short, version))
        if is_odd:
            found = self._first_in_full()
            if found and not found[0]:
                self._learn_what_is_shown_otherwise(short.root, found[1])
        return is_odd

    def _first_in_full(self) -> tuple[int, Decoded] | None:
        """The first page in full that can be read, and its index; None if none of the first few can
        be read, as one record that the service cannot send makes its page fail."""
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

    def _learn_omissions(self, table: str, sample: Decoded) -> None:
        """Learn from these records whether the service leaves out this list where it is empty."""
        if self.form.lacks_always(table, sample) and self._is_still_sent(table):
            self.form.omit(table)

    def _is_still_sent(self, table: str) -> bool:
        """Whether most of the records that are stored with entries of this list still show it. If
        not, it is not left out where it is empty, but no longer sent at all (§9.2)."""
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
        """Learn which columns have other values in summaries than in full records, on pages and
        when these are asked for by themselves, as they are now."""
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
        """Compare those records of this page that have most entries of a list with their single
        reads, which are returned. Of a list that no record of the page has, `at_least` so many
        records are compared."""
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
            if lacking := self._lacking(full, sample.keep(pa.array(is_there))):
                fields = ", ".join(sorted(lacking))
                log.warning("%s: pages do not show %s", self._reading.resource.name, fields)
                self.are_pages_whole = False
            if any(
                (_entries_of(sample, table) > counts[order][places])[is_there].any()
                for table, counts in entries.items()
            ):
                resource = self._reading.resource.name
                log.warning("%s: pages show fewer entries than single reads", resource)
                self.are_pages_whole = False
        return samples

    def _lacking(self, full: Decoded, sample: Decoded) -> set[str]:
        """The documented columns in which single reads have a value and no record or entry of the
        page has, but for those that summaries show."""
        return {
            mapping.column
            for shape in full.shape.tables
            for mapping in shape.mappings
            if mapping.section and mapping.column not in self._reading.resource.summary
            if _is_blank(full.tables[shape.table][mapping.column])
            if not _is_blank(sample.tables[shape.table][mapping.column])
        }


def _shown_in(decoded: Decoded) -> set[str]:
    """The columns in which one of these records has a value, and the lists that one has."""
    lists = {name for name, carried in decoded.carried.items() if carried.true_count}
    return lists.union(shown_columns(decoded.root))


def _is_blank(values: pa.ChunkedArray) -> bool:
    return bool(values.null_count == len(values))


def _entries_of(decoded: Decoded, table: str) -> NDArray[np.int64]:
    """How many entries each record has in this list."""
    counts = np.zeros(len(decoded.root), np.int64)
    np.add.at(counts, decoded.owners[table].to_numpy(zero_copy_only=False), 1)
    return counts


def _are_almost_all(mask: Mask) -> bool:
    is_many = len(mask) >= LEAST_SHOWN_OTHERWISE
    return is_many and int(np.count_nonzero(~mask)) <= len(mask) // UNUSUAL
