"""Subject: who is to be erased, and how their records are recognised."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from wholesale.api import class_of, typed_id
from wholesale.errors import WholesaleError
from wholesale.names import EXTRA
from wholesale.privacy import Erased, contact_forms, fold, is_contact, is_within
from wholesale_elt.past import past_of
from wholesale_elt.warehouse import RawReader

SubjectKind = Literal["buyer", "person"]
TELLING = ("contact", "name", "company")
"""Classes of fields by which somebody is recognised elsewhere."""
IN_ORDERS: Mapping[str, SubjectKind] = {"buyer_id": "buyer", "buyer_user_id": "person"}
"""Columns of orders that have the id of a subject, whose own record may be gone."""


class UnknownSubject(WholesaleError):
    """Nobody in the warehouse has that id."""


@dataclass(frozen=True)
class Subject:
    """A buyer with all its people, or one person of a `buyer`.

    `contacts` are their e-mail addresses and phone numbers, `names` those of the people, those of
    the past among them; `companies` are the names and sites of a buyer, which are only searched
    for. All are empty if they were erased before. An address or number in a field that nobody
    documented is a contact too.
    """

    kind: SubjectKind
    id: str
    buyer: str | None
    contacts: frozenset[str] = field(default=frozenset(), repr=False)
    names: frozenset[str] = field(default=frozenset(), repr=False)
    companies: frozenset[str] = field(default=frozenset(), repr=False)

    @cached_property
    def forms(self) -> frozenset[str]:
        """What to search for in texts, in forms that have one spelling."""
        found = frozenset(map(fold, self.names | self.companies))
        return found.union(*map(contact_forms, self.contacts))

    def is_named(self, text: str) -> bool:
        """Whether a text has any of these anywhere; one of few characters is not looked for."""
        return is_within(self.forms, text)

    def added_to(self, erased: Erased) -> Erased:
        """The list of the erased with this subject."""
        after = erased.adding(self.kind, [self.id]).adding("contact", self.contacts)
        for name in self.names if self.buyer else ():
            after = after.adding_name(str(self.buyer), name)
        return after


def find_subject(raw: RawReader, key: str) -> Subject:
    """Raises: UnknownSubject."""
    key = typed_id(key)
    if found := _told(raw, "buyer_users", "id", key):
        return Subject("person", key, found.buyer, found.contacts, found.names)
    if found := _told(raw, "buyers", "id", key):
        people = _told(raw, "buyer_users", "buyer_id", key) or _Told()
        return Subject(
            *("buyer", key, key),
            found.contacts | people.contacts,
            found.names | people.names,
            found.companies,
        )
    for column, kind in IN_ORDERS.items():
        for (buyer,) in raw.rows(
            f"select buyer_id from {raw.name('orders')} where {column} = %s limit 1", key
        ):
            return Subject(kind, key, buyer)
    raise UnknownSubject(
        f"no buyer and no buyer user has the id {key}: see wholesale_raw.buyers and buyer_users"
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What records, as they are and as they were, tell of somebody."""

    buyer: str | None = None
    contacts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    companies: frozenset[str] = frozenset()


def _told(raw: RawReader, table: str, column: str, key: str) -> _Told | None:
    """What the rows with this id in a column tell, in documented fields and in others; None if
    there are none."""
    columns, buyer = raw.columns(), "buyer_id" if table == "buyer_users" else "id"
    told: dict[str, set[str]] = {class_: set() for class_ in TELLING}
    buyers = []
    for place in (table, past_of(table)):
        if place not in columns:
            continue
        personal = [
            name
            for name in (*columns[place], EXTRA)
            if name == EXTRA or class_of(table, name) in (*TELLING, "undocumented")
        ]
        listed = ", ".join(f"cast({raw.quoted(name)} as varchar)" for name in personal)
        for owner, *values in raw.rows(
            f"select {buyer}, {listed} from {raw.name(place)} where {column} = %s", key
        ):
            buyers.append(owner)
            for names_of, text in _fields(zip(personal, values, strict=True)):
                classes = [class_of(table, name) for name in names_of]
                class_ = next((each for each in classes if each in TELLING), classes[-1])
                if class_ == "undocumented" and is_contact(text):
                    class_ = "contact"
                if class_ in told:
                    told[class_].add(text)
    return _Told(buyers[0], *map(frozenset, told.values())) if buyers else None


def _fields(values: Iterable[tuple[str, str | None]]) -> Iterator[tuple[Sequence[str], str]]:
    """The texts of a row, each with its names: of the column, and of the field within an object."""
    for name, text in values:
        if text and text.strip():
            outer = () if name == EXTRA else (name,)
            for key, leaf in _leaves(name, text):
                yield tuple(dict.fromkeys((*outer, key))), leaf


def _leaves(name: str, text: str) -> Iterator[tuple[str, str]]:
    """The texts and numbers of a value, which is JSON or a text; in an object under their keys."""
    try:
        value = json.loads(text) if text.lstrip()[0] in '[{"' else text
    except ValueError:
        value = text
    left = [(name, value)]
    while left:
        key, found = left.pop()
        if isinstance(found, dict):
            left += found.items()
        elif isinstance(found, list):
            left += ((key, each) for each in found)
        elif found is not None and not isinstance(found, bool) and str(found).strip():
            yield key, str(found)
