"""A real order history, told as records of the API: the Online Retail data as a `--data` folder.

D. Chen, "Online Retail", UCI Machine Learning Repository, 2015, doi 10.24432/C5BW33, CC BY 4.0.

    python tests/online_retail.py SOURCE FOLDER
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

import msgspec
import pyarrow.parquet as parquet

from support.paths import SHARED
from wholesale_sandbox.contract.fields import RESOURCE

SOURCE = Path(os.environ.get("ONLINE_RETAIL", SHARED / "data/online_retail/online_retail.parquet"))

VENDOR_NAME = "Online Retail"
CATEGORY_TITLE = "Gifts"
PRICE_LIST_TITLE = "Latest prices"

Record = Mapping[str, Any]


class Line(NamedTuple):
    """A row of the source, its columns in their order; `unit_price` has three decimals."""

    invoice_no: str
    stock_code: str
    description: str | None
    quantity: int
    invoice_date: datetime
    unit_price: Decimal
    customer_id: int | None
    country: str

    @property
    def title(self) -> str:
        return self.description or self.stock_code

    @property
    def total_price(self) -> Decimal:
        return self.quantity * self.unit_price


@dataclass(slots=True)
class Product:
    """What the lines of one stock code say about it."""

    first: Line
    latest: Line
    descriptions: Counter[str] = field(default_factory=Counter)

    @property
    def title(self) -> str:
        """The most frequent description, the first one of equals."""
        frequent = self.descriptions.most_common(1)
        return frequent[0][0] if frequent else self.first.stock_code


def convert(source: Path, folder: Path) -> None:
    """Write the records of `source` to `folder`, one `<resource>.jsonl` each.

    Invoices and customers come in the order of their first line; lines keep theirs.
    """
    invoices: dict[str, list[Line]] = {}
    customers: dict[int, Line] = {}
    products: dict[str, Product] = {}
    for line in read_lines(source):
        invoices.setdefault(line.invoice_no, []).append(line)
        if line.customer_id is not None:
            customers.setdefault(line.customer_id, line)
        product = products.setdefault(line.stock_code, Product(line, line))
        product.latest = line
        if line.description:
            product.descriptions[line.description] += 1
    start = timestamp(next(iter(invoices.values()))[0].invoice_date)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, "vendors", [vendor(start)])
    write(folder, "categories", [category(start)])
    write(folder, "price_lists", [price_list(start)])
    write(folder, "buyers", (buyer(line) for line in customers.values()))
    write(folder, "items", (item(product) for product in products.values()))
    write(folder, "variants", (variant(product) for product in products.values()))
    write(folder, "prices", (price(product) for product in products.values()))
    write(folder, "orders", (order(lines) for lines in invoices.values()))


def read_lines(source: Path) -> Iterator[Line]:
    for batch in parquet.ParquetFile(source).iter_batches(columns=list(Line._fields)):
        yield from map(Line, *(column.to_pylist() for column in batch.columns))


def write(folder: Path, resource: str, records: Iterable[Record]) -> None:
    encoder = msgspec.json.Encoder()
    with (folder / f"{resource}.jsonl").open("wb") as file:
        for values in records:
            file.write(encoder.encode(values) + b"\n")


def order(lines: list[Line]) -> Record:
    """One invoice (§2.4); the few with lines of two minutes are dated by their first line."""
    first = lines[0]
    at = timestamp(first.invoice_date)
    sub_total = sum((line.total_price for line in lines), Decimal())
    return documented(
        "orders",
        id=guid("invoice", first.invoice_no),
        order_number=first.invoice_no,
        status="cancelled" if first.invoice_no.startswith("C") else "received",
        sub_total=number(sub_total),
        total=literal(sub_total),
        shipping_country=first.country,
        order_line_items=[line_item(line) for line in lines],
        order_comments=[],
        vendor_id=guid("vendor", VENDOR_NAME),
        vendor_name=VENDOR_NAME,
        buyer_id=buyer_id(first.customer_id),
        buyer_company_name=company_name(first.customer_id),
        created_at=at,
        updated_at=at,
    )


def line_item(line: Line) -> Record:
    return {
        "item_id": guid("item", line.stock_code),
        "title": line.title,
        "variant": None,
        "sku": line.stock_code,
        "quantity": line.quantity,
        "unit_price": number(line.unit_price),
        "total_price": number(line.total_price),
        "discount_amount": None,
        "categoy_name": CATEGORY_TITLE,  # sic, §2.4
        "vendor_name": VENDOR_NAME,
    }


def buyer(first: Line) -> Record:
    at = timestamp(first.invoice_date)
    return documented(
        "buyers",
        id=buyer_id(first.customer_id),
        company_name=company_name(first.customer_id),
        country=first.country,
        price_list_id=guid("price list", PRICE_LIST_TITLE),
        created_at=at,
        updated_at=at,
    )


def item(product: Product) -> Record:
    return documented(
        "items",
        id=guid("item", product.first.stock_code),
        title=product.title,
        product_code=product.first.stock_code,
        sku=product.first.stock_code,
        status="published",
        options=[],
        unit_price=number(product.latest.unit_price),
        variants_count=1,
        **_of_the_one_vendor(),
    )


def variant(product: Product) -> Record:
    return documented(
        "variants",
        id=guid("variant", product.first.stock_code),
        parent_id=guid("item", product.first.stock_code),
        parent_title=product.title,
        parent_product_code=product.first.stock_code,
        sku=product.first.stock_code,
        unit_price=number(product.latest.unit_price),
        options=[],
        sku_status="active",
        **_of_the_one_vendor(),
    )


def price(product: Product) -> Record:
    code = product.first.stock_code
    return {
        "id": guid("price", code),
        "price_list_id": guid("price list", PRICE_LIST_TITLE),
        "variant_id": guid("variant", code),
        "item_id": guid("item", code),
        "unit_price": number(product.latest.unit_price),
        "created_at": timestamp(product.first.invoice_date),
        "updated_at": timestamp(product.latest.invoice_date),
    }


def vendor(at: str) -> Record:
    return documented(
        "vendors",
        id=guid("vendor", VENDOR_NAME),
        name=VENDOR_NAME,
        country="United Kingdom",
        created_at=at,
        updated_at=at,
    )


def category(at: str) -> Record:
    return {
        "id": guid("category", CATEGORY_TITLE),
        "title": CATEGORY_TITLE,
        "parent_id": None,
        "created_at": at,
        "updated_at": at,
    }


def price_list(at: str) -> Record:
    return {
        "id": guid("price list", PRICE_LIST_TITLE),
        "title": PRICE_LIST_TITLE,
        "description": "The unit price of the latest invoice line of a stock code.",
        "created_at": at,
        "updated_at": at,
    }


def documented(resource: str, **values: object) -> Record:
    """Every documented field of the resource, null where the source says nothing."""
    nulls = {field.name: None for field in RESOURCE[resource].fields if field.documented}
    return nulls | values


def _of_the_one_vendor() -> dict[str, object]:
    return {
        "category_id": guid("category", CATEGORY_TITLE),
        "category_name": CATEGORY_TITLE,
        "vendor_id": guid("vendor", VENDOR_NAME),
        "vendor_name": VENDOR_NAME,
    }


def buyer_id(customer_id: int | None) -> str | None:
    return None if customer_id is None else guid("customer", str(customer_id))


def company_name(customer_id: int | None) -> str | None:
    return None if customer_id is None else f"Customer {customer_id}"


@cache
def guid(thing: str, name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"https://doi.org/10.24432/C5BW33#{thing}={name}"))


def timestamp(at: datetime) -> str:
    """The source names no zone: taken as UTC."""
    return f"{at.isoformat()}Z"


def literal(amount: Decimal) -> str:
    """The amount exactly, without trailing zeros and without a negative zero."""
    return f"{amount.normalize():f}" if amount else "0"


def number(amount: Decimal) -> msgspec.Raw:
    """A JSON number of exactly these digits."""
    return msgspec.Raw(literal(amount).encode())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python tests/online_retail.py SOURCE FOLDER")
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
