"""Names: what columns of ours, runs and ways of reading are called in what is stored."""

from datetime import UTC, datetime

EXTRA = "_extra"
DELETED_AT = "_deleted_at"
REMOVED = "_removed"
"""A column of child tables that dlt loads: see `dlt_hints`."""
VALID_FROM = "valid_from"
VALID_TO = "valid_to"
"""Columns of ours in a destination that keeps what records were before: since when, and until when,
a row is as it is. No field of the service gets them."""
RESERVED = frozenset({EXTRA, DELETED_AT, REMOVED, VALID_FROM, VALID_TO})
RESERVED_PREFIX = "_dlt_"
FULL_READ = "full read"
MANIFEST = "manifest"
EARLY_STOP = "early stop"
RUN_ID = "%Y%m%dT%H%M%S.%fZ"
"""The format of the moment (UTC) at which a run begins: ids of runs sort by time."""


def run_id_of(moment: datetime) -> str:
    """The id of a run that begins at this moment."""
    return moment.astimezone(UTC).strftime(RUN_ID)


def moment_of(run_id: str) -> datetime:
    """When this run began."""
    return datetime.strptime(run_id, RUN_ID).replace(tzinfo=UTC)
