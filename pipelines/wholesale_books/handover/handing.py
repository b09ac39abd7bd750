"""Handing over: what waits is delivered first, then what is new of the version in force."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, cast

from wholesale.errors import ConfigurationError, legible
from wholesale_books.handover.batches import state
from wholesale_books.handover.delivering import deliver_waiting, last_place, replay
from wholesale_books.handover.making import Found, Making
from wholesale_books.handover.places import NotDelivered, Place, place_at
from wholesale_books.handover.receiver import Batch, Receiver
from wholesale_books.handover.rewriting import heed_policy
from wholesale_books.handover.settings import (
    Filter,
    Format,
    ReceiverSettings,
    filter_of,
    receivers,
    require_name,
)
from wholesale_elt.publish import Site, find_site
from wholesale_elt.warehouse import Warehouse, open_file


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver:
    """What a command did: batches that it made and delivered, and those that it rewrote first.
    `doubt` says why nothing new is handed over, `failure` what was not delivered."""

    version: str
    place: str
    filter: Filter = field(default_factory=Filter)
    made: Sequence[Batch] = ()
    handed: Sequence[Batch] = ()
    rewritten: Sequence[int] = ()
    doubt: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Handing:
    """A receiver, and what a command or the settings wish for it."""

    receiver: Receiver
    published: Path
    to: str | None
    format: Format | None
    filter: Filter | None
    keep_days: int

    @classmethod
    def of(
        cls,
        warehouse: Warehouse,
        name: str,
        published: Path,
        to: str | None = None,
        format_: str | None = None,
        where: Sequence[str] = (),
    ) -> Self:
        """What is not given is as the settings say, or else as it was for the last batch.

        Raises: ConfigurationError.
        """
        settings = receivers().get(require_name(name), ReceiverSettings())
        words = where or settings.where
        wished = cast(Format | None, format_ or settings.format)
        return cls(
            *(Receiver(warehouse, name), published, settings.to if to is None else to, wished),
            filter_of(words) if words else None,
            settings.keep_days,
        )

    def hand_over(self) -> HandedOver:
        """Raises: NotPublished; ConfigurationError; Older; AlreadyRunning."""
        receiver = self.receiver
        find_site(self.published)  # else what is refused would leave a folder
        with receiver.locked():
            place, site = self._place(), find_site(self.published)
            rewritten = heed_policy(receiver, site.manifest)
            made: list[Batch] = []
            delivered: list[Batch] = []
            failure = doubt = ""
            making = self._making(site)
            try:
                delivered += deliver_waiting(receiver, place)
                doubt = _doubt(site)
                if not doubt and (batch := making.make()):
                    made.append(batch)
                    delivered += deliver_waiting(receiver, place)
            except NotDelivered as error:
                failure = str(error)
            receiver.forget(self.keep_days)
            return HandedOver(
                version=site.manifest.version,
                place=place.name,
                filter=making.filter,
                made=made,
                handed=delivered,
                rewritten=rewritten,
                doubt=doubt,
                failure=failure,
            )

    def replay(self, number: int) -> HandedOver:
        """Raises: NotKept; NotDelivered; as `hand_over`."""
        find_site(self.published)
        with self.receiver.locked():
            place, site = self._place(), find_site(self.published)
            rewritten = heed_policy(self.receiver, site.manifest)
            delivered = replay(self.receiver, number, place)
            return HandedOver(
                version=site.manifest.version,
                place=place.name,
                handed=delivered,
                rewritten=rewritten,
            )

    def acknowledge(self, number: int) -> None:
        """Raises: NotAcknowledged; ConfigurationError for a receiver that has nothing."""
        self._require_known()
        with self.receiver.locked():
            self.receiver.acknowledge(number)
            self.receiver.forget(self.keep_days)

    def look(self) -> tuple[Found | None, str]:
        """What there is to hand over, or why nothing is."""
        site = find_site(self.published)
        if doubt := _doubt(site):
            return None, doubt
        if not self.receiver.folder.exists():
            return self._making(site).look(), ""
        with self.receiver.locked():
            return self._making(site).look(), ""

    def _making(self, site: Site) -> Making:
        file = self.receiver.state_file
        last = state.read_about(file).filter if file else Filter()
        batches = self.receiver.batches()
        format_ = self.format or (batches[-1].manifest.format if batches else "jsonl")
        filter_ = last if self.filter is None else self.filter
        if filter_ != last:
            _require_vendors(site, filter_)
        return Making(self.receiver, site, filter_, format_)

    def _place(self) -> Place:
        """Raises: ConfigurationError."""
        place = place_at(self.to) if self.to is not None else last_place(self.receiver)
        if place is None:
            raise ConfigurationError(
                f"nobody said where batches of {self.receiver.name} go: name a place with --to, or"
                f" as setting books.hand_over.{self.receiver.name}.to"
            )
        return place

    def _require_known(self) -> None:
        if not self.receiver.folder.exists():
            raise ConfigurationError(
                f"{self.receiver.name} was handed nothing from this warehouse: see its name, and"
                " --database"
            )


def _doubt(site: Site) -> str:
    manifest = site.manifest
    if manifest.is_complete:
        return ""
    return (
        f"version {manifest.version} is not certified complete, so nothing new is handed over:"
        f" {'; '.join(manifest.reasons)}"
    )


def _require_vendors(site: Site, asked: Filter) -> None:
    """Raises: ConfigurationError for a vendor that nothing is known of: a wrong word would hand
    over nothing, and say nothing."""
    if not asked.vendor:
        return
    with open_file(site.database) as connection:
        found = connection.execute(
            "select vendor_id from wholesale_marts.dim_vendors"
            " union select vendor_id from wholesale_marts.fct_orders"
        )
        known = {vendor for (vendor,) in found.fetchall()}
    for vendor in asked.vendor:
        if vendor not in known:
            raise ConfigurationError(
                f"--where vendor={legible(vendor)} is no vendor of version"
                f" {site.manifest.version}: name the id of one, as `wholesale figures orders --by"
                " vendor` tells them"
            )
