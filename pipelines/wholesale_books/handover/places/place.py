"""Place: takes batches for a receiver, or says why it did not."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from wholesale.errors import ConfigurationError, WholesaleError, one_line
from wholesale_books.handover.batches import BatchManifest
from wholesale_books.handover.receiver import Batch
from wholesale_elt.process import causes, is_full_disk


class NotDelivered(WholesaleError):
    """The place did not take a batch, which is kept and delivered by the next command."""


class Place(Protocol):
    """Takes batches, each whole or not at all for who reads its manifest first."""

    name: str
    """Without a password."""

    def deliver(self, batch: Batch, *, is_again: bool, is_known: bool) -> None:
        """Deliver a batch, unless it is there as it is; `is_again` writes its files in any case.
        `is_known`: something was delivered there before.

        Raises: NotDelivered; ConfigurationError for a place that has another batch of this number.
        """


def require_same(found: bytes, batch: Batch, place: str) -> BatchManifest:
    """The manifest that a place has under the number of a batch.

    Raises: ConfigurationError unless it is of this batch, as it is or was.
    """
    try:
        manifest = BatchManifest.of(found)
    except ValueError:
        manifest = None
    ours = batch.manifest
    if manifest is None or manifest.sha256 not in (ours.sha256, *ours.replaces):
        raise ConfigurationError(
            f"{place} has another batch {batch.number} than that of {ours.receiver}, so nothing is"
            " written there: name a place of its own for each receiver, an empty one for a new one"
        )
    return manifest


@contextmanager
def writing(batch: Batch, place: str) -> Iterator[None]:
    """Raises: NotDelivered for what the system or a store says meanwhile."""
    try:
        yield
    except ConfigurationError:
        raise
    except (OSError, WholesaleError) as error:
        full = any(map(is_full_disk, causes(error)))
        said = "it is full" if full else getattr(error, "strerror", None) or one_line(error)
        raise NotDelivered(
            f"batch {batch.number} was not delivered to {place}: {said}; it is kept, and delivered"
            " first by the next hand-over"
        ) from error
