"""Past: what each record was before, since when and until when, and all records as of a moment.

In:  the tables of records, and the moments at which syncs began.
Out: beside each table one of its past, queries for its rows as they were, and digests of them.
Knows nothing of what a sync reads, or of how records are compared.
Begin with `tables`.
"""

from typing import TYPE_CHECKING

from wholesale.lazy import lazy_names

if TYPE_CHECKING:
    from wholesale_elt.past.appended import Appended
    from wholesale_elt.past.as_of import (
        drop_functions,
        make_functions,
        next_moment,
        rows_as_of,
        rows_that_differ,
        written_between,
    )
    from wholesale_elt.past.digests import digest_as_of, digest_now, key_of, stored_rows
    from wholesale_elt.past.keeping import (
        FORGOTTEN_SCHEMA,
        NotInPast,
        forget,
        forgotten,
        moment_to_forget,
        old_tables,
    )
    from wholesale_elt.past.kinds import (
        Kind,
        Side,
        conditions,
        is_content,
        kind_of,
        with_other_content,
    )
    from wholesale_elt.past.logs import OBSERVED_AT, WATCHED, columns_in_log, log_of
    from wholesale_elt.past.names import is_past, literal, past_of, record_table_of
    from wholesale_elt.past.reach import FORGOTTEN, forgotten_until
    from wholesale_elt.past.tables import (
        put_in_past,
        rows_since,
        set_right,
        tables_in_time,
    )
else:
    __getattr__ = lazy_names(__name__)

__all__ = [
    "FORGOTTEN",
    "FORGOTTEN_SCHEMA",
    "OBSERVED_AT",
    "WATCHED",
    "Appended",
    "Kind",
    "NotInPast",
    "Side",
    "columns_in_log",
    "conditions",
    "digest_as_of",
    "digest_now",
    "drop_functions",
    "forget",
    "forgotten",
    "forgotten_until",
    "is_content",
    "is_past",
    "key_of",
    "kind_of",
    "literal",
    "log_of",
    "make_functions",
    "moment_to_forget",
    "next_moment",
    "old_tables",
    "past_of",
    "put_in_past",
    "record_table_of",
    "rows_as_of",
    "rows_since",
    "rows_that_differ",
    "set_right",
    "stored_rows",
    "tables_in_time",
    "with_other_content",
    "written_between",
]
