"""Assumptions of the extractor where the API description is silent; a README lists them all."""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from types import MappingProxyType
from typing import Any, Literal

from wholesale.api.facts import Assumption, Statement

FIRST_PAGE = Assumption("FIRST_PAGE", 1, "8", "number of the first page of a list")
LISTS_COUNT_PAGES_ALIKE = Statement(
    "LISTS_COUNT_PAGES_ALIKE",
    "8",
    "the number of the first page is the same in all lists: what one list shows holds for all",
)
LISTS_THAT_ARE_NOT_PAGED_ARE_WHOLE = Statement(
    "LISTS_THAT_ARE_NOT_PAGED_ARE_WHOLE",
    "4.12",
    "a list that refuses every limit is read without one, and one that refuses the number of a page"
    " too is all there is, unless it counts more",
)
EMPTY_PAGES_THAT_END_A_LIST = Assumption(
    "EMPTY_PAGES_THAT_END_A_LIST",
    2,
    "8",
    "so many empty pages in a row end a list whose envelope does not name its last page, if pages"
    " further on are empty too",
)
TIMES_WITHOUT_OFFSET: Assumption[tzinfo] = Assumption(
    "TIMES_WITHOUT_OFFSET", UTC, "2", "zone of a timestamp that names none; a bare date is midnight"
)
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
NO_CHILDREN_NO_LIST = Assumption(
    "NO_CHILDREN_NO_LIST",
    True,
    "2.1",
    "an item whose variants_count is 0 has no variants; of new ones and a few others the list is"
    " asked for all the same",
)
EMPTY_LISTS_HAVE_NO_SMALLER_PAGES = Statement(
    "EMPTY_LISTS_HAVE_NO_SMALLER_PAGES",
    "4.2",
    "a list that is empty twice, and at a limit of 1 as well, has no records",
)
CHILDREN_ARE_COUNTED_TWICE = Statement(
    "CHILDREN_ARE_COUNTED_TWICE",
    "2.1",
    "an item has as many variants as its variants_count says where their list counts more than it"
    " shows, is denied, or is empty or counts nothing while other items count right; lists that all"
    " count the same, and as many as they show together, count the children of all parents",
)
LISTS_WITHOUT_A_BODY_ARE_EMPTY = Statement(
    "LISTS_WITHOUT_A_BODY_ARE_EMPTY",
    "4.12",
    "a list, or a page of one, that is answered by 204 twice is empty, and so is one that shows"
    " `null` or nothing in the place of its records; a list of children that is denied (404) is"
    " not, if its parent is there",
)
ACCEPTED_IDS = Statement(
    "ACCEPTED_IDS",
    "2.8",
    "an id may be any printable text or number; a GUID is the same by its digits: in capital or"
    " small letters, without dashes, in braces, or behind `urn:uuid:`; a record without an id, or"
    " with a key twice, goes to quarantine",
)
CHANGES_SHOW_IN_THE_SUMMARY = Statement(
    "CHANGES_SHOW_IN_THE_SUMMARY",
    "2.4",
    "an edit of an order changes a field of its summary; the daily audit finds those that do not",
)
SINGLE_READS_ARE_CURRENT = Statement(
    "SINGLE_READS_ARE_CURRENT",
    "4.3",
    "a record asked for by its id comes as it is now; 404 means that it is gone, if the list does"
    " not show it and records that it shows answer; one that the list showed in full, and of which"
    " no version tells the newer state, is as the list showed it",
)
TOTALS_ARE_OF_THEIR_ANSWER = Statement(
    "TOTALS_ARE_OF_THEIR_ANSWER",
    "2.3",
    "total_count counts the records of the moment of its answer; where it contradicts what comes,"
    " two readings that agree are the proof, unless it is higher and there is one page only",
)
WINDOWS_END_AT_ROUND_NUMBERS = Assumption(
    "WINDOWS_END_AT_ROUND_NUMBERS",
    50,
    "8",
    "a list that ends otherwise than at a multiple of it, behind full pages, ends there for good,"
    " though its total may be a little higher; where the next page is refused, so does one that"
    " shows as many records as it counts, or less than a page and counts nothing",
)
ABSENCE_IS_NOT_EMPTINESS = Statement(
    "ABSENCE_IS_NOT_EMPTINESS",
    "2.4",
    "`[]` empties a list; one that is null or missing says nothing, unless records say it alone"
    " too, none of them sends `[]`, and records that had entries still show it; of orders, ten of"
    " them or a third, if it was not in almost all before",
)
LONE_ENTRIES = Statement(
    "LONE_ENTRIES",
    "2.4",
    "an object that has a field of an entry, in the place of a list of entries, is a list of one;"
    " one whose names, if any, are all numbers is the list of its values, and one with nothing but"
    " `data` or the list's own name, and `pagination`, holds it; a page may hold its one record so",
)
BASIC_FORMS_HAVE_ALL_LISTS = Statement(
    "BASIC_FORMS_HAVE_ALL_LISTS",
    "2.4",
    "lists that an order lacks in the verbose form are those of its basic form, and so is what else"
    " it lacks then",
)
SINGLE_READS_ARE_WHOLE = Statement(
    "SINGLE_READS_ARE_WHOLE",
    "4.3",
    "where lists show fewer entries of a record, or another value in almost all, or lack a field in"
    " all that is documented, or assumed where fields are not shown, what it is when asked for by"
    " its id is right",
)
TEXTS_THAT_READ_THE_SAME = Statement(
    "TEXTS_THAT_READ_THE_SAME",
    "4.3",
    "a single read shows what a list says of the record if their texts differ only in blanks around"
    " them, capital letters, escaped (`&amp;`) or composed characters, or if one is empty and the"
    " other `null`",
)
STATUSES_THAT_MEAN_THE_SAME = Statement(
    "STATUSES_THAT_MEAN_THE_SAME",
    "7",
    "400 refuses a parameter as 422 does; 410, 204, an answer that is empty, `null`, `{}` or"
    " `[]` three times, an error object that says so, or a record with nothing but its id and times"
    " deny a record as 404 does",
)
DELETED_RECORDS_SAY_SO = Statement(
    "DELETED_RECORDS_SAY_SO",
    "2",
    "a record is deleted if it says so itself, whether a list shows it or not: by `deleted`,"
    " `is_deleted`, the status `deleted`, or a time in `deleted_at` that has come; a day of 1970 or"
    " before stands for none",
)
VERSIONS_OF_ALL = Statement(
    "VERSIONS_OF_ALL",
    "2.4",
    "an `updated_at` that is missing, or the same in all orders, tells of no change: each sync"
    " reads them all in full",
)
IDS_ARE_NOT_USED_AGAIN = Statement(
    "IDS_ARE_NOT_USED_AGAIN", "2", "an id never names another record later"
)
ORDER_HOLDS_BETWEEN_PROBES = Assumption(
    "ORDER_HOLDS_BETWEEN_PROBES",
    True,
    "4.2",
    "an order list that is newest first on each page looked at is so as a whole, and a change"
    " stands at its head; believed for a day after each sweep of the whole list",
)

