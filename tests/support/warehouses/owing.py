"""Owing: a business of two buyers and a vendor, read on days of which the test knows."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from conftest import Loader
from support.records.samples import guid, order
from support.warehouses.ageing import move_back
from wholesale_books.book import Book, Entry
from wholesale_books.settings import folder_of
from wholesale_books.statements.making import Made, make
from wholesale_books.statements.moment import Period
from wholesale_books.statements.rows import Kind
from wholesale_elt.cli.main import cli
from wholesale_sandbox.server import Sandbox

STAMPS = {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z"}
READ = ("orders", "vendors", "buyers", "buyer_users")


@dataclass
class Business:
    """Days count back from today: a sync now, then `pass_days`, and it was so many days ago."""

    sandbox: Sandbox
    loader: Loader
    folder: Path
    orders: dict[str, dict[str, Any]] = field(default_factory=dict)

    def open(self) -> None:
        terms = {"name": "Maker", "order_terms": "Net 10", **STAMPS}
        self.sandbox.put("vendors", {"id": guid("V1"), **terms})
        for name in ("B1", "B2"):
            self.sandbox.put("buyers", {"id": guid(name), "company_name": f"Shop {name}", **STAMPS})

    def rename(self, name: str, company: str, terms: str) -> None:
        self.sandbox.put("buyers", {"id": guid(name), "company_name": company, **STAMPS})
        maker = {"id": guid("V1"), "name": company, "order_terms": terms, **STAMPS}
        self.sandbox.put("vendors", maker)

    def put(self, name: str, **fields: Any) -> None:
        """An order, or what becomes of it."""
        record = self.orders.get(name) or order(
            name, vendor_id=guid("V1"), buyer_id=guid("B1"), po_number=f"PO-{name}"
        )
        if "total" in fields:
            fields.setdefault("sub_total", fields["total"])
        now = datetime.now(UTC).isoformat()
        self.orders[name] = {**record, "updated_at": now, **fields}
        self.sandbox.put("orders", self.orders[name])

    def placed(self, name: str, days_ago: int, **fields: Any) -> None:
        at = datetime.now(UTC) - timedelta(days=days_ago)
        usual = {"total": "10.50", "status": "shipped", "payment_status": "unpaid"}
        self.put(name, created_at=at.isoformat(), **{**usual, **fields})

    def read(self) -> None:
        assert self.loader.load(*READ).is_complete

    def pass_days(self, days: int) -> None:
        """All that was read was so many days earlier; the service's own days stay."""
        move_back(self.loader.warehouse.database, days)

    def made(
        self,
        of: Kind = "buyer",
        party: str | None = "B1",
        *,
        days_ago: int = 1,
        since: int | None = None,
        to: str = "out",
        formats: tuple[str, ...] = ("csv",),
    ) -> list[Made]:
        period = Period.until(day_of(days_ago), None if since is None else day_of(since))
        key = party and guid(party)
        folder = self.folder / to
        return list(make(self.loader.warehouse, of, key, period, folder, formats, "ann"))

    def one(self, **asked: Any) -> Made:
        [made] = self.made(**asked)
        return made

    def entries(self) -> list[Entry]:
        return [*Book(folder_of(self.loader.warehouse)).read()]

    def run(self, *words: str) -> Result:
        database = str(self.loader.warehouse.database)
        return CliRunner().invoke(cli, [*words, "--database", database])


def day_of(days_ago: int) -> date:
    return datetime.now(UTC).date() - timedelta(days=days_ago)
