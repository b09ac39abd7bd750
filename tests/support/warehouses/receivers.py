"""Receivers: a business, its versions, and one who is handed its orders."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from support.warehouses.handed import Business, Counting, Versions, contents
from wholesale_books.handover.commands import hand_over
from wholesale_books.handover.handing import Handing
from wholesale_elt.warehouse import Warehouse


class Desk:
    """A business, its versions, and one receiver of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.business, self.versions = Business(), Versions(folder / "published")
        self.place = folder / "place"
        self.counting = Counting(self.place)

    def handing(self, *where: str, to: Path | None = None, format_: str = "jsonl") -> Handing:
        warehouse = Warehouse(self.folder / "wholesale.duckdb")
        place = str(to or self.place)
        return Handing.of(warehouse, "ledger", self.versions.folder, place, format_, where)

    def hand_over(self, *where: str) -> list[tuple[str, str, str | None]]:
        """Publish and hand over: kind, order and why of each record, as the receiver has them."""
        handed = self.handing(*where).hand_over()
        assert (handed.failure, handed.doubt) == ("", "")
        self.counting.read()
        return [record for batch in handed.made for record in self.records(batch.number)]

    def records(self, number: int) -> list[tuple[str, str, str | None]]:
        return [(each["kind"], each["order_id"], each["why"]) for each in self.lines(number)]

    def lines(self, number: int) -> list[dict[str, Any]]:
        text = (self.place / f"{number:06d}" / "orders.jsonl").read_text("utf-8")
        return [json.loads(line) for line in text.split("\n") if line]

    def contents(self) -> dict[str, Any]:
        name = f"{self.versions.number:05d}"
        return contents(self.versions.folder / "versions" / name / "wholesale.duckdb")

    def run(self, *words: str) -> tuple[int, str]:
        base = ("--database", str(self.folder / "wholesale.duckdb"))
        published = ("--published", str(self.versions.folder))
        found = CliRunner().invoke(hand_over, [*words, *base, *published])
        return found.exit_code, found.output
