"""Sending: each recipient gets one letter on a build, however often this is begun."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from wholesale.errors import WholesaleError
from wholesale_elt.dashboard import Formats
from wholesale_elt.monitoring import MailServer, NotSent, send
from wholesale_elt.warehouse import Warehouse
from wholesale_letters.editions import Edition, Editions, build_of
from wholesale_letters.journal import SETTLED, Entry, Journal, State, Taken
from wholesale_letters.letter import Asked, Letter
from wholesale_letters.mail import message_id, message_of
from wholesale_letters.settings import WEEKDAYS, LetterSettings, Recipient

Result = Literal[
    "sent",
    "sent before",
    "unchanged",
    "not today",
    "waiting",
    "refused",
    "refused before",
    "doubtful",
    "doubtful before",
    "not made",
]
NEEDS_SOMEBODY: frozenset[Result] = frozenset({"waiting", "refused", "doubtful", "not made"})
"""Results that are told as failures, once each but for those that are tried again."""
BEFORE: dict[State, Result] = {
    "taken": "sent before",
    "unchanged": "unchanged",
    "refused": "refused before",
    "doubtful": "doubtful before",
}


FOLDER = "letters_sent"
"""In the state folder of a warehouse: who was told what."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """Letters as they are made, the same for several recipients once."""

    editions: Editions
    settings: LetterSettings
    letters: dict[tuple[str | None, Asked], tuple[Edition, Letter]] = field(default_factory=dict)
    files: dict[int, Mapping[str, bytes]] = field(default_factory=dict)

    def letter(self, only: str | None, asked: Asked) -> tuple[Edition, Letter]:
        if (only, asked) not in self.letters:
            edition = self.editions.of(only)
            self.letters[only, asked] = edition, edition.letter(asked)
        return self.letters[only, asked]

    def attached(self, edition: Edition, letter: Letter) -> Mapping[str, bytes]:
        if id(letter) not in self.files:
            self.files[id(letter)] = edition.attached(letter, self.settings)
        return self.files[id(letter)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a letter; `why` is a sentence where it was not sent."""

    recipient: Recipient
    result: Result
    version: str | None = None
    message_id: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mailing:
    """The letters of a version, to whom they go, and how."""

    warehouse: Warehouse
    editions: Editions
    settings: LetterSettings
    server: MailServer
    is_again: bool = False
    """Whether to send again what may have been taken, or was refused for good."""

    @property
    def journal(self) -> Journal:
        return Journal(self.warehouse.state_folder / FOLDER)

    def deliver(self, now: datetime) -> Iterator[Outcome]:
        """Send what is to be sent, one after the other."""
        is_down, drafts = "", Drafts(self.editions, self.settings)
        for recipient in self.settings.recipients:
            if is_down:
                yield Outcome(recipient, "waiting", why=is_down)
                continue
            delivered, is_down = self._deliver(recipient, drafts, now)
            yield delivered

    def _deliver(self, recipient: Recipient, drafts: Drafts, now: datetime) -> tuple[Outcome, str]:
        """What became of one, and why nothing can be sent to the others either, if so."""
        manifest, key = self.editions.manifest, recipient.key
        build, told = build_of(manifest), self.journal.read(recipient.key)
        if told and told.build == build and not self.is_again:
            if told.state == "sending":
                self._note(key, told, "doubtful", now)
                return self._in_doubt(recipient, told), ""
            if told.state in SETTLED:
                return Outcome(recipient, BEFORE[told.state], told.version), ""
        if told and told.build == build and told.state in ("taken", "unchanged"):
            return Outcome(recipient, BEFORE[told.state], told.version), ""
        days = frozenset(WEEKDAYS.index(day) for day in recipient.weekdays)
        local = Formats({"time_zone": manifest.time_zone}).local(now)
        if local.weekday() not in days:
            return Outcome(recipient, "not today"), ""
        since = _since(told, manifest.built_at)
        asked = Asked(now, since, self.settings.page_of(recipient), days)
        try:
            edition, letter = drafts.letter(recipient.only, asked)
        except WholesaleError as error:
            return Outcome(recipient, "not made", why=str(error)), ""
        begun = Entry(
            build,
            edition.manifest.version,
            "sending",
            now,
            tries=1 + (told.tries if told and told.build == build else 0),
            taken=told.taken if told else None,
        )
        if _says_nothing_new(letter, begun.taken):
            self._note(key, begun, "unchanged", now)
            return Outcome(recipient, "unchanged", begun.version), ""
        attached = drafts.attached(edition, letter)
        return self._send(recipient, letter, attached, begun, edition.manifest.built_at)

    def _send(
        self,
        recipient: Recipient,
        letter: Letter,
        attached: Mapping[str, bytes],
        begun: Entry,
        built_at: str,
    ) -> tuple[Outcome, str]:
        key, sender = recipient.key, self.server.sender
        identity = message_id(sender, begun.build, key)
        message = message_of(letter, sender, recipient.address, identity, begun.at, attached)
        taken = Taken(begun.version, built_at, letter.digest)
        url, seconds = self.server.url.get_secret_value(), self.server.seconds
        try:
            send(
                *(url, message, seconds),
                before_end=lambda: self.journal.write(key, begun),
                when_taken=lambda: self._note(key, begun, "taken", begun.at, taken=taken),
            )
        except NotSent as error:
            state: State = "refused" if error.is_final else "waiting"
            self._note(key, begun, state, begun.at, error.code)
            why = f"the mail server did not take the letter to {recipient.address}: {error}"
            if error.is_in_doubt:
                why += " after all of it was sent"
            result: Result = "refused" if error.is_final else "waiting"
            is_down = "" if error.code or error.is_in_doubt else why
            return Outcome(recipient, result, begun.version, identity, why), is_down
        return Outcome(recipient, "sent", begun.version, identity), ""

    def _note(
        self,
        key: str,
        told: Entry,
        state: State,
        at: datetime,
        code: int | None = None,
        taken: Taken | None = None,
    ) -> None:
        last = taken or told.taken
        self.journal.write(key, Entry(told.build, told.version, state, at, told.tries, code, last))

    def _in_doubt(self, recipient: Recipient, told: Entry) -> Outcome:
        return Outcome(
            recipient,
            "doubtful",
            told.version,
            message_id(self.server.sender, told.build, recipient.key),
            f"the letter of version {told.version} to {recipient.address} was under way when the"
            " command was killed, so that nobody knows whether the server took it: it is not sent"
            " again unless `wholesale letter --again` asks for it",
        )


def _since(told: Entry | None, built_at: str) -> datetime | None:
    """The build that was told of last, unless this one is older."""
    if told is None or told.taken is None or told.taken.built_at >= built_at:
        return None
    return datetime.fromisoformat(told.taken.built_at)


def _says_nothing_new(letter: Letter, last: Taken | None) -> bool:
    return last is not None and not letter.is_news and letter.digest == last.digest


def failures(delivered: Sequence[Outcome]) -> Sequence[str]:
    """A sentence for each letter that somebody has to know of."""
    return [each.why for each in delivered if each.result in NEEDS_SOMEBODY]
