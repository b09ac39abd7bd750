"""Subject: who is to be erased, and how their records are recognised."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wholesale.api import CLASS_OF_FIELD, typed_id
from wholesale.errors import WholesaleError
from wholesale.privacy import Erased
from wholesale_elt.past import past_of
from wholesale_elt.warehouse import Raw, same_id

SubjectKind = Literal["buyer", "person"]
SHORTEST = 4
"""Characters of a text to search for; a shorter one occurs by chance in many places."""

IN_ORDERS: Mapping[str, SubjectKind] = {"buyer_id": "buyer", "buyer_user_id": "person"}
"""Columns of orders that have the id of a subject, whose own record may be gone."""


class UnknownSubject(WholesaleError):
    """Nobody in the warehouse has that id."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A buyer with all its people, or one person of a `buyer`.

    `contacts` are their e-mail addresses and phone numbers, `names` those of the people, those of
    the past among them; both are empty if they were erased before.
    """

    kind: SubjectKind
    id: str
    buyer: str | None
    contacts: frozenset[str] = field(default=frozenset(), repr=False)
    names: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def texts(self) -> frozenset[str]:
        """What to search for in files and in texts."""
        return frozenset(text for text in self.contacts | self.names if len(text) >= SHORTEST)

    def added_to(self, erased: Erased) -> Erased:
        """The list of the erased with this subject."""
        after = erased.adding(self.kind, [self.id]).adding("contact", self.contacts)
        for name in self.names if self.buyer else ():
            after = after.adding_name(str(self.buyer), name)
        return after


def find_subject(raw: Raw, key: str) -> Subject:
    """Raises: UnknownSubject."""
    key = typed_id(key)
    contacts = _contacts("buyer_users")
    users = f"buyer_id, full_name, {contacts}"
    if rows := _versions(raw, "buyer_users", users, same_id("id", key)):
        return Subject(
            *("person", key, rows[0][0]),
            _given(contact for _, _, *found in rows for contact in found),
            _given(name for _, name, *_ in rows),
        )
    if own := _versions(raw, "buyers", _contacts("buyers"), same_id("id", key)):
        people = _versions(raw, "buyer_users", f"full_name, {contacts}", same_id("buyer_id", key))
        reached = [*own, *(found for _, *found in people)]
        return Subject(
            *("buyer", key, key),
            _given(contact for found in reached for contact in found),
            _given(name for name, *_ in people),
        )
    for column, kind in IN_ORDERS.items():
        for (buyer,) in raw.rows(
            f"select buyer_id from {raw.name('orders')} where {same_id(column, key)} limit 1"
        ):
            return Subject(kind, key, buyer)
    raise UnknownSubject(
        f"no buyer and no buyer user has the id {key}: see wholesale_raw.buyers and buyer_users"
    )


def _versions(raw: Raw, table: str, columns: str, condition: str) -> list[tuple[Any, ...]]:
    """These columns of the rows that are so, as they are, and then as they were."""
    places = (table, past_of(table)) if past_of(table) in raw.columns() else (table,)
    return [
        row
        for place in places
        for row in raw.rows(f"select {columns} from {raw.name(place)} where {condition}")
    ]


def _contacts(table: str) -> str:
    columns = CLASS_OF_FIELD[table].items()
    return ", ".join(column for column, class_ in columns if class_ == "contact")


def _given(values: Iterable[str | None]) -> frozenset[str]:
    return frozenset(value for value in values if value)
