"""Single records: each record by itself, in full, as it is now."""

import re
from functools import partial

from wholesale.api import ENDPOINT, Resource
from wholesale.errors import (
    ContentError,
    Forbidden,
    NoContent,
    NotFound,
    ServiceError,
    Unauthorized,
    Unprocessable,
)
from wholesale.http import Client, Traffic
from wholesale.json import RawPage, parse, read_record, write
from wholesale.pages.list_pages import Query

MOST_BASIC_FORMS_IN_VAIN = 10
"""Records whose basic form shows no more than the verbose one, before no others are asked for."""

Key = tuple[str, str | None]
"""The id of a record, and of its parent where its path names one."""
Record = RawPage | ServiceError | None
"""A record by itself; why it cannot be read; None where the service answers 404 or nothing."""


class SingleRecords:
    """The records of one resource, as the service answers for each by itself."""

    def __init__(self, client: Client, resource: Resource, traffic: Traffic) -> None:
        self._client = client
        self._resource = resource
        self._traffic = traffic
        self._has_basic_lists = False
        self._basic_forms_in_vain = 0

    def read(self, key: Key) -> tuple[str, Record]:
        record_id, parent = key
        ids = (parent, record_id) if parent else (record_id,)
        path = ENDPOINT[self._resource.get_endpoint or ""].path_of(*ids)
        try:
            record = self._with_lists(path, record_id, self._form(path, record_id))
            return record_id, RawPage(b"[" + record + b"]", parent=parent)
        except (NotFound, NoContent):
            return record_id, None
        except Unauthorized:
            raise
        except ServiceError as error:
            return record_id, error

    def _form(self, path: str, record_id: str, query: Query | None = None) -> bytes:
        """The record in the form that the query asks for, else in full."""
        return self._client.get(
            path,
            dict(self._resource.query if query is None else query),
            read=partial(read_record, record_id=record_id),
            traffic=self._traffic,
        )

    def _with_lists(self, path: str, record_id: str, record: bytes) -> bytes:
        """The record in full; if it lacks lists there that it has in its basic form, with all that
        only this one has: the description shows its fields, and not which of them the verbose form
        has (§2.4).

        Where the basic forms of a few records lack these lists too, or are refused, no more are
        asked for.
        """
        lists = [name for name in self._resource.basic_lists if not _shows(record, name)]
        if not lists or self._basic_forms_in_vain >= MOST_BASIC_FORMS_IN_VAIN:
            return record
        try:
            basic = parse(self._form(path, record_id, self._resource.summary_query))
        except (NotFound, NoContent, Unprocessable, Forbidden):
            self._basic_forms_in_vain += not self._has_basic_lists
            return record
        found = parse(record)
        if all(basic.get(name) is None for name in lists):
            self._basic_forms_in_vain += not self._has_basic_lists
            return record
        self._has_basic_lists, self._basic_forms_in_vain = True, 0
        version = self._resource.version.value
        if version in found.keys() & basic.keys() and found[version] != basic[version]:
            raise ContentError(f"GET {path}: it changed between its two forms")
        return write(basic | {name: it for name, it in found.items() if it is not None}).encode()


def _shows(record: bytes, name: str) -> bool:
    """Whether the record has a field of that name that is not null."""
    return re.search(rb'"%b"\s*:\s*[^n\s]' % name.encode(), record) is not None
