"""Fast decoder: many pages at once, column by column, by Arrow's JSON reader.

It takes what is normal for this API and raises NotFast for anything else. With an explicit schema
Arrow's reader is exact for decimals, whether they come as numbers or as text.
"""

import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from wholesale.tables.decoded import Decoded
from wholesale.tables.ids import with_plain_guids
from wholesale.tables.lines import Lines
from wholesale.tables.numbers import may_misread
from wholesale.tables.shapes import INSTANT, TableShape
from wholesale.tables.values import LONGEST_ID

USUAL_ID = "^[!-~]+$"
OFFSET = "[T ].*(Z|[+-][0-9:]+)$"
"""What a time with an offset has; a date ends with a sign and digits, too."""
CONTROL_CHARACTER = r"[\x00-\x1f]"
EARLIEST = -62_135_596_800_000_000  # microseconds: 0001-01-01
LATEST = 253_402_300_799_999_999  # the end of 9999
RECORD_BYTES = 2**14
"""How much of the first record is read to learn the order of its fields; most are shorter."""


class NotFast(Exception):
    """These pages hold something that only the careful decoder can take."""


def decode_fast(pages: Lines, shape: TableShape) -> Decoded:
    """The tables of all pages together, in the order given; no quarantine, no misfits.

    Each page must be one well-formed JSON array: Arrow crashes on some that are not.

    Raises: NotFast when any page holds what it cannot take.
    """
    try:
        lists = _read(pages, shape)
        records = lists.flatten()
        local_times = set[str]()
        root = _root(records, shape, local_times)
        if shape.parent_column:
            root = _fill_parent(root, shape.parent_column, lists, pages.parents)
        tables = {shape.table: root}
        owners, carried = {}, {}
        for child in shape.children:
            tables[child.table], owners[child.table] = _child(
                records, root["id"], child, local_times
            )
            carried[child.table] = records.field(child.field).is_valid()
        for table in tables.values():
            table.validate(full=True)  # text is UTF-8, decimals have room for their digits
    except pa.ArrowInvalid as refusal:
        raise NotFast(str(refusal)[:200]) from None
    return Decoded(
        tables,
        owners,
        carried,
        shape,
        len(records),
        local_times=frozenset(local_times),
        written=_written(records.field("id"), root["id"]),
    )


def _written(sent: pa.Array, ids: pa.ChunkedArray) -> dict[str, str]:
    """The ids that are not sent as they are stored, by how they are stored."""
    is_other = pc.not_equal(ids, sent)
    if not pc.any(is_other, min_count=0).as_py():
        return {}
    return dict(zip(*(texts.filter(is_other).to_pylist() for texts in (ids, sent)), strict=True))


def _read(pages: Lines, shape: TableShape) -> pa.ListArray:
    """One list of records a page."""
    if may_misread(pages.text, shape.decimals):
        raise NotFast("a text holds NUL, or a number may be misread")
    table = pj.read_json(
        pa.BufferReader(pages.text),
        read_options=pj.ReadOptions(use_threads=False, block_size=len(pages.text) + 1),
        parse_options=pj.ParseOptions(
            explicit_schema=pa.schema([pa.field("data", pa.list_(_as_sent(shape, pages)))]),
            unexpected_field_behavior="error",
        ),
    )
    lists = table["data"].combine_chunks()
    return lists if isinstance(lists, pa.ListArray) else lists.chunk(0)


def _as_sent(shape: TableShape, pages: Lines) -> pa.StructType:
    """The type of a record, its fields in the order of the first record: Arrow has to search for
    each field that comes at another place."""
    text = pages.opening(RECORD_BYTES).decode("utf-8", "replace")
    try:
        first, _ = json.JSONDecoder().raw_decode(text, text.find("{"))
    except (ValueError, RecursionError):  # a longer record, or none
        return shape.sent_type
    places = {name: place for place, name in enumerate(first)}
    return pa.struct(sorted(shape.sent_type, key=lambda f: places.get(f.name, len(places))))


def _root(records: pa.StructArray, shape: TableShape, local_times: set[str]) -> pa.Table:
    if records.null_count:
        raise NotFast("a record is null")
    ids = records.field("id")
    if ids.null_count or not pc.all(pc.match_substring_regex(ids, USUAL_ID), min_count=0).as_py():
        raise NotFast("an id is missing or unusual")
    if (pc.max(pc.binary_length(ids)).as_py() or 0) > LONGEST_ID:
        raise NotFast("an id is too long")
    none = [pa.nulls(len(records), type_) for type_ in (pa.string(), INSTANT)]
    return pa.table([*_payload(records, shape, local_times), *none], schema=shape.schema)


