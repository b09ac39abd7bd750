"""Targets: what has to hold of any bytes, one function a place; what does not hold is an assertion.

What comes in from the service is read or refused in words of ours; what goes into SQL, scripts,
metrics and logs comes out again as it was.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from html import escape
from pathlib import Path
from tempfile import NamedTemporaryFile

import duckdb
import httpx
import msgspec

from fuzz.services import is_of_one_line, sockets, syncs
from support.services.drawn_pages import rows_of
from support.services.script import BASE, KEY
from wholesale.api.resources import RESOURCES
from wholesale.errors import ConfigurationError, ContentError, WholesaleError
from wholesale.http.client import Client
from wholesale.http.traffic import Traffic
from wholesale.json.page import RawPage, read_page
from wholesale.json.strict import parse
from wholesale.settings import ApiSettings
from wholesale.tables.careful import decode_carefully
from wholesale.tables.decoder import decode
from wholesale.tables.fast import NotFast, decode_fast
from wholesale.tables.lines import Lines
from wholesale.tables.shapes import MAX_COLUMN_NAME, column_name, shape_of
from wholesale_agents.questions import conditions_of
from wholesale_agents.version import DescribedColumn, DescribedTable
from wholesale_elt.dashboard.entry import render
from wholesale_elt.dashboard.scripts import encode_script
from wholesale_elt.inspect import Overview, Status
from wholesale_elt.monitoring.summary import Summary
from wholesale_elt.monitoring.textfile import text_of
from wholesale_elt.process import json_line
from wholesale_fleet.accounts import read_fleet

OF_A_SERVICE = ApiSettings.model_fields.keys()
LABEL = r'"((?:[^"\\\n]|\\[\\"n])*)"'
SAMPLE = re.compile(rf"wholesale_rows\{{resource={LABEL},warehouse={LABEL}\}} 1\n")
ESCAPED = re.compile(r"\\(.)")
HTML = re.compile("<p title='[^<>'\"]*'>[^<>'\"]*</p>", re.DOTALL)
UNESCAPED = {"n": "\n"}
STATUSES = (200, 200, 200, 200, 204, 301, 401, 404, 422, 429, 500, 503)
HEADERS: tuple[Mapping[str, str], ...] = (
    {},
    {"Content-Encoding": "gzip"},
    {"Content-Encoding": "x"},
    {"Content-Type": "text/html"},
    {"Retry-After": "1"},
    {"Retry-After": "Mon, 99"},
)


def decoders(data: bytes) -> None:
    """A page of records: each of them is a row or in quarantine, by both decoders alike."""
    resource, body = RESOURCES[_first(data) % len(RESOURCES)], data[1:]
    page, shape = RawPage(body), shape_of(resource)
    try:
        careful = decode_carefully(page, shape)
    except ContentError as error:
        is_of_one_line(error)
        return
    assert len(careful.root) + len(careful.quarantined) == careful.records
    held = parse(body)
    assert isinstance(held, list)
    assert careful.records == len(held)
    assert rows_of(decode([page], shape)) == rows_of(careful)
    try:
        fast = decode_fast(Lines.of([page]), careful.shape)
    except NotFast:
        return
    assert rows_of(fast) == rows_of(decode_carefully(page, careful.shape))


def answers(data: bytes) -> None:
    """An answer of the service, from its status to its last byte: records, or one line."""
    status, headers = STATUSES[_first(data) % len(STATUSES)], HEADERS[_first(data[1:]) % 6]
    content = data[2:]

    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers=headers, stream=httpx.ByteStream(content))

    settings = ApiSettings.of(base_url=BASE, api_key=KEY, attempts=2)
    transport = httpx.MockTransport(handle)
    with Client(settings, transport=transport, sleep=lambda seconds: None) as client:
        try:
            page = client.get("/orders", {"page": 1}, read=read_page, traffic=Traffic())
        except WholesaleError as error:
            is_of_one_line(error)
            return
    assert status in (200, 204)
    try:
        decode([RawPage(page.records)], shape_of(RESOURCES[0]))
    except ContentError as error:
        is_of_one_line(error)


def settings(data: bytes) -> None:
    """A file of settings: they are taken, or one line says which of them cannot be right."""
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return
    try:
        ApiSettings.of(lambda name: f"[sources.wholesale] {name}", **values)
    except ConfigurationError as error:
        is_of_one_line(error)


def accounts(data: bytes) -> None:
    """A file of accounts: each has a warehouse of its own, or one line says what is wrong."""
    with NamedTemporaryFile(suffix=".toml") as file:
        path = Path(file.name)
        path.write_bytes(data)
        try:
            fleet = read_fleet(path)
        except ConfigurationError as error:
            is_of_one_line(error)
            return
    databases = {fleet.database(account) for account in fleet.accounts}
    assert len(databases) == len(fleet.accounts)
    for account in fleet.accounts:
        values = {name: account.service[name] for name in account.service.keys() & OF_A_SERVICE}
        ApiSettings.of(**{"api_key": KEY, "plain_http": True, **values})


def names(data: bytes) -> None:
    """The name of a field, and a value: as a column, in SQL, they are themselves and no more."""
    name, _, value = data.decode(errors="replace").partition("\n")
    column = column_name(name)
    assert re.fullmatch("[a-z0-9_]*", column), column
    assert len(column) <= MAX_COLUMN_NAME
    if not name or "\0" in name:
        return
    quoted = '"' + name.replace('"', '""') + '"'
    table = DescribedTable("t", "main", "", {name: DescribedColumn(name, "VARCHAR", "", False)})
    where, values = conditions_of(table, {name: value})
    with duckdb.connect() as connection:
        connection.execute(f"create table t ({quoted} varchar)")
        connection.execute("insert into t values (?), ('other' || ?)", [value, value])
        found = connection.execute(f"select count(*) from t{where}", values).fetchone()
        assert found == (1,)


def metrics(data: bytes) -> None:
    """A text as a label of Prometheus: one line, and the same text again."""
    text = data.decode(errors="replace")
    nothing = dict.fromkeys(field.name for field in fields(Status))
    row = Status(**{**nothing, "resource": text, "rows": 1})  # type: ignore[arg-type]
    exposed = text_of(Overview(text, None, (), [row]), Summary(command="sync"))
    [found] = SAMPLE.findall(exposed)
    for label in found:
        assert ESCAPED.sub(lambda escape: UNESCAPED.get(escape[1], escape[1]), label) == text
    assert exposed.count("\n") == 3


def logs(data: bytes) -> None:
    """A text in the log: one line of JSON, which says the same."""
    text = data.decode(errors="surrogateescape")
    line = json_line("error", text, text, {"field": text})
    assert len(line.splitlines()) == 1
    told = json.loads(line)
    assert (told["logger"], told["message"], told["field"]) == (text, text, text)


def pages(data: bytes) -> None:
    """A text in the dashboard: no tag in its page, no end of a script in its data."""
    text = data.decode(errors="replace")
    html = render("<p title='{{text}}'>{{text}}</p>", {"text": text})
    found = HTML.fullmatch(html)
    assert found, html
    assert html == f"<p title='{escape(text)}'>{escape(text)}</p>"
    script = encode_script({"text": text})
    assert not set(script) & set(b"<\n\r")
    assert msgspec.json.decode(script) == {"text": text}


GROUPS: Sequence[Sequence[Callable[[bytes], None]]] = (
    (decoders, answers, settings, accounts, names, metrics, logs, pages),
    (sockets,),
    (syncs,),
)
"""Each is guided by itself, as one input of a later group takes as long as hundreds before it."""
TARGETS: Mapping[str, Callable[[bytes], None]] = {
    target.__name__: target for group in GROUPS for target in group
}


def _first(data: bytes) -> int:
    return data[0] if data else 0
