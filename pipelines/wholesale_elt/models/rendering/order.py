"""Order: models come after those that they read, and some are made after each sync."""

import re
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from wholesale_elt.models.project import INTERMEDIATE, STAGING
from wholesale_elt.models.rendering.failures import NotRendered
from wholesale_elt.models.rendering.nodes import Node
from wholesale_elt.models.rendering.templates import RAW

SYNC_RUNS = f"{RAW}sync_runs"
DIGESTED = re.compile(
    r"int_as_of|int_orders|int_order_versions|int_order_sightings|int_outlook_claims"
    r"|int_service_checks|obs_\w+"
)
"""Models that read syncs, but of which the query `inputs` has a digest of what they take from them:
they are made anew when that changes. What orders were once, when they were sent, and
which sync was the first after a day, is no more changed by later syncs."""


def in_order(nodes: Iterable[Node]) -> Sequence[Node]:
    """The models, each after those that it reads, and then the tests.

    Raises: NotRendered if a model reads itself, or two tests have one name.
    """
    known: dict[str, Node] = {}
    for node in nodes:
        if node.id in known:
            what = f"{node.name} is a second {node.kind} of that name: give it another"
            raise NotRendered(node.path, None, what)
        known[node.id] = node
    parents = {name: sorted(known[name].parents) for name in sorted(known)}
    try:
        ordered = [name for name in TopologicalSorter(parents).static_order() if name in known]
    except CycleError as error:
        circle = [known[name] for name in reversed(error.args[1])]
        what = f"models read each other: {' reads '.join(node.name for node in circle)}"
        raise NotRendered(circle[0].path, None, what) from None
    return sorted(map(known.__getitem__, ordered), key=lambda node: node.kind)  # stable


def of_each_sync(ordered: Sequence[Node]) -> set[str]:
    """The ids of tables that tell of the syncs, of tests that read them, and of what both need
    besides tables in force."""
    known: Mapping[str, Node] = {node.id: node for node in ordered}
    below = {SYNC_RUNS}
    for node in ordered:
        if below & node.parents and not DIGESTED.fullmatch(node.name):
            below.add(node.id)
    found = {name for name in below - {SYNC_RUNS} if known[name].layer != STAGING}
    while True:
        needed = {
            parent
            for name in found
            for parent in known[name].parents
            if parent in known and known[parent].layer == INTERMEDIATE
        }
        if needed <= found:
            return found
        found |= needed
