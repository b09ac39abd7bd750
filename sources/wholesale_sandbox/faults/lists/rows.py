"""Rows: records of a page that stand there twice, or are older than the list."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec

from wholesale_sandbox.business import Record
from wholesale_sandbox.faults.fault import Case, RowsFault

_record = msgspec.json.Decoder(Record)


def _twice(rows: list[bytes], case: Case) -> list[bytes]:
    if not rows:
        return rows
    place = case.chance.randrange(len(rows))
    return [*rows[:place], rows[place], *rows[place:]]


def _older_beside(rows: list[bytes], case: Case) -> list[bytes]:
    """One record comes again as it was an hour before, ahead of itself or behind."""
    if not rows:
        return rows
    place = case.chance.randrange(len(rows))
    pair = [_older(rows[place]), rows[place]]
    case.chance.shuffle(pair)
    return [*rows[:place], *pair, *rows[place + 1 :]]


def _older(row: bytes) -> bytes:
    record = _record.decode(row)
    for name in ("total", "order_number", "title", "name", "company_name"):
        if name in record:
            record[name] = msgspec.Raw(b'"older"' if name != "total" else b'"0.01"')
            break
    if "updated_at" in record:
        with suppress(msgspec.ValidationError):
            moment = msgspec.json.decode(record["updated_at"], type=datetime)
            former = moment.astimezone(UTC) - timedelta(hours=1)
            record["updated_at"] = msgspec.Raw(msgspec.json.encode(former))
    return msgspec.json.encode(record)


ROWS_FAULTS: tuple[RowsFault, ...] = (
    RowsFault("row-twice", "one record of the page twice", _twice),
    RowsFault(
        "older-beside",
        "one record twice: as it is, and an older version with an older `updated_at`",
        _older_beside,
    ),
    RowsFault(
        "rows-older",
        "the records of the page as they were an hour before, as a replica shows them that lags",
        lambda rows, case: [_older(row) for row in rows],
    ),
)
