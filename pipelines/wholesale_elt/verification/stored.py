"""Stored: whether a warehouse has what its runs left in it, by the digests that they noted."""

from wholesale.api import RESOURCE
from wholesale.compare import Digest
from wholesale.errors import ConfigurationError
from wholesale.names import moment_of
from wholesale.tables import TableShape, shape_of
from wholesale_elt.past import digest_as_of, forgotten_until, key_of, stored_rows
from wholesale_elt.publish import Manifest
from wholesale_elt.runs import DIGEST, recency
from wholesale_elt.verification.findings import Finding, Verified
from wholesale_elt.verification.records import of_records
from wholesale_elt.warehouse import CERTIFICATES, RAW_DATASET, RawReader, Warehouse


def verify_warehouse(warehouse: Warehouse, version: Manifest | None = None) -> Verified:
    """Whether a warehouse has of each resource what its last run left; or had what a published
    version was made of.

    Raises: ConfigurationError if it has no certificate of such a run; NotLoaded.
    """
    warehouse.require()
    with warehouse.open(is_read_only=True) as raw:
        columns, forgotten = raw.columns(), forgotten_until(raw)
        noted = _noted(raw, version.run_id if version else None)
        if not noted:
            raise ConfigurationError(f"{warehouse.name} has no certificate of such a run")
        findings, unproved = [], []
        for name, (run_id, text) in noted.items():
            if version and text:  # what was withdrawn here is not claimed by a version either
                text = version.digests.get(f"{RAW_DATASET}.{name}")
            claimed = Digest.of(text)
            if claimed is None or (forgotten and moment_of(run_id) < forgotten):
                unproved.append(name)
            elif found := _differing(raw, shape_of(RESOURCE[name], columns), run_id, claimed):
                findings.append(found)
    last = next(iter(noted.values()))[0]
    return Verified(last, "resources", len(noted) - len(unproved), findings, unproved)


def _differing(raw: RawReader, shape: TableShape, run_id: str, claimed: Digest) -> Finding | None:
    moment = moment_of(run_id)
    stored = (
        (rows, key_of(table)) for table in shape.tables for rows in stored_rows(raw, table, moment)
    )
    found = digest_as_of(raw, shape, moment)
    return of_records(shape.table, claimed, found, ["id"], stored)


def _noted(raw: RawReader, until: str | None) -> dict[str, tuple[str, str | None]]:
    """The last run of each resource, up to this one, and the digest that it noted; the last of all
    comes first."""
    digest = DIGEST if DIGEST in raw.column_names(CERTIFICATES) else "null"  # an older release's
    rows = raw.rows(
        f"select resource, run_id, {digest} from {raw.name(CERTIFICATES)}"
        f" order by {recency()} desc, run_id desc"
    )
    noted: dict[str, tuple[str, str | None]] = {}
    for resource, run_id, text in rows:
        if resource in RESOURCE and (until is None or run_id <= until):
            noted.setdefault(resource, (run_id, text))
    return noted
