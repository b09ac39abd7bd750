"""Plan: how a sync would read one resource, and how many requests and bytes that takes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wholesale.api import Resource
from wholesale.compare import BEFORE, NOTHING, Stored
from wholesale.http import Traffic
from wholesale.json import Page
from wholesale.pages import Service
from wholesale.privacy import STORE_ALL, Masking
from wholesale.prove import CONTROLS, MOST_CONTROLS
from wholesale.sync import BYTES_A_RECORD_HAS, Reader, Reading, is_cheaper_by_page
from wholesale.tables import TableShape

LOOKS = 2
"""At both ends of a list that has more than one page."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one resource would be read, and at what cost; `bytes` are decoded, None if unknown."""

    resource: str
    strategy: str
    requests: int
    bytes: int | None
    records: int | None


def plan_resource(
    service: Service,
    resource: Resource,
    shape: TableShape,
    traffic: Traffic,
    *,
    stored: Stored = NOTHING,
    parents: int = 1,
    masking: Masking = STORE_ALL,
) -> Plan:
    """What a sync would ask for; nothing is passed on. Child lists are estimated by `parents`.

    Summaries are read to find what has changed; of a list without them the first page is read.
    `traffic` counts the requests of planning alone.
    """
    if resource.parent:
        return plan_lists(resource.name, parents)
    reader = Reader(
        Reading.begin(service, resource, shape, stored=stored, masking=masking, traffic=traffic)
    )
    with reader.fetcher as fetcher:
        if not resource.summary:
            is_counted = service.profile.counts(resource.name)
            first = fetcher.list_reader(resource.query).page(0, service.page_size(resource))
            return plan_list(resource.name, first, 1 if len(stored) and is_counted else 2)
        if reader.stop_early():
            return plan_head(resource.name, traffic, len(reader.reading.ledger.due()))
        return plan_summaries(reader, list_due(reader), traffic)


def list_due(reader: Reader) -> int:
    """Scan the list for what is new or changed; return how many stored records it lacks."""
    ledger = reader.reading.ledger
    reader.listing.probe(ledger.next_step(), 0)
    reader.listing.scan(ledger.next_step())
    return int(np.count_nonzero(ledger.last_seen(reader.stored.alive_keys) == BEFORE))


def plan_summaries(reader: Reader, missing: int, spent: Traffic) -> Plan:
    """The summaries again, which this reader has read, the bodies that are due by them, and a
    question for each `missing` record."""
    listed, wanted = reader.listing.listed, len(reader.reading.ledger.due())
    pages = -(-listed // reader.fetcher.service.page_size(reader.resource))
    by_page = is_cheaper_by_page(wanted, pages, listed)
    bodies, loaded = (pages, listed) if by_page else (wanted, wanted)
    ask = f", and {missing:,} to ask for" if missing else ""
    questions = missing + min(missing, MOST_CONTROLS) + (CONTROLS if missing else 0)
    return Plan(
        reader.resource.name,
        f"list in short, then {wanted:,} in full {'by page' if by_page else 'one by one'}{ask}",
        requests=LOOKS + reader.listing.pages + bodies + questions,
        bytes=spent.bytes + loaded * BYTES_A_RECORD_HAS,
        records=wanted,
    )


def plan_head(resource: str, spent: Traffic, wanted: int) -> Plan:
    """The head of the list again, and the bodies of `wanted` records."""
    return Plan(
        resource,
        f"head of the list, then {wanted:,} in full one by one",
        requests=spent.requests + wanted,
        bytes=spent.bytes + wanted * BYTES_A_RECORD_HAS,
        records=wanted,
    )


def plan_list(resource: str, first: Page, full_scans: int) -> Plan:
    """All pages of a list, judged by its first one, in so many full scans."""
    pages = first.total_pages
    if pages is None:
        return Plan(resource, "full read; the list does not tell its length", 1, None, None)
    requests = LOOKS + full_scans * pages if pages > 1 else 1
    return Plan(resource, "full read", requests, requests * len(first.records), first.total_count)


def plan_lists(resource: str, parents: int) -> Plan:
    """One short list per parent."""
    return Plan(resource, "full read, one list per parent", parents, None, None)


def minutes(plans: Sequence[Plan], seconds_a_request: float) -> float:
    """Minutes for these requests, at the pace measured while planning."""
    return sum(plan.requests for plan in plans) * seconds_a_request / 60
