"""Assumptions that code rests on where the API description is silent; a README lists them all.

What differs from service to service is a fact of its profile instead (`api/profile.py`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from wholesale.api.facts import Assumption, Statement

FIELD_NAMES_MEAN_THE_SAME = Assumption(
    "FIELD_NAMES_MEAN_THE_SAME",
    True,
    "2.8",
    "a field of a record that is not shown has the type its name has elsewhere, if most values fit;"
    " one that ends in `_id` is an id",
)
FIELD_TYPES: Assumption[Mapping[str, Literal["decimal"]]] = Assumption(
    "FIELD_TYPES",
    MappingProxyType({"price": "decimal", "amount": "decimal"}),
    "2.8",
    "types of fields that are shown nowhere, if most of their values fit",
)

ASSUMPTIONS: tuple[Assumption[Any] | Statement, ...] = (
    FIELD_NAMES_MEAN_THE_SAME,
    FIELD_TYPES,
    Statement(
        "LISTS_HAVE_ONE_OF_THREE_SHAPES",
        "4.12",
        "a list is an envelope with `data`, a bare array, or an object with one list; one without"
        " records is empty if it is an envelope that counts 0, and has nothing beside it that is"
        " not there beside records",
    ),
    Statement(
        "FAILURES_SAY_SO",
        "7",
        "a response of status 200 fails if it names an `error` or `errors`, or says `success:"
        " false`, or a `code` or `status` of 400 or more: it is asked for again, and its records"
        " are not read",
    ),
    Statement(
        "ACCEPTED_IDS",
        "2.8",
        "an id may be any printable text or number; a GUID is the same by its digits, however it"
        " is written: it is stored in small letters with dashes, and asked for as its list writes"
        " it; a record without an id, or with a key twice, goes to quarantine",
    ),
    Statement(
        "CHANGES_SHOW_IN_THE_LIST",
        "2.4",
        "an edit of an order changes a field of its row in the list; the daily audit finds those"
        " that do not",
    ),
    Statement(
        "FEW_ARE_DELETED_AT_ONCE",
        "4.12",
        "of records without a detail request no more are deleted between two runs than"
        " `absent_share` says, and never all: otherwise the list fails, and a person says that it"
        " does not",
    ),
    Statement(
        "DETAIL_REQUESTS_ARE_CURRENT",
        "4.3",
        "a record asked for by its id comes as it is now; 404 means that it is gone, if the list"
        " does not show it and records that it shows answer",
    ),
    Statement(
        "DETAIL_REQUESTS_SHOW_ALL",
        "4.3",
        "where a list shows less of a record than a detail request does, the detail request is"
        " right",
    ),
    Statement(
        "TOTALS_ARE_OF_THEIR_RESPONSE",
        "2.3",
        "total_count counts the records of the moment of its response",
    ),
    Statement(
        "ABSENCE_IS_NOT_EMPTINESS",
        "2.4",
        "`[]` empties a list of entries; one that is null or missing says nothing, unless the"
        " service is known to leave out empty lists",
    ),
    Statement(
        "STATUSES_THAT_MEAN_THE_SAME",
        "7",
        "400 refuses a parameter as 422 does, and 410 means the same as 404",
    ),
    Statement(
        "VERSIONS_OF_ALL",
        "2.4",
        "an `updated_at` that is missing, or the same in all orders, tells of no change: each"
        " sync reads them all in full",
    ),
    Statement("IDS_ARE_NOT_USED_AGAIN", "2", "an id never names another record later"),
    Statement(
        "DUE_DAYS_FOLLOW_FROM_TERMS",
        "2.7",
        "`order_terms` such as Net 30 say after how many days an order is due: from its invoice,"
        " else from its shipping, else from its day",
    ),
    Statement(
        "VENDORS_SAY_WHEN_THEY_SHIP",
        "2.7",
        "a vendor promises the longest processing time that it writes; its times are of the time"
        " zone of the business, its business days Monday to Friday, and no day is a holiday",
    ),
)
