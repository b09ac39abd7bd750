"""Masking: removes from the tables of a batch what may not be stored."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from wholesale.api import PersonalClass, class_of
from wholesale.names import DELETED_AT, EXTRA
from wholesale.privacy.erased import NOBODY, Erased
from wholesale.privacy.policy import KEEP_ALL, Policy, Treatment
from wholesale.tables import Decoded, Quarantined, TableShape, one_chunk

OF_A_PERSON_ALONE: frozenset[PersonalClass] = frozenset(
    {
        *("name", "contact", "address", "locality"),
        *("payment", "free_text", "reference", "undocumented"),
    }
)
"""Classes of fields in an order with data of the person who placed it, not of the company."""
OF_A_BUYER: frozenset[PersonalClass] = OF_A_PERSON_ALONE | {"company", "tax_number"}
WITH_BUYERS = frozenset({"buyers", "buyer_users", "orders"})
"""Resources whose records have data of buyers and their people."""


def is_maskable(shape: TableShape, column: str) -> bool:
    """Whether a column is one of the service's own, and no key."""
    return column not in (EXTRA, DELETED_AT, "id", shape.parent_key, shape.number)


def class_in(shape: TableShape, column: str) -> PersonalClass | None:
    """The class of what a column may have of a person; `_extra` may have anything."""
    if column == EXTRA:
        return "undocumented"
    return class_of(shape.table, column) if is_maskable(shape, column) else None


