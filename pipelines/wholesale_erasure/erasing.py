"""Erasing: removes a subject from tables, models, versions, state and disk, in this order.

One transaction empties the cells of the raw tables and adds the subject to the list of those whom
every later sync keeps out. All that follows is derived from these tables and can be repeated: after
a kill, the same command continues.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from wholesale.api import RESOURCE
from wholesale.compare import hash_all, hash_rows
from wholesale.dlt_hints import hints_of
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.privacy import Erased
from wholesale.tables import QUARANTINE
from wholesale_elt.causes import remove_left
from wholesale_elt.load import ErasableCells, Writer, cells_of, count, emptying, remaining
from wholesale_elt.models import build_models
from wholesale_elt.process import plugins
from wholesale_elt.publish import (
    Published,
    is_published,
    noted_places,
    republish_marts,
    whole_place,
)
from wholesale_elt.runs import (
    ERASED,
    ERASED_SCHEMA,
    TABLES,
    forget_digests,
    read_erased,
    require_plain_ids,
    spell_ids,
)
from wholesale_elt.warehouse import CERTIFICATES, Raw, RawReader, Warehouse, rehearse, rewrite
from wholesale_erasure.mentions import IS_BODY, Mention, mentions_of
from wholesale_erasure.receipt import PlaceErased, Receipt, TableErased
from wholesale_erasure.subject import Subject, find_subject

ELSEWHERE = (
    "backups, copies, exports and logs elsewhere, and the service itself, were not looked at",
    "wholesale_raw.privacy_erased keeps hashes with their salt: whoever has the warehouse can find"
    " out a phone number that was erased by trying all",
)


ESCAPED = re.compile(r"\\u([0-9a-f]{4})", re.IGNORECASE)


class NotErased(WholesaleError):
    """The erasure would have changed other data too; nothing was erased."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure empties: rows and cells by table, and bodies in quarantine; and the mentions
    that it leaves."""

    subject: Subject
    cells: Sequence[ErasableCells] = field(repr=False)
    tables: Mapping[str, tuple[int, int]]
    quarantined: int
    mentions: Sequence[Mention]


def plan_erasure(warehouse: Warehouse, key: str) -> Erasure:
    """What the erasure of a buyer or buyer user would empty in the raw tables; writes nothing.

    Raises: UnknownSubject, NotLoaded.
    """
    with warehouse.open(is_read_only=True) as raw:
        require_plain_ids(raw, warehouse)
        subject = find_subject(raw, key)
        return _plan(raw, subject, subject.added_to(read_erased(raw)))


def erase(warehouse: Warehouse, key: str, places: Sequence[str] = ()) -> Receipt:
    """Erase a buyer with all its people, or one person, by their id; safe to repeat.

    Their records and orders stay, with keys, times, states and amounts. If there are models, they
    are built anew. In each of `places`, one new version replaces all that are published there.

    Raises: UnknownSubject, NotLoaded; ConfigurationError for a place without versions;
    AlreadyRunning; NotErased; what `rehearse` raises; and, after the raw tables were emptied, what
    building and publishing raise, and what forgets them elsewhere (`wholesale.erasures`).
    """
    warehouse.require()
    for place in places:
        if not is_published(place):
            raise ConfigurationError(
                f"--published {place} has no version, so nothing was erased: name the place that"
                " `publish --to` names"
            )
    rehearse(warehouse)
    at = datetime.now(UTC)
    with warehouse.hold(), _writing(warehouse) as writer:
        raw = writer.raw
        subject = find_subject(raw, key)
        before = read_erased(raw)
        after = subject.added_to(before)
        plan = _plan(raw, subject, after)
        tables = _empty(raw, plan)
        raw.drop_staging()
        for resource in RESOURCE:
            forget_digests(raw, resource)
        writer.insert(ERASED, _added(before, after, at))
    remove_left(warehouse, even_if_used=True)
    state_files = _remove_state_files(warehouse, subject)
    models = "there were none"
    if _has_models(warehouse):
        built = build_models(warehouse, is_full=True)
        models = f"{built.models} were built anew"
    with warehouse.open(is_read_only=True) as reader:
        in_models = mentions_of(reader, subject, (), of_models=True)
        searched = _searched(reader)
    published = [republish_marts(warehouse, place) for place in places]
    elsewhere = [
        told
        for forget in plugins("erasures")
        for told in forget(warehouse, subject.kind, subject.id)
    ]
    return Receipt(
        kind=subject.kind,
        subject=after.hash(subject.kind, subject.id),
        erased_at=at.isoformat(timespec="seconds"),
        warehouse=warehouse.name,
        tables=tables,
        quarantined=plan.quarantined,
        models=models,
        places=[_place_erased(result) for result in published],
        state_files=state_files,
        storage=rewrite(warehouse),
        mentions=[*plan.mentions, *in_models],
        searched=searched,
        not_reached=_not_reached(warehouse, places),
        unpinned=[version for result in published for version in result.unpinned],
        elsewhere=elsewhere,
    ).sealed()


@contextmanager
def _writing(warehouse: Warehouse) -> Iterator[Writer]:
    """A writer within one transaction: all of it is written, or nothing."""
    with Writer(warehouse, run_id="") as writer:
        certificates = {CERTIFICATES: hints_of(TABLES[CERTIFICATES])}  # an older release has others
        writer.ensure_tables({ERASED: hints_of(ERASED_SCHEMA)} | certificates)
        writer.begin()
        try:
            spell_ids(writer.raw)
            yield writer
        except BaseException:
            writer.discard()
            raise
        writer.commit()


def _plan(raw: RawReader, subject: Subject, erased: Erased) -> Erasure:
    """What those who are in the list `erased`, the subject among them, still have."""
    found = cells_of(raw, erased)
    tables = {cells.table: count(raw, cells) for cells in found}
    bodies = raw.rows(f"select count(*) from {raw.name(QUARANTINE)} where {IS_BODY}")
    return Erasure(
        subject,
        found,
        {table: rows for table, rows in tables.items() if rows[0]},
        int(bodies[0][0]) if bodies else 0,
        mentions_of(raw, subject, found, of_models=False),
    )


def _empty(raw: Raw, plan: Erasure) -> Sequence[TableErased]:
    """Raises: NotErased."""
    emptied = [_empty_table(raw, cells, plan) for cells in plan.cells]
    if plan.quarantined:
        raw.execute(f"update {raw.name(QUARANTINE)} set body = null where {IS_BODY}")
    return emptied


def _empty_table(raw: Raw, cells: ErasableCells, plan: Erasure) -> TableErased:
    rows, values = plan.tables.get(cells.table, (0, 0))
    expected = _digest(raw, cells.table, without=cells)
    if rows:
        raw.execute(emptying(raw, cells))
    found = _digest(raw, cells.table)
    if found != expected or count(raw, cells) != (0, 0):
        raise NotErased(
            f"the erasure would have changed other data of {cells.table}, so nothing was erased:"
            " run it again while nothing else writes to the warehouse"
        )
    return TableErased(cells.table, rows, values, expected, found)


def _digest(raw: Raw, table: str, without: ErasableCells | None = None) -> str:
    """A hash of all rows of a table, in any order, as if the cells `without` were null."""
    schema = raw.schema_of(table)
    columns = [_column(raw, each, without) for each in schema]
    sql = f"select {', '.join(columns)} from {raw.name(table)}"
    return hash_all([hash_rows(batch, schema.names) for batch in raw.batches(sql, schema)])


def _column(raw: Raw, column: pa.Field, without: ErasableCells | None) -> str:
    if not without or column.name not in without.conditions:
        return raw.column_as(column.name, column.type)
    left, name = remaining(raw, without, column.name), raw.quoted(column.name)
    return (
        f"cast({left} as varchar) as {name}"
        if pa.types.is_string(column.type)
        else f"{left} as {name}"
    )


def _searched(raw: RawReader) -> Mapping[str, int]:
    """How many columns that can hold text were searched, by schema."""
    found: Counter[str] = Counter()
    for (schema, _), columns in raw.text_columns().items():
        found[schema] += len(columns)
    return dict(found)


def _not_reached(warehouse: Warehouse, places: Sequence[str]) -> Sequence[str]:
    """What is known to be elsewhere, or to stay: places of versions that were not named, and what
    no erasure can know."""
    done = set(map(whole_place, places))
    others = [place for place in noted_places(warehouse) if place not in done and _is_there(place)]
    return [
        *(f"{place}: its versions were not replaced; name it with --published" for place in others),
        *ELSEWHERE,
    ]


def _is_there(place: str) -> bool:
    """Whether a noted place may still have versions; a folder that is gone has none."""
    return "://" in place or ":" in place or Path(place).exists()


def _place_erased(published: Published) -> PlaceErased:
    return PlaceErased(
        published.place,
        published.in_force.version if published.in_force else "",
        len(published.pruned.removed),
        published.pruned.read,
    )


def _added(before: Erased, after: Erased, at: datetime) -> pa.Table:
    """Rows of the list for those who are in `after` and not in `before`."""
    rows = [
        {"kind": kind, "hash": hash_, "salt": after.salt.hex(), "erased_at": at}
        for kind, hashes in after.hashes.items()
        for hash_ in sorted(hashes - before.hashes.get(kind, frozenset()))
    ]
    return pa.Table.from_pylist(rows, schema=ERASED_SCHEMA)


def _remove_state_files(warehouse: Warehouse, subject: Subject) -> int:
    """Remove the files in the state folder that hold a value of the subject; none is needed. The
    copy of a lake, with its models, is left to `rewrite`."""
    removed, left = 0, tuple(map(str, warehouse.port.rewritten))
    for path in sorted(warehouse.state_folder.rglob("*")):
        is_file = path.is_file() and not path.is_symlink()
        if is_file and not str(path).startswith(left) and _names(path, subject):
            path.unlink()
            removed += 1
    return removed


def _names(path: Path, subject: Subject) -> bool:
    content = path.read_bytes().decode("utf-8", "replace")
    return subject.is_named(content) or ("\\u" in content and subject.is_named(_unescaped(content)))


def _unescaped(content: str) -> str:
    """The letters of JSON that it writes as numbers."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), content)


def _has_models(warehouse: Warehouse) -> bool:
    with warehouse.open(is_read_only=True) as raw:
        return raw.has_schema("wholesale_bi")
