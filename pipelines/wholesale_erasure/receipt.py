"""Receipt: what was erased, where, and how to verify it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Self

import msgspec
import pyarrow as pa

from wholesale.api import CLASS_OF_FIELD
from wholesale.errors import ConfigurationError, counted
from wholesale.privacy import Erased
from wholesale_elt.process import replace as replace_file
from wholesale_elt.runs import read_erased
from wholesale_elt.warehouse import Raw, Warehouse
from wholesale_erasure.cells import KEYS, cells_of, count
from wholesale_erasure.mentions import Mention
from wholesale_erasure.subject import Subject, SubjectKind


@dataclass(frozen=True, slots=True)
class TableErased:
    """What was erased in one raw table: `cells` in `rows`.

    `expected` is the hash of all rows before, as if these cells were null, and `found` that of all
    rows afterwards: if they are equal, nothing else was changed.
    """

    table: str
    rows: int
    cells: int
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class PlaceErased:
    """A place of published versions: `in_force` is the new one, `removed` counts the old ones that
    were removed, and `read` names those that stay while somebody reads them."""

    place: str
    in_force: str
    removed: int
    read: Sequence[str]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of one erasure; times are UTC.

    `subject` is the salted hash by which syncs recognise the subject. `quarantined` counts bodies
    that were emptied, `state_files` journals and logs that held values and were removed. `storage`
    says what was done to the disk; `mentions` were left. `seal` is the hash of all other fields.
    """

    kind: SubjectKind
    subject: str
    erased_at: str
    warehouse: str
    tables: Sequence[TableErased]
    quarantined: int
    models: str
    places: Sequence[PlaceErased]
    state_files: int
    storage: str
    mentions: Sequence[Mention]
    seal: str = ""

    def sealed(self) -> Self:
        return replace(self, seal=self._hash())

    @property
    def is_genuine(self) -> bool:
        """Whether nothing in it was changed since it was sealed."""
        return self.seal == self._hash()

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(asdict(self), indent=2) + "\n"
        replace_file(path, lambda partial: partial.write_text(text, "utf-8"))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises: ConfigurationError if the file is no receipt."""
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except (OSError, msgspec.DecodeError):
            raise ConfigurationError(f"{path} is no receipt of an erasure: name one") from None

    def _hash(self) -> str:
        fields = {name: value for name, value in asdict(self).items() if name != "seal"}
        return sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def verify(receipt: Receipt, warehouse: Warehouse) -> Sequence[str]:
    """What contradicts the receipt in the warehouse as it is now; empty if the receipt holds.

    Raises: NotLoaded.
    """
    faults = [] if receipt.is_genuine else ["the receipt was changed since it was written"]
    faults += [
        f"other data of {table.table} were changed by the erasure"
        for table in receipt.tables
        if table.expected != table.found
    ]
    faults += [
        f"{place.place} still has version {version}, which somebody read"
        for place in receipt.places
        for version in place.read
    ]
    with warehouse.open(is_read_only=True) as raw:
        erased = read_erased(raw)
        if receipt.subject not in erased.hashes.get(receipt.kind, ()):
            return [
                *faults,
                f"{warehouse.name} does not list the erasure, so a sync may undo it: erase again",
            ]
        return [*faults, *_values_left(raw, receipt, erased), *_contacts_left(raw, erased)]


def _subjects(raw: Raw, receipt: Receipt, erased: Erased) -> Sequence[str]:
    """The ids in the tables whose hash is the subject of the receipt."""
    found = set()
    for (kind, resource), column in KEYS.items():
        if kind == receipt.kind:
            rows = raw.rows(f"select distinct {column} from {raw.name(resource)}")
            found |= {key for (key,) in rows if key and erased.hash(kind, key) == receipt.subject}
    return sorted(found)


def _values_left(raw: Raw, receipt: Receipt, erased: Erased) -> Sequence[str]:
    """A fault for each table that has values of the subject."""
    found = [
        (cells.table, count(raw, cells)[0])
        for key in _subjects(raw, receipt, erased)
        for cells in cells_of(raw, Subject(receipt.kind, key, None))
    ]
    return [
        f"{table} has values of the subject in {counted(rows, 'row')}"
        for table, rows in found
        if rows
    ]


def _contacts_left(raw: Raw, erased: Erased) -> Sequence[str]:
    """A fault for each column that has a contact of anybody who was erased."""
    contacts = [
        (table, name)
        for table, fields in CLASS_OF_FIELD.items()
        for name in sorted(raw.column_names(table))
        if fields.get(name) == "contact"
    ]
    return [
        f"{table}.{name} holds an address of somebody who was erased"
        for table, name in contacts
        if erased.find("contact", _values(raw, table, name)) is not None
    ]


def _values(raw: Raw, table: str, column: str) -> pa.ChunkedArray:
    """The different values of a column of texts."""
    rows = raw.rows(f"select distinct {raw.quoted(column)} from {raw.name(table)}")
    return pa.chunked_array([pa.array([value for (value,) in rows], pa.string())])
