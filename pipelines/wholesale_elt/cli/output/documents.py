"""Documents: the `--json` output of inspections, one object each.

Jobs have a `Summary`. A command that fails before it has one prints `exit_code` and `error`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wholesale_elt.inspect import Estimate, Explanation, Overview, ServiceCheck
    from wholesale_elt.load import TableDigest
    from wholesale_elt.publish import Site

Document = Mapping[str, object]


def check_document(found: "ServiceCheck", destination: str, guarantees: Sequence[str]) -> Document:
    """Each list as it looks now, and each fact of the service with its origin."""
    from wholesale.api import ServiceFacts

    values = found.profile.model_dump(mode="json")
    return {
        "lists": [asdict(each) for each in found.lists],
        "service": {
            name: {"value": values[name], "origin": found.profile.origin_of(name)}
            for name in ServiceFacts.model_fields
        },
        "requests": found.requests,
        "destination": destination,
        "guarantees": guarantees,
    }


def plan_document(estimate: "Estimate") -> Document:
    """The work of a sync, in total and by resource."""
    told = ("resource", "strategy", "requests", "bytes")
    return {
        "requests": sum(plan.requests for plan in estimate.plans),
        "minutes": estimate.minutes,
        "resources": [{name: getattr(plan, name) for name in told} for plan in estimate.plans],
    }


def status_document(overview: "Overview", stale: Sequence[str]) -> Document:
    """The state of the warehouse; `stale` are resources older than `--max-age`."""
    return {**asdict(overview), "stale": stale}


def explanation_document(explanation: "Explanation") -> Document:
    """Both sides of an order, and what the next sync does about it."""
    stored, service = explanation.stored, explanation.service
    return {
        "order_id": explanation.order_id,
        "stored": asdict(stored) if stored else None,
        "service": asdict(service) if service else None,
        "in_mart": explanation.in_mart,
        "differing": explanation.differing,
        "verdict": explanation.verdict(),
        "not_asked": explanation.not_asked,
    }


def copy_document(digests: "Mapping[str, TableDigest]") -> Document:
    """Rows and hash of each table that was copied."""
    return {"tables": {table: asdict(digest) for table, digest in digests.items()}}


def site_document(site: "Site") -> Document:
    """The published version, and how far to trust it."""
    manifest = site.manifest
    return {
        "page": site.page,
        "version": manifest.version,
        "verdict": manifest.verdict,
        "as_of": manifest.as_of,
        "reasons": manifest.reasons,
        "findings": [asdict(each) for each in manifest.findings],
    }
