"""Line: what to do, why, and for how much money, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from wholesale_elt.dashboard.columnar import Json
from wholesale_elt.dashboard.sentences.formats import Formats, address
from wholesale_elt.dashboard.sentences.notices import Age
from wholesale_elt.dashboard.sentences.said import Said, Words

LATE, SOON, SOME_TIME = 2, 1, 0


@dataclass(frozen=True, slots=True)
class Line:
    """What to do, why, and for how much money, in words what this is; `to` is where it is shown."""

    kind: str
    urgency: int
    title: str
    reason: Said
    money: Decimal | None
    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Kind:
    """The most urgent tasks of a kind, the largest, and what all of them come to."""

    rows: Sequence[Json]
    largest: Json
    total: Json


@dataclass(frozen=True, slots=True)
class Told:
    """How lines are told: in which formats, and to which day they count."""

    write: Formats
    age: Age
    usual_days: int | None

    def name(self, row: Json, of: str = "buyer") -> str:
        return self.write.name(row[f"{of}_id"], row[f"{of}_name"])

    def link(self, row: Json, of: str = "buyer") -> Words:
        return Words(self.name(row, of), address(of, row[f"{of}_id"] or ""))

    def order(self, row: Json, text: str) -> Words:
        return Words(text, address("order", number_of(row)))


def number_of(row: Json) -> str:
    return str(row["order_number"] if row["order_number"] is not None else row["order_id"])


def amount_of(row: Json) -> Decimal | None:
    return None if row["amount"] is None else Decimal(row["amount"])


def list_of(kind: str) -> str:
    return address("today", kind)
