"""Subject: who is to be erased, and how their records are recognised."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from wholesale.api import CLASS_OF_FIELD, typed_id
from wholesale.errors import WholesaleError
from wholesale.privacy import Erased
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

    `contacts` are their e-mail addresses and phone numbers, `names` those of the people; both are
    empty if they were erased before.
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
    users, own_id = raw.name("buyer_users"), same_id("id", key)
    for buyer, name, *contacts in raw.rows(
        f"select buyer_id, full_name, {_contacts('buyer_users')} from {users} where {own_id}"
    ):
        return Subject("person", key, buyer, _given(contacts), _given([name]))
    for own in raw.rows(f"select {_contacts('buyers')} from {raw.name('buyers')} where {own_id}"):
        people = raw.rows(
            f"select full_name, {_contacts('buyer_users')} from {users}"
            f" where {same_id('buyer_id', key)}"
        )
        reached = [*own, *(contact for _, *found in people for contact in found)]
        return Subject("buyer", key, key, _given(reached), _given([name for name, *_ in people]))
    for column, kind in IN_ORDERS.items():
        for (buyer,) in raw.rows(
            f"select buyer_id from {raw.name('orders')} where {same_id(column, key)} limit 1"
        ):
            return Subject(kind, key, buyer)
    raise UnknownSubject(
        f"no buyer and no buyer user has the id {key}: see wholesale_raw.buyers and buyer_users"
    )


def _contacts(table: str) -> str:
    columns = CLASS_OF_FIELD[table].items()
    return ", ".join(column for column, class_ in columns if class_ == "contact")


def _given(values: list[str | None]) -> frozenset[str]:
    return frozenset(value for value in values if value)
