"""Expectation: one resource in one run, held against what the profile says of its full records."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
import pyarrow as pa

from wholesale.api import Resource, ServiceProfile
from wholesale.errors import counted, listed
from wholesale.expect.form import LIST_OF_OBJECTS, Form
from wholesale.expect.nested import nested_ids
from wholesale.expect.readable import Readable
from wholesale.expect.unlike import unlike_columns
from wholesale.pages import Service
from wholesale.privacy import Masking
from wholesale.tables import Decoded, Keys, Mask, TableShape, filled_columns, keys_of_texts

LEAST_LISTED = 3
"""So many records of a list do not all lose a field by chance."""
ENOUGH_RECORDS = 50
"""A column that almost all records had has vanished if so many that are passed on lack it."""


class Expectation:
    """What full records of one resource must have, and what a run sees that contradicts it.

    `is_to_look_again`: the next run is to compare the list with full records anew.
    """

    def __init__(
        self, service: Service, resource: Resource, shape: TableShape, masking: Masking
    ) -> None:
        self.is_to_look_again = False
        self._service, self._resource = service, resource
        self._shape, self._masking = shape, masking
        self._readable = Readable()
        self._nested: defaultdict[str, set[str]] = defaultdict(set)  # ids inside others, by column
        self._missed: set[str] = set()  # columns that a whole page of a list lacks
        self._lacking: defaultdict[str, set[bytes]] = defaultdict(set)  # keys, by what they lack
        self._unlike: list[pa.Table] = []  # full records that contradict their row in the list
        self._passed_on = 0
        self._filled: set[str] = set()  # columns of what was passed on

    @cached_property
    def _form(self) -> Form:
        """By what is known when the first records come."""
        return form_of(self._resource, self._shape, self._service.profile, self._masking)

    def see(self, decoded: Decoded) -> None:
        """Take full records into account, as they are decoded."""
        self._readable.see(decoded)
        for record_id, column in nested_ids(decoded):
            self._nested[column].add(record_id)

    def see_page(self, decoded: Decoded) -> None:
        """Remember expected columns that all full records of a list page lack, so that single
        records without them are not taken as complete."""
        if missing := self._form.missing(decoded, are_all=True):
            self.is_to_look_again = True
            if len(decoded.root) >= LEAST_LISTED:
                self._missed.update(missing)

    def see_passed_on(self, decoded: Decoded) -> None:
        """Take records into account that the destination is to hold."""
        self._passed_on += len(decoded.root)
        self._filled |= filled_columns(decoded.root)

    def is_whole(self, decoded: Decoded, *, are_all: bool) -> Mask:
        """Which of these full records have what is expected; `are_all` as in `Form.missing`."""
        is_whole = self._form.is_whole(decoded, are_all=are_all)
        if self._missed.intersection(self._form.missing(decoded, are_all=True)):
            is_whole[:] = False
        return is_whole

    def refuse(self, decoded: Decoded, is_whole: Mask) -> None:
        """Note what is wrong with full records that cannot be taken as they are: some are not
        whole, the others contradict their row in the list."""
        lesser = decoded.keep(pa.array(~is_whole))
        lacking = self._form.lacking_lists(lesser)
        missing = self._form.missing(lesser, are_all=True)
        if missing and (not lacking or not self._resource.summary):
            lacking = {listed([*missing, *lacking]): np.ones(len(lesser.root), np.bool_)}
        for name, lacks in lacking.items():
            self._lacking[name].update(lesser.ids.keys[lacks].tolist())
        if is_whole.any():
            self._unlike.append(decoded.keep(pa.array(is_whole)).root)

    def tell_lacking(self, refused: Keys) -> Iterator[str]:
        """What those of the refused records lack that still are so at the end."""
        for name, keys in sorted(self._lacking.items()):
            if lacking := len(keys.intersection(refused.tolist())):
                yield f"{counted(lacking, 'record')} without {name} {self._remedy_of(name)}"

    def tell_unlike(self, pages: Callable[[], Iterable[pa.Table]]) -> Iterator[str]:
        """In which columns rows of the list contradict full records, by the first of its pages
        that shows one. `pages` are read for that alone."""
        full = [root for root in self._unlike if len(root)]
        if not full or not self._resource.summary:
            return
        records = pa.concat_tables(full, promote_options="default")
        for rows in pages():
            if names := unlike_columns(rows, records, self._resource.summary):
                fields = [f"{self._resource.name}.{name}" for name in names]
                remedy = self._service.remedy("unlike_fields", *fields)
                yield f"the list shows another {', '.join(names)} {remedy}"
                return

    def tell_unreadable(self) -> Iterator[str]:
        """Which documented fields few records or none can be read in, now or when those that have
        it came last; not one that may not be stored. The profile is told, too."""
        service, tables = self._service, {table.table for table in self._shape.tables}
        known = {name for name in service.profile.unread if name.partition(".")[0] in tables}
        found = frozenset(filter(self._is_kept, self._readable.unreadable(known)))
        service.observe(unread=service.profile.unread - known | found)
        if names := sorted(found - service.profile.unreadable_fields):
            yield (
                f"few values or none can be read of {listed(names)}: they are in _extra"
                f" {service.remedy('unreadable_fields', *names)}"
            )

    def tell_nested(self, count_missing: Callable[[Keys], int]) -> Iterator[str]:
        """Which records stand inside others, of which the list does not show so many."""
        for column, ids in self._nested.items():
            missing = count_missing(np.unique(keys_of_texts(ids)))
            if missing and column not in self._service.profile.nested_records:
                yield (
                    f"{counted(missing, 'record')} inside others, in {column}, and not in the list"
                    f" {self._service.remedy('nested_records', column)}"
                )

    def vanished(self, usual: Iterable[str]) -> list[str]:
        """Those of these columns that no record has which was passed on; none while these are too
        few to tell."""
        if self._passed_on < ENOUGH_RECORDS:
            return []
        return sorted(set(usual) - self._filled)

    @property
    def filled(self) -> list[str]:
        """The columns in which a record has a value that was passed on."""
        return sorted(self._filled)

    def _is_kept(self, name: str) -> bool:
        table, _, column = name.partition(".")
        return self._masking.keeps(table, column)

    def _remedy_of(self, lacking: str) -> str:
        """What to do where records lack this list, or these columns."""
        if lacking.startswith(LIST_OF_OBJECTS):
            return "(kept in _extra)"
        for child in self._shape.children:
            if child.field == lacking:
                return self._service.remedy("empty_lists_left_out", child.table)
        return self._service.remedy("lists_in_short", self._resource.name)


def form_of(
    resource: Resource, shape: TableShape, profile: ServiceProfile, masking: Masking
) -> Form:
    """What full records of the resource have, by the profile of the service; of what tells of a
    person only what is stored of it.

    Of orders only documented columns: others may come with some states alone, as those of an
    invoice do (§2.4), and of the newest orders none may have one.
    """
    columns = set(profile.fields.get(resource.name, ())) - set(resource.summary)
    if resource.summary:
        columns &= {mapping.column for mapping in shape.mappings if mapping.section}
    if resource.parent:
        columns.discard(resource.parent.column)
    tables = {child.table for child in shape.children}
    left = frozenset(name for name in columns - tables if masking.keeps(resource.name, name))
    return Form(left, profile.empty_lists_left_out)
