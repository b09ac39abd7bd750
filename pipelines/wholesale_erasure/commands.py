"""`wholesale erase`: erases a buyer or a person, with a receipt as proof."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale.errors import counted
from wholesale_elt.cli import DEFAULT_PUBLISHED, Output, fail, json_option, say, warehouse_boundary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wholesale_elt.warehouse import Warehouse
    from wholesale_erasure.erasing import Erasure
    from wholesale_erasure.mentions import Mention
    from wholesale_erasure.receipt import Receipt

RECEIPTS = Path("receipts")


@click.command(short_help="Erase a buyer or a person, with a receipt.")
@click.argument("subject", metavar="[ID]", required=False)
@click.option(
    "--yes", "is_sure", is_flag=True, help="Erase; without it, only say what would be erased."
)
@click.option(
    *("--published", "places"),
    multiple=True,
    metavar="PLACE",
    help="Where versions are published, as in `publish --to`; may be given several times."
    f"  [default: {DEFAULT_PUBLISHED}, if it is there]",
)
@click.option(
    "--receipt",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Where to write the receipt.  [default: a file in {RECEIPTS}]",
)
@click.option(
    *("--verify", "to_verify"),
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="RECEIPT",
    help="Check an earlier receipt against the warehouse, and do nothing else.",
)
@json_option
@warehouse_boundary
def erase(
    output: Output,
    warehouse: "Warehouse",
    subject: str | None,
    is_sure: bool,
    places: tuple[str, ...],
    receipt: Path | None,
    to_verify: Path | None,
) -> None:
    """Erase a buyer with all its people, or one person; ID is that of the buyer or buyer user.

    Orders stay, with keys, states, times and amounts. Personal data are erased from raw tables,
    models, published versions, journals and the disk, and no later sync loads them again.
    """
    if to_verify:
        _verify(output, warehouse, to_verify)
    elif subject and is_sure:
        name = f"erased-{datetime.now(UTC):%Y%m%dT%H%M%S}Z.json"
        _erase(output, warehouse, subject, places, receipt or RECEIPTS / name)
    elif subject:
        _plan(output, warehouse, subject)
    else:
        raise click.UsageError("name the ID of a buyer or a buyer user, or --verify a receipt")


def _plan(output: Output, warehouse: "Warehouse", subject: str) -> None:
    from wholesale_erasure.documents import erasure_document
    from wholesale_erasure.erasing import plan_erasure

    plan = plan_erasure(warehouse, subject)
    output.answer(erasure_document(plan))
    _say_tables(output, plan)
    _say_mentions(output, plan.mentions)
    say(output.console(), "nothing was erased: --yes erases all of this, and cannot be undone")


def _say_tables(output: Output, plan: "Erasure") -> None:
    say(output.console(), f"{plan.subject.kind} {plan.subject.id}")
    for table, (rows, cells) in plan.tables.items():
        say(output.console(), f"{table}: {counted(cells, 'value')} in {counted(rows, 'row')}")
    if plan.quarantined:
        say(
            output.console(),
            f"quarantine: {counted(plan.quarantined, 'record')}, which may be anybody's",
        )


def _erase(
    output: Output, warehouse: "Warehouse", subject: str, places: tuple[str, ...], file: Path
) -> None:
    from wholesale_elt.process import private
    from wholesale_elt.publish import is_published
    from wholesale_erasure.documents import receipt_document
    from wholesale_erasure.erasing import erase as erase_subject

    if not places and is_published(DEFAULT_PUBLISHED):
        places = (DEFAULT_PUBLISHED,)
    receipt = erase_subject(warehouse, subject, places)
    with private():
        receipt.write(file)
    output.answer(receipt_document(receipt, file))
    _say_receipt(output, receipt)
    say(output.console(), f"{file}: the receipt; `wholesale erase --verify {file}` checks it")
    if still_read := [version for place in receipt.places for version in place.read]:
        fail(
            output,
            f"version {', '.join(still_read)} still has the erased data, as somebody reads it: end"
            " that, and run again",
            1,
        )


def _say_receipt(output: Output, receipt: "Receipt") -> None:
    console = output.console()
    for table in receipt.tables:
        if table.rows:
            values, rows = counted(table.cells, "value"), counted(table.rows, "row")
            say(console, f"{table.table}: {values} in {rows} erased")
    say(console, f"quarantine: {counted(receipt.quarantined, 'record')} erased")
    say(console, f"models: {receipt.models}")
    for place in receipt.places:
        say(
            console,
            f"{place.place}: version {place.in_force} is published without them, and"
            f" {place.removed:,} others are removed",
        )
    if receipt.unpinned:
        say(console, f"pinned, and removed nevertheless: {', '.join(receipt.unpinned)}")
    say(console, f"journals and logs: {receipt.state_files:,} removed")
    say(console, f"{receipt.warehouse}: {receipt.storage}")
    for told in receipt.elsewhere:
        say(console, told)
    _say_mentions(output, receipt.mentions)
    columns = sum(receipt.searched.values())
    schemas = ", ".join(receipt.searched)
    say(console, f"searched: {counted(columns, 'column')} of all tables in {schemas}")
    for left in receipt.not_reached:
        say(console, f"not erased: {left}")


def _say_mentions(output: Output, mentions: "Sequence[Mention]") -> None:
    for found in mentions:
        rows = counted(found.rows, "row")
        say(output.console(), f"{found.table}.{found.column}: {rows} left, as {found.why}")


def _verify(output: Output, warehouse: "Warehouse", file: Path) -> None:
    from wholesale_erasure.documents import proof_document
    from wholesale_erasure.receipt import Receipt, verify

    receipt = Receipt.read(file)
    faults = verify(receipt, warehouse)
    output.answer(proof_document(receipt, faults))
    if faults:
        fail(output, f"{file} does not hold: {'; '.join(faults)}", 1)
    say(
        output.console(),
        f"{file} holds: the fields erased on {receipt.erased_at} are empty, no "
        + ("column but those named here has a" if receipt.mentions else "other column has a")
        + " contact of anybody who was erased, and syncs keep them out"
        + (f"; {counted(len(receipt.mentions), 'mention')} left" if receipt.mentions else ""),
    )
    _say_mentions(output, receipt.mentions)