def _child(
    records: pa.StructArray, ids: pa.ChunkedArray, shape: TableShape, local_times: set[str]
) -> tuple[pa.Table, pa.Array]:
    """The rows of a child table, and the row of the root that owns each."""
    lists = records.field(shape.field)
    entries = lists.flatten()
    if entries.null_count:
        raise NotFast("an entry is null")
    owners = pc.list_parent_indices(lists)
    parents = pc.take(ids, owners)
    named = with_plain_guids(entries.field(shape.parent_key))
    if not pc.all(pc.equal(named, parents), min_count=0).as_py():
        raise NotFast("an entry names another record than the one that it came in")
    columns = [
        parents,
        _numbers(lists, owners),
        *_payload(entries, shape, local_times),
        pa.nulls(len(owners), pa.string()),
    ]
    return pa.table(columns, schema=shape.schema), owners


def _numbers(lists: pa.ListArray, owners: pa.Array) -> pa.Array:
    """The place of each entry in its list, from 1."""
    running = pc.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), len(owners)))
    before = pc.subtract(pc.take(lists.offsets, owners), lists.offsets[0])
    return pc.subtract(running, before.cast(pa.int64()))


def _payload(entries: pa.StructArray, shape: TableShape, local_times: set[str]) -> list[pa.Array]:
    """The columns of the fields; `local_times` gets those of which a time has no offset."""
    columns = []
    # `flatten` and not `field`: an entry that is null has no values either.
    values = dict(zip((f.name for f in entries.type), entries.flatten(), strict=True))
    for mapping in shape.mappings:
        column = _coalesced([values[name] for name in mapping.fields])
        if mapping.type == "texts":
            column = _texts(column)
        elif mapping.is_of_ids:
            column = with_plain_guids(column)
        elif mapping.type == "json":
            column = pa.nulls(len(column), pa.string())
        elif mapping.type == "timestamp":
            column, has_local = _instants(column, shape.zone)
            if has_local:
                local_times.add(f"{shape.table}.{mapping.column}")
            _check_years(column)
        columns.append(column)
    return columns


def _coalesced(columns: Sequence[pa.Array]) -> pa.Array:
    """One column of a field that some records spell otherwise (`salesChannel`, `sales_channel`)."""
    first, *others = columns
    if others and pa.types.is_nested(first.type):
        raise NotFast("a list comes in different styles")
    for other in others:
        if pc.any(pc.and_(pc.is_valid(first), pc.is_valid(other)), min_count=0).as_py():
            raise NotFast("a field comes twice in different styles")
        first = pc.coalesce(first, other)
    return first


def _texts(lists: pa.ListArray) -> pa.Array:
    """Each list of texts as the JSON text of an array."""
    texts = lists.flatten()
    if texts.null_count or pc.any(pc.match_substring_regex(texts, CONTROL_CHARACTER)).as_py():
        raise NotFast("a list of texts holds null or a control character")
    escaped = pc.replace_substring(pc.replace_substring(texts, "\\", "\\\\"), '"', '\\"')
    quoted = pc.binary_join_element_wise('"', escaped, '"', "")
    offsets = pc.subtract(lists.offsets, lists.offsets[0])
    joined = pc.binary_join(pa.ListArray.from_arrays(offsets, quoted), ",")
    wrapped = pc.binary_join_element_wise("[", joined, "]", "")
    return pc.if_else(pc.is_valid(lists), wrapped, pa.scalar(None, pa.string()))


def _instants(times: pa.Array, zone: str) -> tuple[pa.Array, bool]:
    """The times as UTC, and whether some came without an offset, which are in that zone.

    Raises: pa.ArrowInvalid for one that the zone skips, or that is none.
    """
    try:
        return times.cast(INSTANT), False
    except pa.ArrowInvalid:
        has_offset, none = pc.match_substring_regex(times, OFFSET), pa.scalar(None, pa.string())
    local = pc.if_else(has_offset, none, times).cast(pa.timestamp("us"))
    moments = pc.assume_timezone(local, zone, ambiguous="earliest").cast(INSTANT)
    return pc.coalesce(moments, pc.if_else(has_offset, times, none).cast(INSTANT)), True


def _check_years(column: pa.Array) -> None:
    """Refuse times that their offset moves out of the years 1 to 9999."""
    ends = pc.min_max(column.cast(pa.int64()))
    if ends["min"].is_valid and (ends["min"].as_py() < EARLIEST or ends["max"].as_py() > LATEST):
        raise NotFast("a time is out of range")


def _fill_parent(
    root: pa.Table, column: str, lists: pa.ListArray, parents: Sequence[str | None]
) -> pa.Table:
    found_in = pc.take(pa.array(parents, pa.string()), pc.list_parent_indices(lists))
    index = root.schema.get_field_index(column)
    filled = pc.coalesce(root[column], found_in)
    return root.set_column(index, root.schema.field(index), filled)
