"""What a sync asks for, in requests and bytes, and which way costs less."""

from collections.abc import Sequence
from dataclasses import dataclass

from wholesale.http import Traffic
from wholesale.pages import Page, Paginator

BYTES_A_REQUEST_COSTS = 10_000
"""About what a round trip is worth beside the bytes it carries."""
BYTES_A_BODY_HAS = 3_000
"""About the size of an order in full, before any was seen."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one resource would be read, and what that takes; decoded bytes, None where unknown."""

    resource: str
    strategy: str
    requests: int
    bytes: int | None
    records: int | None


def is_cheaper_by_page(wanted: int, pages: int, records: int) -> bool:
    """Whether bodies cost less as whole pages of the list than one by one."""
    by_id = wanted * (BYTES_A_REQUEST_COSTS + BYTES_A_BODY_HAS)
    by_page = pages * BYTES_A_REQUEST_COSTS + records * BYTES_A_BODY_HAS
    return wanted > 0 and by_page < by_id


def plan_manifest(
    resource: str, paginator: Paginator, spent: Traffic, wanted: int, missing: int
) -> Plan:
    """Summaries again, the bodies of `wanted` records, and a question for each `missing` one."""
    by_page = is_cheaper_by_page(wanted, paginator.pages, paginator.records)
    bodies = paginator.pages if by_page else wanted
    loaded = paginator.records if by_page else wanted
    return Plan(
        resource,
        f"manifest; {wanted:,} bodies {'by page' if by_page else 'by id'}; {missing:,} to confirm",
        requests=paginator.pages + bodies + missing,
        bytes=spent.bytes + loaded * BYTES_A_BODY_HAS,
        records=wanted,
    )


def plan_head(resource: str, spent: Traffic, wanted: int) -> Plan:
    """The head of the list again, and the bodies of `wanted` records."""
    return Plan(
        resource,
        f"early stop; {wanted:,} bodies by id",
        requests=spent.requests + wanted,
        bytes=spent.bytes + wanted * BYTES_A_BODY_HAS,
        records=wanted,
    )


def plan_list(resource: str, first: Page) -> Plan:
    """All pages of a list, judged by its first one."""
    pages = first.total_pages
    if pages is None:
        return Plan(resource, "full read; the list does not tell its length", 1, None, None)
    requests = max(1, pages)
    return Plan(resource, "full read", requests, requests * len(first.records), first.total_count)


def plan_lists(resource: str, parents: int) -> Plan:
    """One short list a parent."""
    return Plan(resource, "full read, a list a parent", parents, None, None)


def minutes(plans: Sequence[Plan], seconds_a_request: float) -> float:
    """How long that many requests take at the pace measured while planning."""
    return sum(plan.requests for plan in plans) * seconds_a_request / 60
