"""Erasing: removes a subject from tables, models, versions, state and disk, in this order.

One transaction empties the cells of the raw tables and adds the subject to the list of those whom
every later sync keeps out. All that follows is derived from these tables and can be repeated: after
a kill, the same command continues.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from wholesale.api import RESOURCE
from wholesale.dlt_hints import hints_of
from wholesale.errors import ConfigurationError, WholesaleError
from wholesale.privacy import Erased
from wholesale.tables import QUARANTINE
from wholesale_elt.causes import remove_left
from wholesale_elt.load import Writer
from wholesale_elt.models import build_models
from wholesale_elt.publish import Published, is_published, republish_marts
from wholesale_elt.runs import ERASED, ERASED_SCHEMA, TABLES, forget_digests, read_erased
from wholesale_elt.warehouse import CERTIFICATES, Raw, Warehouse, rehearse, rewrite
from wholesale_erasure.cells import IS_BODY, ErasableCells, cells_of, count, digest, emptying
from wholesale_erasure.mentions import Mention, mentions_of
from wholesale_erasure.receipt import PlaceErased, Receipt, TableErased
from wholesale_erasure.subject import Subject, find_subject


class NotErased(WholesaleError):
    """The erasure would have changed other data too; nothing was erased."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure empties: rows and cells by table, and bodies in quarantine; and the mentions
    that it leaves."""

    subject: Subject
    tables: Mapping[str, tuple[int, int]]
    quarantined: int
    mentions: Sequence[Mention]


def plan_erasure(warehouse: Warehouse, key: str) -> Erasure:
    """What the erasure of a buyer or buyer user would empty in the raw tables; writes nothing.

    Raises: UnknownSubject, NotLoaded.
    """
    with warehouse.open(is_read_only=True) as raw:
        return _plan(raw, find_subject(raw, key))


def erase(warehouse: Warehouse, key: str, places: Sequence[str] = ()) -> Receipt:
    """Erase a buyer with all its people, or one person, by their id; safe to repeat.

    Their records and orders stay, with keys, times, states and amounts. If there are models, they
    are built anew. In each of `places`, one new version replaces all that are published there.

    Raises: UnknownSubject, NotLoaded; ConfigurationError for a place without versions;
    AlreadyRunning; NotErased; what `rehearse` raises; and, after the raw tables were emptied, what
    building and publishing raise.
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
        plan = _plan(raw, subject)
        tables = _empty(raw, subject, plan)
        for resource in RESOURCE:
            forget_digests(raw, resource)
        writer.insert(ERASED, _added(before, after, at))
    remove_left(warehouse, even_if_used=True)
    state_files = _remove_state_files(warehouse, subject)
    models = "there were none"
    if _has_models(warehouse):
        built = build_models(warehouse, is_full=True)
        models = f"{built.models} were built anew"
    published = [republish_marts(warehouse, place) for place in places]
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
        mentions=plan.mentions,
    ).sealed()


@contextmanager
def _writing(warehouse: Warehouse) -> Iterator[Writer]:
    """A writer within one transaction: all of it is written, or nothing."""
    with Writer(warehouse, run_id="") as writer:
        certificates = {CERTIFICATES: hints_of(TABLES[CERTIFICATES])}  # an older release has others
        writer.ensure_tables({ERASED: hints_of(ERASED_SCHEMA)} | certificates)
        writer.begin()
        try:
            yield writer
        except BaseException:
            writer.discard()
            raise
        writer.commit()


def _plan(raw: Raw, subject: Subject) -> Erasure:
    tables = {cells.table: count(raw, cells) for cells in cells_of(raw, subject)}
    bodies = raw.rows(f"select count(*) from {raw.name(QUARANTINE)} where {IS_BODY}")
    return Erasure(
        subject,
        {table: found for table, found in tables.items() if found[0]},
        int(bodies[0][0]) if bodies else 0,
        mentions_of(raw, subject),
    )


def _empty(raw: Raw, subject: Subject, plan: Erasure) -> Sequence[TableErased]:
    """Raises: NotErased."""
    emptied = [_empty_table(raw, cells, plan) for cells in cells_of(raw, subject)]
    if plan.quarantined:
        raw.execute(f"update {raw.name(QUARANTINE)} set body = null where {IS_BODY}")
    return emptied


def _empty_table(raw: Raw, cells: ErasableCells, plan: Erasure) -> TableErased:
    rows, values = plan.tables.get(cells.table, (0, 0))
    expected = digest(raw, cells.table, without=cells)
    if rows:
        raw.execute(emptying(raw, cells))
    found = digest(raw, cells.table)
    if found != expected or count(raw, cells) != (0, 0):
        raise NotErased(
            f"the erasure would have changed other data of {cells.table}, so nothing was erased:"
            " run it again while nothing else writes to the warehouse"
        )
    return TableErased(cells.table, rows, values, expected, found)


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
    texts = [text.encode() for text in subject.texts]
    removed, left = 0, tuple(map(str, warehouse.port.rewritten))
    for path in sorted(warehouse.state_folder.rglob("*")):
        is_file = path.is_file() and not path.is_symlink()
        if is_file and not str(path).startswith(left) and _holds(path, texts):
            path.unlink()
            removed += 1
    return removed


def _holds(path: Path, texts: Sequence[bytes]) -> bool:
    content = path.read_bytes()
    return any(text in content for text in texts)


def _has_models(warehouse: Warehouse) -> bool:
    with warehouse.open(is_read_only=True) as raw:
        return raw.has_schema("wholesale_bi")
