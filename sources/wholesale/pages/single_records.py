"""Single records: detail requests, each for one record in full, as it is now."""

from functools import partial
from typing import NamedTuple

from wholesale.api import Resource
from wholesale.errors import ContentError, NotFound, ServiceError, Unauthorized
from wholesale.http import Traffic
from wholesale.json import RawPage, parse, read_record, write
from wholesale.pages.list_reader import Query
from wholesale.pages.service import Service

Record = RawPage | ServiceError | None
"""A record by itself; why it cannot be read; None where the service answers 404."""


class Key(NamedTuple):
    """The id of a record, and of its parent where its path names one."""

    id: str
    parent: str | None = None


def read_single(
    service: Service, resource: Resource, traffic: Traffic, key: Key
) -> tuple[str, Record]:
    """The record of that id. Raises: Unauthorized."""
    path = service.path(resource.get_endpoint or "", resource, key.id, key.parent)
    try:
        record = read_form(service, traffic, path, key.id, resource.query)
        if resource.summary and service.profile.basic_form_fields:
            record = _with_basic_form(service, resource, traffic, path, key.id, record)
        return key.id, RawPage(b"[" + record + b"]", parent=key.parent)
    except NotFound:
        return key.id, None
    except Unauthorized:
        raise
    except ServiceError as error:
        return key.id, error


def read_form(service: Service, traffic: Traffic, path: str, record_id: str, query: Query) -> bytes:
    """The record in the form that the query asks for. Raises: ServiceError."""
    return service.client.get(
        path, dict(query), read=partial(read_record, record_id=record_id), traffic=traffic
    )


def _with_basic_form(
    service: Service, resource: Resource, traffic: Traffic, path: str, record_id: str, record: bytes
) -> bytes:
    """The record in full, with the fields that only its basic form has (§2.4).

    Raises: ContentError if it changed between the two responses, which is asked for again later.
    """
    try:
        basic = parse(read_form(service, traffic, path, record_id, resource.summary_query))
    except NotFound:  # the record is there: its other form has just come
        raise ContentError(f"GET {path} answered 404 in one of its two forms") from None
    full, version = parse(record), resource.version.value
    if basic.get(version) != full.get(version):
        raise ContentError(f"GET {path}: it changed between its two forms")
    names = service.profile.basic_form_fields
    lacking = {name: basic[name] for name in names if full.get(name) is None and name in basic}
    return write(full | lacking).encode()
