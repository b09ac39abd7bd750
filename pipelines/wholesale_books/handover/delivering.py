"""Delivering: what waits for a receiver, in the order of its numbers; and once more, if asked."""

from collections.abc import Sequence

from wholesale.errors import ConfigurationError
from wholesale_books.handover.places import Place, place_at
from wholesale_books.handover.receiver import DELIVERED, Batch, Delivered, Receiver


def deliver_waiting(receiver: Receiver, place: Place) -> Sequence[Batch]:
    """Deliver all that is made and was not delivered as it is now.

    Raises: as `Place.deliver`; what was delivered before is noted.
    """
    return _deliver(receiver, receiver.waiting(), place, is_again=False)


def replay(receiver: Receiver, first: int, place: Place) -> Sequence[Batch]:
    """Deliver a batch and all later ones again, byte for byte.

    Raises: NotKept; as `Place.deliver`.
    """
    receiver.batch(first)
    wanted = [batch for batch in receiver.batches() if batch.number >= first]
    return _deliver(receiver, wanted, place, is_again=True)


def _deliver(
    receiver: Receiver, batches: Sequence[Batch], place: Place, *, is_again: bool
) -> Sequence[Batch]:
    known = {each.place for each in receiver.handed().values()}
    for batch in batches:
        place.deliver(batch, is_again=is_again, is_known=place.name in known)
        receiver.note(DELIVERED, Delivered(batch.number, batch.manifest.sha256, place.name))
        known.add(place.name)
    return batches


def last_place(receiver: Receiver) -> Place | None:
    """The place of the last delivery.

    Raises: ConfigurationError if it is known without its password or options.
    """
    delivered = receiver.handed()
    if not delivered:
        return None
    name = delivered[max(delivered)].place
    if "…" in name:
        raise ConfigurationError(
            f"{receiver.name} was delivered to {name}, of which no password is kept: name the place"
            f" with --to, or as setting books.hand_over.{receiver.name}.to"
        )
    return place_at(name)
