"""Rewriting: takes values out of batches that are not acknowledged, for a policy or an erasure.

Amounts, keys and states stay. A batch gets another hash by it, so all later ones are noted anew;
each says what it replaces. The state is told what the receiver now has: what was taken out is
therefore not handed over once more.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from wholesale_books.handover.batches import (
    NUMBER_IN_ORDER,
    ORDERS,
    TABLES,
    WITHOUT_CONTENT,
    BatchManifest,
    Content,
    digests,
    literal,
    parquet_of,
    quoted,
    state,
    write_files,
)
from wholesale_books.handover.receiver import CONTENT, Batch, Receiver
from wholesale_elt.process import budget
from wholesale_elt.publish import Manifest, describe_file

Emptied = Callable[[str, Mapping[str, str]], Mapping[str, str]]
"""SQL conditions, by column, under which a value of a part of an order is taken out; `held` is what
else is known of the row."""


def heed_policy(receiver: Receiver, version: Manifest) -> Sequence[int]:
    """Take out of what may still be delivered the columns that the version in force, by its policy,
    does not have; the numbers of the batches that had any."""
    allowed = {
        f"{part}.{column}"
        for part, table in TABLES.items()
        for known, _, column in (name.partition(".") for name in version.personal)
        if known == table
    }
    if not any(set(batch.manifest.personal) - allowed for batch in receiver.batches()):
        return []
    acknowledged = receiver.acknowledged()
    kept = [batch for batch in receiver.batches() if batch.number <= acknowledged]
    if any(set(batch.manifest.personal) - allowed for batch in kept if batch.is_whole()):
        receiver.forget_acknowledged()

    def emptied(part: str, columns: Mapping[str, str]) -> Mapping[str, str]:
        return {name: "true" for name in columns if f"{part}.{name}" in refused}

    refused = {name for each in receiver.batches() for name in each.manifest.personal} - allowed
    with budget.open_within() as connection:
        connection.execute("set timezone = 'UTC'; set threads = 1")
        return take_out(receiver, connection, emptied, {}, "policy", allowed)


def take_out(
    receiver: Receiver,
    connection: duckdb.DuckDBPyConnection,
    emptied: Emptied,
    held: Mapping[str, str],
    why: str,
    allowed: Set[str] | None = None,
) -> Sequence[int]:
    """Rewrite each batch that is not acknowledged and has such a value; their numbers. `held` are
    what is joined to the parts of an order as `held`; `allowed` are the columns that can
    identify a person that stay."""
    rewritten = []
    for batch in receiver.open_batches():
        with TemporaryDirectory(dir=receiver.folder, prefix=".rewriting") as folder:
            if changed := _without(connection, batch, emptied, held, Path(folder)):
                manifest = batch.manifest
                personal = [
                    name for name in manifest.personal if allowed is None or name in allowed
                ]
                files = [describe_file(Path(folder), file) for file in changed]
                manifest = manifest.replaced(why, files=files, personal=personal)
                receiver.rewrite(batch, manifest, Path(folder) / CONTENT, *changed)
                rewritten.append(batch.number)
    if rewritten:
        receiver.mend_chain()
    if any(batch.manifest.rewritten for batch in receiver.open_batches()):
        _correct_state(receiver, connection)
    return rewritten


def _without(
    connection: duckdb.DuckDBPyConnection,
    batch: Batch,
    emptied: Emptied,
    held: Mapping[str, str],
    folder: Path,
) -> Sequence[Path]:
    """The files of a batch without those values, in a folder; none if it has no such value."""
    content, schema = folder / CONTENT, batch.manifest.schema
    content.mkdir()
    has_any = False
    for part in TABLES:
        conditions = emptied(part, schema[part])
        source = f"read_parquet({literal(parquet_of(batch.content, part))}) as ours"
        if part in held:
            source += f" left join {held[part]}"
        if conditions:
            filled = " or ".join(
                f"(ours.{quoted(name)} is not null and {condition})"
                for name, condition in conditions.items()
            )
            found = connection.execute(f"select bool_or({filled}) from {source}").fetchall()
            has_any = has_any or bool(found[0][0])
        replaced = ", ".join(
            f"case when not ({condition}) then ours.{quoted(name)} end as {quoted(name)}"
            for name, condition in conditions.items()
        )
        columns = f"ours.* replace ({replaced})" if replaced else "ours.*"
        order = "position" if part == ORDERS else f"position, {NUMBER_IN_ORDER[part]}"
        connection.execute(
            f"copy (select {columns} from {source} order by {order})"
            f" to {literal(parquet_of(content, part))} (format parquet, compression zstd)"
        )
    if not has_any:
        return []
    return write_files(connection, content, folder, schema, batch.manifest.format)


def _correct_state(receiver: Receiver, connection: duckdb.DuckDBPyConnection) -> None:
    """Note in the state the digests of what the batches now have."""
    file = receiver.state_file
    assert file
    found = " union all ".join(_digests(batch) for batch in receiver.open_batches())
    listed = ", ".join(
        f"coalesce(corrected.{name}, before.{name}) as {name}"
        if name in ("whole", "plain")
        else f"before.{name}"
        for name in state.COLUMNS
    )
    rows = (
        f"select {listed} from {state.relation(file)} as before left join ({found}) as corrected"
        " on before.order_id = corrected.order_id and before.number = corrected.number"
    )
    about = state.read_about(file)
    receiver.replace_state(lambda path: state.write(connection, rows, about, path))


def _digests(batch: Batch) -> str:
    manifest: BatchManifest = batch.manifest
    orders = f"read_parquet({literal(parquet_of(batch.content, ORDERS))})"
    relations = {
        part: f"(select * from read_parquet({literal(parquet_of(batch.content, part))}))"
        for part in TABLES
    } | {ORDERS: f"(select * from {orders} where not ({WITHOUT_CONTENT}))"}
    content = Content(manifest.schema, frozenset(manifest.personal))
    whole = digests(relations, content.columns, "whole")
    plain = digests(relations, content.plain(), "plain")
    return (
        f"select order_id, {manifest.number} as number, whole, plain"
        f" from ({whole}) join ({plain}) using (order_id)"
    )
