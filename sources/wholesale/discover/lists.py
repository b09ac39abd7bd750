"""Lists: what the list of a resource shows of each record, beside what detail requests show."""

import logging
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
import pyarrow.compute as pc

from wholesale.api import RECORDS, RESOURCE, Resource
from wholesale.discover.order_forms import compare_rows, documented_in, see_basic_form, shown_in
from wholesale.discover.service import is_capped, largest, try_page
from wholesale.errors import Failing, TooLarge, Unprocessable
from wholesale.expect import UNUSUAL, find_rows, usual_columns
from wholesale.http import Traffic
from wholesale.json import Page, RawPage
from wholesale.pages import Key, ListReader, Service, read_single
from wholesale.tables import (
    Decoded,
    Mask,
    TableShape,
    decode,
    is_unreadable,
    shape_of,
    shown_columns,
)

log = logging.getLogger("wholesale.discover")

SAMPLES = 2
"""Records of a page that are asked for by their ids."""
LEFT_OUT_BY = 10
"""So many orders, or a third of a page, must lack a list to show that it is left out where it is
empty: fewer may have lost it. Of resources that are read whole each time one is enough."""


def discover_list(
    service: Service,
    resource: Resource,
    shape: TableShape,
    traffic: Traffic,
    parent: str | None = None,
) -> None:
    """Find out how this list is paged, and what it shows, unless that is known, or it is empty.
    `shape` has the columns that are known; `parent` is one with children, where one is known.

    Raises: ServiceError where the list cannot be read.
    """
    if resource.name in service.profile.lists_seen:
        return
    if resource.parent:
        parent = parent or _parent(service, resource, traffic)
        if parent is None:
            return
    pages = ListReader(service, resource, traffic, resource.query, parent)
    page = _first_page(pages)
    if page.is_empty:
        return
    if pages.is_paged and is_capped(pages, page, service.page_size(resource)):
        service.observe(page_size=page.count)
    if page.total_count is None:
        service.add("lists_not_counted", resource.name)
    listed = decode([RawPage(page.records, parent=parent)], shape)
    service.see_ids(resource, listed.written, has_plain=listed.has_plain_guids)
    if len(listed.root):
        _compare(pages, listed, frozenset(shape.schema.names))
        members = service.profile.members
        known = members.get(resource.name, frozenset())
        service.observe(members={**members, resource.name: known | page.members})
        service.add("lists_seen", resource.name)


def _first_page(pages: ListReader) -> Page:
    """The first page; of a list that refuses the number of a page, and any limit, all of it.
    A smaller limit that one accepts is used for all lists.

    Raises: ServiceError.
    """
    service = pages.service
    first, size = service.profile.first_page, service.page_size(pages.resource)
    if not pages.is_paged:
        return pages.look()
    try:
        return pages.look(page=first, limit=size)
    except (Unprocessable, TooLarge, Failing) as refusal:
        takes_one = try_page(pages, page=first) or try_page(pages, limit=size)
        if isinstance(refusal, Unprocessable) and not takes_one:
            page = pages.look()
            service.add("lists_not_paged", pages.resource.name)
            return page
        size, smaller = largest(pages)
        if smaller is None:
            raise  # there may be more than comes without what is refused
        service.observe(page_size=size)
        return smaller


def _parent(service: Service, resource: Resource, traffic: Traffic) -> str | None:
    """The id of a parent that counts children, or else of the first one."""
    assert resource.parent is not None
    of, count = RESOURCE[resource.parent.resource], resource.parent.count_column
    page = _first_page(ListReader(service, of, traffic, of.query))
    decoded = decode([RawPage(page.records)], shape_of(of))
    service.see_ids(of, decoded.written, has_plain=decoded.has_plain_guids)
    parents = decoded.root
    ids = parents["id"].to_pylist()
    counts = parents[count].to_pylist() if count else []
    with_children = (key for key, children in zip(ids, counts, strict=False) if children)
    return next(chain(with_children, ids), None)


def _compare(pages: ListReader, listed: Decoded, known: frozenset[str]) -> None:
    """Compare the first page with its records by themselves, and note what they show; `known` are
    the columns that the description or an earlier run has shown."""
    service, resource = pages.service, pages.resource
    full, is_short = listed, False
    if resource.get_endpoint:
        samples = _singles(pages, listed, _samples(listed))
        if resource.basic_lists:
            see_basic_form(pages, listed, samples)
            if service.profile.basic_form_fields:
                samples = _singles(pages, listed, _samples(listed))
        is_in_two_forms = bool(resource.summary and service.profile.basic_form_fields)
        is_short = is_in_two_forms or _shows_less(resource, listed, samples, known)
        if is_short:
            log.warning("%s: the list shows less than detail requests", resource.name)
            service.add("lists_in_short", resource.name)
            full = samples
    for table in _left_out(pages, listed, is_short=is_short):
        service.add("empty_lists_left_out", table)
    shown = usual_columns(full.root) | _always_there(pages, full, len(listed.root))
    fields = {**service.profile.fields, resource.name: shown}
    service.observe(fields=fields)
    if resource.summary:
        compare_rows(pages, full)


