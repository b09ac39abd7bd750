"""Runs: what runs record beside the data, and what that says about the records stored.

In:  a warehouse, and the reports of a run.
Out: certificates, the history of earlier runs, and what is stored, repaired where it is damaged.
Knows nothing of how records are written.
Begin with `certificate`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.runs.certificate import DIGEST, Certificate, certify, is_complete
    from wholesale_elt.runs.certificate import SCHEMA as CERTIFICATE_SCHEMA
    from wholesale_elt.runs.damage import (
        find_damage,
        forget_child_rows,
        forget_digests,
        forget_later_digests,
        has_noted_child_rows,
        note_child_rows,
        repair,
    )
    from wholesale_elt.runs.history import (
        CompleteRun,
        History,
        LastRun,
        as_utc,
        first_complete_run,
        read_changes,
        read_complete_moments,
        read_erased,
        read_histories,
        read_last_runs,
        read_profile,
        recency,
    )
    from wholesale_elt.runs.identity import Identity
    from wholesale_elt.runs.ids import require_plain_ids, spell_ids
    from wholesale_elt.runs.meanings import (
        UNKNOWN_STATES,
        UnknownState,
        how_to_set,
        read_unknown_states,
        unknown_states,
    )
    from wholesale_elt.runs.noted import ABSENT, ERASED, REFUSED, Aspect, SchemaChange
    from wholesale_elt.runs.numbers import find_order
    from wholesale_elt.runs.releases import (
        is_newer,
        refuse_newer,
        release_row,
        require_known,
        this_release,
    )
    from wholesale_elt.runs.stored import StoredReader
    from wholesale_elt.runs.tables import (
        CHILD_ROWS,
        ERASED_SCHEMA,
        RELEASES_SCHEMA,
        TABLES,
        rows_of_run,
    )
    from wholesale_elt.runs.verdicts import Verdict
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "ABSENT",
    "CERTIFICATE_SCHEMA",
    "CHILD_ROWS",
    "DIGEST",
    "ERASED",
    "ERASED_SCHEMA",
    "REFUSED",
    "RELEASES_SCHEMA",
    "TABLES",
    "UNKNOWN_STATES",
    "Aspect",
    "Certificate",
    "CompleteRun",
    "History",
    "Identity",
    "LastRun",
    "SchemaChange",
    "StoredReader",
    "UnknownState",
    "Verdict",
    "as_utc",
    "certify",
    "find_damage",
    "find_order",
    "first_complete_run",
    "forget_child_rows",
    "forget_digests",
    "forget_later_digests",
    "has_noted_child_rows",
    "how_to_set",
    "is_complete",
    "is_newer",
    "note_child_rows",
    "read_changes",
    "read_complete_moments",
    "read_erased",
    "read_histories",
    "read_last_runs",
    "read_profile",
    "read_unknown_states",
    "recency",
    "refuse_newer",
    "release_row",
    "repair",
    "require_known",
    "require_plain_ids",
    "rows_of_run",
    "spell_ids",
    "this_release",
    "unknown_states",
]
