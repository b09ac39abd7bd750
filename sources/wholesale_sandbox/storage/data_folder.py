"""Data folder: records to serve as `<resource>.jsonl`, one API record a line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from wholesale_sandbox.contract import RESOURCE

T = TypeVar("T")

# Children that the API lists under their parent: the field of the record that names it.
PARENT_FIELDS = {"variants": "parent_id", "buyer_users": "buyer_id"}


class FolderError(Exception):
    """The folder breaks a rule; the message names file, line and rule."""


class FolderRecord(NamedTuple):
    """`body` is the line as it stands, or without its parent's id where §2 does not show one.

    Every number keeps the literal it came with.
    """

    resource: str
    parent_id: str | None
    id: str
    body: bytes


def read(folder: Path) -> Iterator[FolderRecord]:
    """The records of every file, in the order of their lines; a missing file means none.

    The files are read line by line while the records are taken.

    Raises: FolderError, for the folder itself at once, for a line when it is reached.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder}: no such folder; name one that holds <resource>.jsonl files")
    for file in sorted(folder.glob("*.jsonl")):
        if file.stem not in RESOURCE:
            raise FolderError(f"{file}: no such resource; known are {', '.join(RESOURCE)}")
    return _records(folder)


def without_parent(resource: str, fields: Mapping[str, T]) -> dict[str, T]:
    """The fields without the id of the parent where §2 shows none: it stands in the path only."""
    parent_field = PARENT_FIELDS.get(resource, "")
    is_shown = RESOURCE[resource].field(parent_field) is not None
    return {name: value for name, value in fields.items() if is_shown or name != parent_field}


def _records(folder: Path) -> Iterator[FolderRecord]:
    for resource in RESOURCE:
        path = folder / f"{resource}.jsonl"
        if path.exists():
            yield from _file_records(resource, path)


def _file_records(resource: str, path: Path) -> Iterator[FolderRecord]:
    parent_field = PARENT_FIELDS.get(resource)
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            body = line.strip()
            if not body:
                continue
            try:
                fields = _object(body)
                parent_id = _text(fields, parent_field) if parent_field else None
                served = without_parent(resource, fields)
                if served != fields:
                    body = msgspec.json.encode(served)
                record = FolderRecord(resource, parent_id, _text(fields, "id"), body)
            except FolderError as error:
                raise FolderError(f"{path}, line {number}: {error}") from None
            yield record


_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
_text_decoder = msgspec.json.Decoder(str)


def _object(body: bytes) -> dict[str, msgspec.Raw]:
    try:
        body.decode()  # the decoder does not look into the texts that it skips
        return _decoder.decode(body)
    except msgspec.ValidationError:
        raise FolderError("not a JSON object; a line holds one API record") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FolderError(f"not JSON ({error}); a line holds one API record") from None


def _text(fields: dict[str, msgspec.Raw], name: str) -> str:
    try:
        value = _text_decoder.decode(fields[name])
    except (KeyError, msgspec.ValidationError):
        value = ""
    if not value:
        raise FolderError(f"{name} is missing; it must be a text that is not empty")
    return value