ASSUMPTIONS: tuple[Assumption[Any] | Statement, ...] = (
    FIRST_PAGE,
    LISTS_COUNT_PAGES_ALIKE,
    LISTS_THAT_ARE_NOT_PAGED_ARE_WHOLE,
    EMPTY_PAGES_THAT_END_A_LIST,
    EMPTY_LISTS_HAVE_NO_SMALLER_PAGES,
    TIMES_WITHOUT_OFFSET,
    FIELD_NAMES_MEAN_THE_SAME,
    FIELD_TYPES,
    NO_CHILDREN_NO_LIST,
    CHILDREN_ARE_COUNTED_TWICE,
    LISTS_WITHOUT_A_BODY_ARE_EMPTY,
    ACCEPTED_IDS,
    CHANGES_SHOW_IN_THE_SUMMARY,
    SINGLE_READS_ARE_CURRENT,
    TOTALS_ARE_OF_THEIR_ANSWER,
    WINDOWS_END_AT_ROUND_NUMBERS,
    ABSENCE_IS_NOT_EMPTINESS,
    LONE_ENTRIES,
    BASIC_FORMS_HAVE_ALL_LISTS,
    SINGLE_READS_ARE_WHOLE,
    TEXTS_THAT_READ_THE_SAME,
    STATUSES_THAT_MEAN_THE_SAME,
    DELETED_RECORDS_SAY_SO,
    VERSIONS_OF_ALL,
    IDS_ARE_NOT_USED_AGAIN,
    ORDER_HOLDS_BETWEEN_PROBES,
)