def _samples(listed: Decoded) -> list[int]:
    """The rows of the records to ask for: the first ones, and those with most entries of each list,
    as a page may cut a list off."""
    rows = dict.fromkeys(range(min(SAMPLES, len(listed.root))))
    for owners in listed.owners.values():
        if len(owners):
            rows[int(np.bincount(owners.to_numpy()).argmax())] = None
    return list(rows)


def _singles(pages: ListReader, listed: Decoded, rows: Iterable[int]) -> Decoded:
    """These records of a page by themselves, as far as they answer."""
    ids = [Key(listed.root["id"][row].as_py(), pages.parent) for row in rows]
    found = [read_single(pages.service, pages.resource, pages.traffic, key)[1] for key in ids]
    return decode([record for record in found if isinstance(record, RawPage)], listed.shape)


def _shows_less(
    resource: Resource, listed: Decoded, samples: Decoded, known: frozenset[str]
) -> bool:
    """Whether detail requests show `known` fields, lists or entries that the page lacks; of
    resources whose fields are not shown (§2.8) any field."""
    lacking = shown_in(samples) - shown_in(listed)
    if not RECORDS[resource.record].assumed_fields:
        lacking &= known | listed.carried.keys()
    if lacking:
        return True
    places = find_rows(samples.root, listed.root).to_pylist()
    for table, owners in samples.owners.items():
        there = np.bincount(owners.to_numpy(), minlength=len(samples.root))
        here = np.bincount(listed.owners[table].to_numpy(), minlength=len(listed.root))
        if any(
            place is not None and there[row] > here[place] and _is_same(samples, row, listed, place)
            for row, place in enumerate(places)
        ):
            return True
    return any(_lacks_columns(table, listed, samples) for table in samples.owners)


def _lacks_columns(table: str, listed: Decoded, samples: Decoded) -> bool:
    """Whether entries of a list have documented columns by themselves that none on the page has."""
    (shape,) = (child for child in samples.shape.children if child.table == table)
    lacking = shown_columns(samples.tables[table]) - shown_columns(listed.tables[table])
    return bool(lacking & documented_in(shape))


def _is_same(one: Decoded, row: int, other: Decoded, place: int) -> bool:
    """Whether both are of the same version, as far as they tell."""
    if "updated_at" not in one.root.column_names or "updated_at" not in other.root.column_names:
        return True
    return bool(one.root["updated_at"][row] == other.root["updated_at"][place])


def _left_out(pages: ListReader, listed: Decoded, *, is_short: bool) -> Iterator[str]:
    """Child tables whose list is null or missing in many records, on the page and by themselves,
    and empty in none; not one that was always there: what it held may be lost."""
    for table in sorted(listed.carried.keys() - _known_fields(pages)):
        lacks = _lacks(table, listed)
        lacking = int(lacks.sum())
        are_few = 3 * lacking < len(lacks) and lacking < LEFT_OUT_BY
        if _has_empty(table, listed) or not lacking or (pages.resource.summary and are_few):
            continue
        samples = _singles(pages, listed, np.flatnonzero(lacks)[: SAMPLES + 1].tolist())
        lacks = _lacks(table, samples)
        is_plain = not (_has_empty(table, samples) or is_unreadable(table, samples).any())
        if is_plain and lacks.any() and (is_short or lacks.all()):
            yield table


def _always_there(pages: ListReader, full: Decoded, on_page: int) -> frozenset[str]:
    """Child tables whose list is sent even when empty, or that hardly any record of a page lacks.
    If one disappears later, it is taken as lost, not as empty."""
    known = _known_fields(pages) & full.carried.keys()
    lacking = {table: int(_lacks(table, full).sum()) for table in full.carried}
    are_enough = len(full.root) >= min(LEFT_OUT_BY, on_page)
    return known.union(
        table
        for table, number in lacking.items()
        if _has_empty(table, full) or (are_enough and UNUSUAL * number <= len(full.root))
    )


def _known_fields(pages: ListReader) -> frozenset[str]:
    """What full records were known to have before this look."""
    return pages.service.profile.fields.get(pages.resource.name, frozenset())


def _lacks(table: str, decoded: Decoded) -> Mask:
    """Which records came with null in the place of this list, or without it."""
    carried: Mask = decoded.carried[table].to_numpy(zero_copy_only=False)
    return ~carried & ~is_unreadable(table, decoded)


def _has_empty(table: str, decoded: Decoded) -> bool:
    """Whether this list is there and empty in one of the records."""
    with_entries = pc.count_distinct(decoded.owners[table]).as_py()
    return bool(decoded.carried[table].true_count > with_entries)
