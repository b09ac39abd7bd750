"""`wholesale hand-over`: each changed order, once, to a receiver; `wholesale run` does it too."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wholesale.errors import ConfigurationError, counted
from wholesale_elt.cli import (
    Exit,
    Failure,
    Output,
    json_option,
    published_option,
    say,
    warehouse_boundary,
)

if TYPE_CHECKING:
    from wholesale_books.handover.handing import HandedOver, Handing
    from wholesale_books.handover.receiver import Batch
    from wholesale_elt.warehouse import Warehouse

Delivery = Callable[[Output, "Warehouse", str], Failure | None]


@click.command("hand-over", short_help="Hand each changed order over to a receiver, once.")
@click.argument("name")
@click.option(
    *("--to", "place"),
    metavar="PLACE",
    help="A folder, s3://BUCKET/PREFIX or another bucket, or postgres://…",
)
@click.option(
    *("--format", "format_"),
    type=click.Choice(["jsonl", "csv", "parquet"]),
    help="How new batches are written.  [default: as the last one, or jsonl]",
)
@click.option(
    "--where",
    multiple=True,
    metavar="KIND=VALUE",
    help="Hand over orders of vendor=ID, or in state=NAME, alone; of one kind, any of them; `all`"
    " lifts it.  [default: as for the last batch]",
)
@click.option(
    "--ack",
    type=click.IntRange(min=1),
    metavar="N",
    help="Note that the receiver has all batches up to N, and do nothing else.",
)
@click.option(
    "--replay",
    type=click.IntRange(min=1),
    metavar="N",
    help="Deliver batch N and all later ones again as they are, and do nothing else.",
)
@click.option(
    *("--status", "is_status"),
    is_flag=True,
    help="Tell what is acknowledged, delivered and waiting, and what is new; write nothing.",
)
@published_option
@json_option
@warehouse_boundary
def hand_over(
    output: Output,
    warehouse: "Warehouse",
    name: str,
    place: str | None,
    format_: str | None,
    where: tuple[str, ...],
    ack: int | None,
    replay: int | None,
    is_status: bool,
    published: Path,
) -> Failure | None:
    """Hand over to the receiver NAME every order that is new, changed, cancelled or gone since its
    last batch, from the version in force: in numbered batches, each content once, whatever is
    killed.
    """
    from wholesale_books.handover.handing import Handing

    if sum(map(bool, (ack, replay, is_status))) > 1:
        raise click.UsageError("--ack, --replay and --status exclude each other")
    handing = Handing.of(warehouse, name, published, place, format_, where)
    if ack:
        _acknowledge(output, handing, ack)
        return None
    if is_status:
        return _status(output, handing)
    handed = handing.replay(replay) if replay else handing.hand_over()
    output.answer(_document(handing, handed))
    _say(output, handing, handed)
    return _failure(handed)


def wanted() -> Mapping[str, Delivery]:
    """What `wholesale run` delivers after a publication, if it has receivers.

    Raises: ConfigurationError, also for a place that cannot be one.
    """
    from wholesale_books.handover.places import place_at
    from wholesale_books.handover.settings import receivers

    found = receivers()
    for name, settings in found.items():
        if not settings.to:
            raise ConfigurationError(
                f"setting books.hand_over.{name}.to is missing: name the place of its batches"
            )
        place_at(settings.to)
    return {"hand-over": _deliver} if found else {}


def _deliver(output: Output, warehouse: "Warehouse", place: str) -> Failure | None:
    from wholesale.errors import WholesaleError
    from wholesale_books.handover.handing import Handing
    from wholesale_books.handover.settings import receivers
    from wholesale_elt.publish import folder_at

    folder = folder_at(place)
    if folder is None:
        raise ConfigurationError(
            f"orders are handed over from a folder, and {place} is none: publish --to a folder, too"
        )
    failures = []
    for name in receivers():
        try:
            handing = Handing.of(warehouse, name, folder)
            handed = handing.hand_over()
        except WholesaleError as error:
            failures.append(str(error))
            continue
        _say(output, handing, handed)
        failures += [handed.failure] if handed.failure else []
    return Failure("; ".join(failures), Exit.FAILED) if failures else None


def _failure(handed: "HandedOver") -> Failure | None:
    if handed.failure:
        return Failure(handed.failure, Exit.FAILED)
    return Failure(handed.doubt, Exit.INCOMPLETE) if handed.doubt else None


def _acknowledge(output: Output, handing: "Handing", number: int) -> None:
    handing.acknowledge(number)
    receiver = handing.receiver
    acknowledged = receiver.acknowledged()
    output.answer({"receiver": receiver.name, "acknowledged": acknowledged})
    say(output.console(), f"{receiver.name} has all batches up to {acknowledged}")


def _status(output: Output, handing: "Handing") -> Failure | None:
    receiver = handing.receiver
    found, doubt = handing.look()
    waiting = [batch.number for batch in receiver.waiting()]
    last = receiver.last_number
    told = {
        "receiver": receiver.name,
        "acknowledged": receiver.acknowledged(),
        "delivered_up_to": (waiting[0] - 1) if waiting else last,
        "made": last,
        "waiting": waiting,
        "new": dict(found.counts) if found else None,
        "why": dict(found.why) if found else None,
        "doubt": doubt or None,
    }
    output.answer(told)
    console = output.console()
    say(
        console,
        f"{receiver.name}: {counted(last, 'batch').replace('batchs', 'batches')} made, up to"
        f" {told['delivered_up_to']} delivered, up to {told['acknowledged']} acknowledged",
    )
    if waiting:
        say(console, f"waiting to be delivered: {', '.join(map(str, waiting))}")
    if found:
        say(console, f"not handed over yet: {_counts(found.counts, found.why)}")
    return Failure(doubt, Exit.INCOMPLETE) if doubt else None


def _document(handing: "Handing", handed: "HandedOver") -> Mapping[str, object]:
    return {
        "receiver": handing.receiver.name,
        "version": handed.version,
        "made": _described(handed.made),
        "delivered_batches": _described(handed.handed),
        "rewritten": list(handed.rewritten),
        "place": handed.place,
        "doubt": handed.doubt or None,
    } | ({"exit_code": 1, "error": handed.failure} if handed.failure else {})


def _described(batches: "Sequence[Batch]") -> Sequence[Mapping[str, object]]:
    return [
        {
            "number": batch.number,
            "version": batch.manifest.version,
            "records": batch.manifest.records,
            "counts": dict(batch.manifest.counts),
            "why": dict(batch.manifest.why),
            "manifest_sha256": batch.manifest.sha256,
        }
        for batch in batches
    ]


def _say(output: Output, handing: "Handing", handed: "HandedOver") -> None:
    console, name = output.console(), handing.receiver.name
    if handed.rewritten:
        numbers = ", ".join(map(str, handed.rewritten))
        say(console, f"{name}: batch {numbers} rewritten, as the policy allows fewer columns")
    for batch in handed.handed:
        told = _counts(batch.manifest.counts, batch.manifest.why)
        say(console, f"{name}: batch {batch.number} delivered to {handed.place}: {told}")
    if not (handed.handed or handed.failure or handed.doubt):
        say(console, f"{name}: nothing new in version {handed.version}, of {handed.filter}")


def _counts(counts: Mapping[str, int], why: Mapping[str, int]) -> str:
    told = ", ".join(f"{number:,} {kind}" for kind, number in counts.items()) or "nothing"
    reasons = ", ".join(f"{number:,} {reason}" for reason, number in why.items())
    return f"{told} ({reasons})" if reasons else told
