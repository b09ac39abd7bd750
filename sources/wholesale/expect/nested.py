"""Nested: records that stand inside others of their kind, as the branches of a tree do.

A list that shows such a tree has the roots alone; the description shows flat lists (§4.12).
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow.compute as pc

from wholesale.api import plain_id
from wholesale.tables import Decoded

PARENT = "parent_id"


def nested_ids(decoded: Decoded) -> Iterator[tuple[str, str]]:
    """The ids of records inside others, and in which column (`categories.children`) of the root.

    Objects of a list are records of its kind if they have such a list themselves, or name the
    record that they stand in as their parent.
    """
    shape, root = decoded.shape, decoded.root
    for mapping in shape.mappings:
        if mapping.type != "json" or mapping.section:
            continue
        names = "|".join((*mapping.fields, PARENT))
        is_meant = pc.match_substring_regex(root[mapping.column], rf'^\[\{{.*"({names})":')
        rows = root.filter(pc.fill_null(is_meant, False)).select(["id", mapping.column])
        for key, text in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            for found in _within(key, json.loads(text), mapping.fields):
                yield found, f"{shape.table}.{mapping.column}"


def _within(key: str, entries: Any, names: tuple[str, ...]) -> Iterator[str]:
    """The ids of the records in this list of the record `key`, and in lists of theirs."""
    of_kind = [entry for entry in entries if isinstance(entry, dict) and "id" in entry]
    if not any(
        entry.keys() & set(names) or plain_id(str(entry.get(PARENT))) == key for entry in of_kind
    ):
        return
    for entry in of_kind:
        yield (inner := plain_id(str(entry["id"])))
        for name in names:
            if isinstance(entry.get(name), list):
                yield from _within(inner, entry[name], names)
