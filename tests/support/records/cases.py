"""Cases: requests to the sandbox with their whole answers, and the records that they are about.

`records.json` has a record a name. Any other file has an array of cases, each with the `endpoint`,
the `ids` in its path where they are not those of `IDS`, its `query`, what is `sent`, the `status`,
and what comes:

- `answer`: that very JSON;
- `record`: the record of that name, with `changes` if there are any;
- `page`: the envelope around the records of these names;
- `details`: the error object of the status.

In all of them `<item>` stands for the id of the record `item`, `<unknown>` for an id of none,
`<id>` for a new one, `<then>` for a time before the test, and `<now>` for one within it.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx

from support.paths import ROOT
from wholesale.api.endpoints import ENDPOINTS

Json = dict[str, Any]

FOLDER = ROOT / "tests/wholesale_sandbox/routes/cases"
THEN = "2025-01-02T03:04:05.678901Z"
ERRORS = {404: "Resource not found", 422: "Unprocessable Entity"}

_RECORDS: Json = json.loads((FOLDER / "records.json").read_text("utf-8"))


def id_of(name: str) -> str:
    """The id of the record of that name; one that no record has for any other name."""
    number = list(_RECORDS).index(name) + 1 if name in _RECORDS else 99
    return f"00000000-0000-4000-8000-{number:012d}"


_STANDS_FOR = {
    **{f"<{name}>": id_of(name) for name in (*_RECORDS, "unknown")},
    "<then>": THEN,
}


def _resolved(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _resolved(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_resolved(entry) for entry in value]
    return _STANDS_FOR.get(value, value) if isinstance(value, str) else value


RECORDS: Mapping[str, Json] = _resolved(_RECORDS)

IDS: Mapping[str, str] = {
    parameter: id_of(re.sub("([A-Z])", r"_\1", parameter.removesuffix("Id")).lower())
    for endpoint in ENDPOINTS
    for parameter in endpoint.parameters
}
"""By the name of an id in a path: `itemImageId` is that of the record `item_image`."""

STOCK: tuple[tuple[str, str, str | None], ...] = (
    ("categories", "category", None),
    ("brands", "brand", None),
    ("vendors", "idle_vendor", None),
    ("vendors", "vendor", None),
    ("items", "item", None),
    ("items", "bare_item", None),
    ("variants", "variant", "item"),
    ("item_images", "item_image", None),
    ("price_lists", "price_list", None),
    ("prices", "price", None),
    ("buyers", "buyer", None),
    ("buyer_users", "buyer_user", "buyer"),
    ("custom_fields", "custom_field", None),
    ("orders", "order", None),
)
"""What the sandbox holds: resource, name of the record, name of its parent."""


@dataclass(frozen=True)
class Case:
    """A request and its whole answer; `ids` where they are not those of IDS."""

    endpoint: str
    status: int
    answer: object = None
    sent: Json | None = None
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_refused(self) -> bool:
        return self.status >= 400


Ask = Callable[[Case], httpx.Response]
"""Sends the request of a case."""


def cases() -> list[Case]:
    """Those of every file."""
    return [
        _case(_resolved(entry))
        for path in sorted(FOLDER.glob("*.json"))
        if path.name != "records.json"
        for entry in json.loads(path.read_text("utf-8"))
    ]


def refused(status: int, details: str) -> Json:
    """The error object (§2.9)."""
    return {"error": ERRORS[status], "details": details}


def as_told(body: Json) -> Json:
    """A record that came, with `<id>` for a new id and `<now>` for times within the test."""
    if "id" in body and body["id"] not in _STANDS_FOR.values():
        assert str(UUID(body["id"])) == body["id"]
        body = body | {"id": "<id>"}
    times = ("created_at", "updated_at")
    return body | {name: "<now>" for name in times if body.get(name, THEN) > THEN}


def _case(entry: Json) -> Case:
    told = {name: entry[name] for name in ("sent", "ids", "query") if name in entry}
    return Case(entry["endpoint"], entry["status"], _answer(entry), **told)


def _answer(entry: Json) -> object:
    if "record" in entry:
        return RECORDS[entry["record"]] | entry.get("changes", {})
    if "page" in entry:
        return _page([RECORDS[name] for name in entry["page"]])
    if "details" in entry:
        return refused(entry["status"], entry["details"])
    return entry.get("answer")


def _page(records: list[Json]) -> Json:
    pagination = {"current": 1, "previous": None, "next": None, "limit": 25}
    counts = {"total_pages": 1 if records else 0, "total_count": len(records)}
    return {"pagination": pagination | counts, "data": records}