@dataclass(frozen=True, slots=True)
class Masking:
    """Applies a privacy policy, and the erasures of a warehouse, to tables."""

    policy: Policy = KEEP_ALL
    erased: Erased = NOBODY

    def mask(self, decoded: Decoded) -> Decoded:
        """The tables, with only what may be stored.

        Erased values are looked for before and after hashing: they may have been noted as values or
        as hashes.
        """
        decoded = self.mask_erased(decoded)
        if self.policy.keeps_all:
            return decoded
        tables = {
            shape.table: self._mask_table(decoded.tables[shape.table], shape)
            for shape in decoded.shape.tables
        }
        return self.mask_erased(replace(decoded, tables=tables))

    def keeps(self, table: str, column: str) -> bool:
        """Whether every record keeps its value of a column."""
        is_kept = self.policy.treatment(table, column) == "keep"
        return is_kept and not (self.erased and class_of(table, column))

    def mask_erased(self, decoded: Decoded) -> Decoded:
        """The tables without personal data of those who were erased; keys stay."""
        if not self.erased:
            return decoded
        tables = dict(decoded.tables)
        buyers = None
        if decoded.shape.table in WITH_BUYERS:
            buyers = decoded.root["id" if decoded.shape.table == "buyers" else "buyer_id"]
            for classes, is_erased in self._erased_rows(decoded.root, decoded.shape.table):
                for shape in decoded.shape.tables:
                    rows = _of_each_row(is_erased, decoded, shape)
                    tables[shape.table] = _without(tables[shape.table], shape, classes, rows)
        for shape in decoded.shape.tables:
            of_row = None if buyers is None else _of_each_row(buyers, decoded, shape)
            tables[shape.table] = self._without_values(tables[shape.table], shape, of_row)
        return replace(decoded, tables=tables)

    def mask_bodies(
        self, quarantined: Sequence[Quarantined], resource: str
    ) -> Sequence[Quarantined]:
        """Records in quarantine, with what may be stored of their bodies.

        They have no id, so if anybody was erased, no body that may tell of a buyer is stored, and
        of others none that has an erased contact.
        """
        treatment = self.policy.of_bodies
        if self.erased and resource in WITH_BUYERS:
            treatment = "drop"
        bodies = pa.array([record.body for record in quarantined], pa.string())
        if erased := self.erased.naming(bodies):
            quarantined = [
                replace(record, body=None) if record.body in erased else record
                for record in quarantined
            ]
        if treatment == "keep":
            return quarantined
        hash_ = self.policy.hash if treatment == "hash" else None
        return [
            replace(record, body=json.dumps(hash_(record.body)) if hash_ and record.body else None)
            for record in quarantined
        ]

    def _mask_table(self, table: pa.Table, shape: TableShape) -> pa.Table:
        for index, field in enumerate(table.schema):
            column = table.column(index)
            if column.null_count == len(column):
                continue
            if field.name == EXTRA:
                masked = pa.array(map(self._extra_of(shape), column.to_pylist()), pa.string())
            elif is_maskable(shape, field.name):
                treatment = self.policy.treatment(shape.table, field.name)
                if treatment == "keep":
                    continue
                masked = self._masked(column, treatment, field.name in shape.json_columns)
            else:
                continue
            table = table.set_column(index, field, pa.chunked_array([masked], field.type))
        return table

    def _masked(self, column: pa.ChunkedArray, treatment: Treatment, is_json: bool) -> pa.Array:
        """A column dropped or hashed; numbers and times, which cannot hold a hash, are dropped."""
        if treatment == "drop" or not pa.types.is_string(column.type):
            return pa.nulls(len(column), column.type)
        coded = one_chunk(column).dictionary_encode()
        hashes = map(self.policy.hash, coded.dictionary.to_pylist())
        texts = map(json.dumps, hashes) if is_json else hashes
        return pc.take(pa.array(texts, pa.string()), coded.indices)

    def _extra_of(self, shape: TableShape) -> Callable[[str | None], str | None]:
        """The function that masks the text of a row's `_extra`."""

        def mask(text: str | None) -> str | None:
            left = {}
            for name, value in json.loads(text or "{}").items():
                treatment = self.policy.treatment_in_extra(shape.table, name)
                if treatment != "drop":
                    left[name] = value if treatment == "keep" else self.policy.hash(value)
            return json.dumps(left, ensure_ascii=False, separators=(",", ":")) if left else None

        return mask

    def _erased_rows(
        self, root: pa.Table, resource: str
    ) -> Sequence[tuple[frozenset[PersonalClass], pa.Array]]:
        """The rows with data of somebody erased, and the classes of fields to empty in them."""
        buyer, person = ("id", None) if resource == "buyers" else ("buyer_id", "buyer_user_id")
        if resource == "buyer_users":
            person = "id"
        found = []
        if (rows := self.erased.find("buyer", root[buyer])) is not None:
            found.append((OF_A_BUYER, rows))
        if person and (rows := self.erased.find("person", root[person])) is not None:
            found.append((OF_A_PERSON_ALONE, rows))
        return found

    def _without_values(
        self, table: pa.Table, shape: TableShape, buyers: pa.ChunkedArray | None = None
    ) -> pa.Table:
        """The table without erased contacts, and without erased names in rows of their buyer."""
        for index, field in enumerate(table.schema):
            class_, column = class_in(shape, field.name), table.column(index)
            found = []
            if class_ == "contact":
                found.append(self.erased.find("contact", column))
            elif class_:
                found.append(self.erased.find_naming(column))
            if class_ == "name" and buyers is not None:
                found.append(self.erased.find_name(buyers, column))
            for rows in found:
                if rows is not None:
                    column = _emptied(column, rows)
                    table = table.set_column(index, field, column)
        return table


STORE_ALL = Masking()
"""The masking without a policy and without erasures."""


def _of_each_row(
    of_records: pa.Array | pa.ChunkedArray, decoded: Decoded, shape: TableShape
) -> pa.Array | pa.ChunkedArray:
    """What belongs to each record, for each row of one of its tables."""
    return of_records if shape.is_root else pc.take(of_records, decoded.owners[shape.table])


def _without(
    table: pa.Table, shape: TableShape, classes: frozenset[PersonalClass], rows: pa.Array
) -> pa.Table:
    for index, field in enumerate(table.schema):
        if class_in(shape, field.name) in classes:
            table = table.set_column(index, field, _emptied(table.column(index), rows))
    return table


def _emptied(column: pa.ChunkedArray, rows: pa.Array) -> pa.ChunkedArray:
    none = pa.scalar(None, column.type)
    return pa.chunked_array([pc.if_else(pc.fill_null(rows, False), none, one_chunk(column))])
