"""The dlt source: one dlt resource for each of the service, each a root table and its children."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import dlt
from dlt.extract import DltResource

from wholesale.api import RESOURCES, Resource, set_to
from wholesale.configuration import read_policy, read_settings
from wholesale.dlt_hints import marked, marked_quarantine
from wholesale.dlt_resource import TablesResource
from wholesale.privacy import Masking
from wholesale.pulling import pull
from wholesale.stored_columns import stored_columns
from wholesale.sync import Run
from wholesale.tables import empty, shape_of

log = logging.getLogger("wholesale.source")


@dlt.source(name="wholesale", section="wholesale", max_table_nesting=0)
def wholesale_source(
    base_url: str = dlt.config.value, api_key: str = dlt.secrets.value, **settings: object
) -> list[DltResource]:
    """All 12 readable resources, as dlt resources named as their tables, merged by id.

    Children (`orders__order_line_items`, …) are replaced with their parent. Buyer users and
    variants have a list per buyer and per item, so those resources read the lists of their parents
    too, unless these were read before.

    The source does not know what the destination holds: each run reads everything, and a record
    that is gone stays. There is no certificate; doubts about a list are warnings in the log. For
    deletions and certificates use `wholesale sync` or `wholesale_elt.wholesale_pipeline`.

    With the write disposition `replace`, and on a filesystem, which cannot merge, a run replaces
    all rows of the resources that it reads: what is gone is gone. A transformer of a resource
    (`source.vendors | mine`) gets its records, some thousand in an Arrow table, and fills a table
    of its own. dlt's trace also counts the rows by which a merge deletes the entries of parents
    that have none left.

    Whatever else dlt offers works as it does there, or is refused by ConfigurationError before
    anything is asked for: what changes single rows (`add_limit`, `add_filter`, `add_map`), names,
    keys and columns, strategies of merging but delete-insert, table formats, file formats but
    parquet, contracts that discard something, and destinations that would round amounts or encode
    JSON twice. Where a destination takes no parquet, dlt writes `insert_values`.

    Section `privacy` of dlt's configuration says what may be stored, as for `wholesale sync`. A
    dataset that a sync keeps is refused: its past, certificates and erasures would be undone.

    `settings` are the other fields of `wholesale.settings.ApiSettings`; dlt's configuration has
    those that are not given, under `sources.wholesale`.

    Raises: ConfigurationError for a setting that is unknown or cannot be right; ServiceError from
    within the extraction.
    Source: §4 for the endpoints, §5 for the key.
    """
    run = Run(
        read_settings(base_url=base_url, api_key=api_key, **settings),
        masking=Masking(read_policy()),
    )
    return [TablesResource.reading(resource, _read(run, resource)) for resource in RESOURCES]


def _read(run: Run, resource: Resource) -> Callable[[], Iterator[Any]]:
    def read() -> Iterator[Any]:
        loading = cast(TablesResource, dlt.current.resource()).loading()
        found = stored_columns(dlt.current.source_schema().tables)
        reader = run.begin(resource, shape_of(resource, found))
        # Empty tables first, so that they exist even if the service has no such record.
        yield from marked(empty(reader.shape), loading)
        yield marked_quarantine((), resource.name, run.run_id, loading)
        for batch in pull(partial(run.read, reader)):
            yield from marked(batch.decoded, loading)
            if batch.decoded.quarantined:
                bodies = run.masking.mask_bodies(batch.decoded.quarantined, resource.name)
                yield marked_quarantine(bodies, resource.name, run.run_id, loading)
        if reader.late:
            log.warning(
                "%s: %d records came again in a newer version while they were read",
                resource.name,
                sum(late.decoded.records for late in reader.late),
            )
        if reader.tally.local_times and "time_zone" not in run.profile.pinned:
            log.warning(
                "%s: times without an offset are read as UTC (%s, or to their zone)",
                resource.name,
                set_to("time_zone", "UTC"),
            )
        for doubt in reader.doubts.sentences():
            log.warning("%s: %s", resource.name, doubt)

    return read
