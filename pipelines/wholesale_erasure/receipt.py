"""Receipt: what was erased, where, and how to verify it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Self

import msgspec
import pyarrow as pa

from wholesale.api import CLASS_OF_FIELD, PersonalClass, class_of
from wholesale.errors import ConfigurationError, counted
from wholesale.privacy import OF_A_BUYER, OF_A_PERSON_ALONE, SEPARATOR, Erased
from wholesale_elt.load import cells_of, count
from wholesale_elt.past import record_table_of
from wholesale_elt.process import replace as replace_file
from wholesale_elt.runs import read_erased
from wholesale_elt.warehouse import RAW_DATASET, RawReader, Warehouse
from wholesale_erasure.mentions import FOREIGN, MODELS, Mention
from wholesale_erasure.subject import SubjectKind

LATER = ("searched", "not_reached", "unpinned", "elsewhere")
"""Fields that receipts of earlier releases lack."""
LONGEST = 320
"""Characters of a text in which contacts are looked for: the longest address has 254 (RFC 5321)."""
PERSONAL_OF: Mapping[SubjectKind, frozenset[PersonalClass]] = {
    "buyer": OF_A_BUYER - {"undocumented"},
    "person": OF_A_PERSON_ALONE - {"undocumented"},
}
"""The classes of fields that tell of each, where nobody knows what else a table has."""
VALUES = pa.schema([pa.field("value", pa.string())])


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
    says what was done to the disk; `mentions` were left. `searched` counts the columns that were
    searched, by schema; `not_reached` says what is known to be elsewhere, and `elsewhere` what
    plug-ins did there, or could not; `unpinned` are versions that were pinned, and were removed
    nevertheless; earlier releases noted none of these. `seal` is the hash of all other fields.
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
    searched: Mapping[str, int] = field(default_factory=dict)
    not_reached: Sequence[str] = ()
    unpinned: Sequence[str] = ()
    elsewhere: Sequence[str] = ()
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
        fields = {
            name: value
            for name, value in asdict(self).items()
            if name != "seal" and (value or name not in LATER)
        }
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
        return [
            *faults,
            *_values_left(raw, erased),
            *_contacts_left(raw, erased, receipt),
            *_copies_left(raw, erased),
        ]


def _values_left(raw: RawReader, erased: Erased) -> Sequence[str]:
    """A fault for each raw table that has a field, contact or name of somebody erased."""
    found = [(cells.table, count(raw, cells)[0]) for cells in cells_of(raw, erased)]
    return [
        f"{table} has values of somebody who was erased in {counted(rows, 'row')}"
        for table, rows in found
        if rows
    ]


def _contacts_left(raw: RawReader, erased: Erased, receipt: Receipt) -> Sequence[str]:
    """A fault for each other column, of any table of the database, that has a contact of anybody
    who was erased, but for those of which the receipt says that they stay. Of tables that no sync
    and no build writes, for one that has a name of theirs, too."""
    told = {(each.table, each.column) for each in receipt.mentions if each.why != FOREIGN}
    buyers, faults = _buyers_of(raw, erased), []
    for (schema, table), columns in raw.text_columns().items():
        is_raw, is_foreign = schema == RAW_DATASET, schema not in (RAW_DATASET, *MODELS)
        name = table if is_raw else f"{schema}.{table}"
        for column in columns:
            record_table = record_table_of(table) if is_raw else ""
            is_searched = record_table in CLASS_OF_FIELD and class_of(record_table, column)
            if is_searched or (name, column) in told:
                continue
            text = f"cast({raw.quoted(column)} as varchar)"
            is_short = f"length({text}) <= {LONGEST}"
            values = [*_values(raw, f"{text} as value", schema, table, is_short)]
            names = (f"{buyer}{SEPARATOR}{value}" for buyer in buyers for value in values)
            is_named = bool(erased.naming(pa.array(values, pa.string())))
            if is_named or (is_foreign and erased.among("name", names)):
                faults.append(f"{name}.{column} holds a contact or name of somebody who was erased")
    return faults


def _buyers_of(raw: RawReader, erased: Erased) -> Sequence[str]:
    """The ids of buyers that were erased, or of which people were."""
    users = raw.rows(f"select id, buyer_id from {raw.name('buyer_users')}")
    buyers = {buyer for _, buyer in users} | {
        key for (key,) in raw.rows(f"select id from {raw.name('buyers')}")
    }
    persons = set(erased.among("person", (key for key, _ in users)))
    return sorted(
        {*erased.among("buyer", buyers), *(buyer for key, buyer in users if key in persons)}
    )


def _copies_left(raw: RawReader, erased: Erased) -> Sequence[str]:
    """A fault for each table elsewhere that has our columns, with a field of somebody erased."""
    return [
        f"{schema}.{table} has values of somebody who was erased: empty or drop it"
        for (schema, table), columns in raw.text_columns().items()
        if schema not in (RAW_DATASET, *MODELS) and _is_copied(raw, erased, schema, table, columns)
    ]


def _is_copied(
    raw: RawReader, erased: Erased, schema: str, table: str, columns: Sequence[str]
) -> bool:
    kinds: Mapping[SubjectKind, tuple[str, str]] = {
        "buyer": ("buyer_id", "company_name"),
        "person": ("buyer_user_id", "full_name"),
    }
    for kind, (key, only_theirs) in kinds.items():
        personal = [name for name in columns if class_of("", name) in PERSONAL_OF[kind]]
        keys = [name for name in (key, "id" if only_theirs in columns else key) if name in columns]
        if not personal or not keys:
            continue
        is_filled = " or ".join(f"{raw.quoted(name)} is not null" for name in personal)
        for name in dict.fromkeys(keys):
            quoted_key = f"cast({raw.quoted(name)} as varchar) as value"
            if erased.among(kind, _values(raw, quoted_key, schema, table, is_filled)):
                return True
    return False


def _values(
    raw: RawReader, value: str, schema: str, table: str, condition: str
) -> Iterator[str | None]:
    """The different values of a table, whatever its schema."""
    place = f"{raw.quoted(schema)}.{raw.quoted(table)}"
    query = f"select distinct {value} from {place} where {condition}"
    for batch in raw.batches(query, VALUES):
        yield from batch["value"].to_pylist()
