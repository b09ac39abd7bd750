"""Handed over: a business whose versions are written at once, and a receiver that counts."""

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

from wholesale_elt.publish.manifest import File, Manifest

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "fct_orders": {
        "order_id": "varchar",
        "order_number": "varchar",
        "vendor_id": "varchar",
        "buyer_id": "varchar",
        "buyer_company_name": "varchar",
        "shipping_zip": "varchar",
        "order_status": "varchar",
        "total": "decimal(38, 9)",
        "is_cancelled": "boolean",
        "is_deleted": "boolean",
        "ordered_at": "timestamptz",
        "deleted_at": "timestamptz",
        "synced_at": "timestamptz",
    },
    "fct_order_lines": {
        "order_line_id": "varchar",
        "order_id": "varchar",
        "line_number": "bigint",
        "sku": "varchar",
        "quantity": "bigint",
        "total_price": "decimal(38, 9)",
    },
    "fct_order_comments": {
        "order_comment_id": "varchar",
        "order_id": "varchar",
        "comment_number": "bigint",
        "body": "varchar",
    },
}
VENDORS = ("v1", "v2", "v3")
PERSONAL = ("fct_order_comments.body", "fct_orders.shipping_zip")
Row = dict[str, Any]


@dataclass
class Business:
    """Orders with their lines and comments, as the marts have them."""

    orders: dict[str, Row] = field(default_factory=dict)
    lines: dict[str, list[Row]] = field(default_factory=dict)
    comments: dict[str, list[Row]] = field(default_factory=dict)

    def order(self, id_: str, vendor: str = "v1", state: str = "received", **other: Any) -> Row:
        """Add an order with two lines and a comment."""
        number = len(self.orders) + 1
        self.orders[id_] = {
            "order_id": id_,
            "order_number": f"{number:08d}",
            "vendor_id": vendor,
            "buyer_id": "b1",
            "buyer_company_name": 'Ölmühle & Sons, "the" first',
            "shipping_zip": "10115",
            "order_status": state,
            "total": Decimal("12.50"),
            "is_cancelled": False,
            "is_deleted": False,
            "ordered_at": BEGIN + timedelta(minutes=number),
            "deleted_at": None,
        } | other
        self.lines[id_] = [_line(id_, 1), _line(id_, 2)]
        self.comments[id_] = [_comment(id_, 1)]
        return self.orders[id_]

    def rows(self) -> Mapping[str, Sequence[Row]]:
        return {
            "fct_orders": list(self.orders.values()),
            "fct_order_lines": [row for rows in self.lines.values() for row in rows],
            "fct_order_comments": [row for rows in self.comments.values() for row in rows],
        }

    def live(self, chance: random.Random, moves: int) -> None:
        """What happens to orders while nobody looks; now and then nothing."""
        for _ in range(moves):
            if not self.orders or chance.random() < 0.3:
                self.order(f"o{len(self.orders) + 1}", chance.choice(["v1", "v2"]))
                continue
            id_ = chance.choice(list(self.orders))
            order = self.orders[id_]
            match chance.randrange(9):
                case 0:
                    order["total"] = Decimal(chance.randrange(1, 10**6)).scaleb(-3)
                case 1:
                    order |= {"order_status": "cancelled", "is_cancelled": True}
                case 2:
                    order |= {"is_deleted": True, "deleted_at": BEGIN + timedelta(days=300)}
                case 3:
                    order |= {"is_deleted": False, "deleted_at": None}
                case 4:
                    order["vendor_id"] = chance.choice(["v1", "v2"])
                case 5:
                    order |= {"order_status": chance.choice(["received", "shipped"])}
                    order["is_cancelled"] = False
                case 6:
                    self.lines[id_] = [
                        _line(id_, number) for number in range(1, chance.randrange(1, 5))
                    ]
                case 7:
                    self.comments[id_] = [_comment(id_, 1)] * chance.randrange(2)
                case _:
                    order["shipping_zip"] = chance.choice(["10115", None, ""])


def _line(order: str, number: int) -> Row:
    return {
        "order_line_id": f"{order}-{number}",
        "order_id": order,
        "line_number": number,
        "sku": "" if number == 1 else None,
        "quantity": number,
        "total_price": Decimal("6.25"),
    }


def _comment(order: str, number: int) -> Row:
    return {
        "order_comment_id": f"{order}-{number}",
        "order_id": order,
        "comment_number": number,
        "body": 'call "Ann"\n+49 30 1234567 \x00\u2028',
    }


@dataclass
class Versions:
    """A published folder, of whose versions each has what is handed over and no more."""

    folder: Path
    number: int = 0

    def publish(
        self,
        business: Business,
        *,
        allowed: Sequence[str] = (),
        is_complete: bool = True,
        at: datetime | None = None,
        **changes: Any,
    ) -> Manifest:
        """Put a version in force: the columns of a person are those that are `allowed`."""
        self.number += 1
        moment = (at or BEGIN + timedelta(hours=self.number)).isoformat()
        name = f"{self.number:05d}"
        file = self.folder / "versions" / name / "wholesale.duckdb"
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, business.rows(), allowed, datetime.fromisoformat(moment))
        manifest = Manifest(
            **{
                "version": name,
                "published_at": moment,
                "source": "account",
                "run_id": name,
                "as_of": moment,
                "built_at": moment,
                "verdict": "complete" if is_complete else "incomplete",
                "reasons": [] if is_complete else ["orders are not complete"],
                "currency": "USD",
                "time_zone": "UTC",
                "software": "",
                "database": File(str(file.relative_to(self.folder)), 0, ""),
                "tables": [],
                "contracts": [],
                "personal": sorted(allowed),
                "dashboard": "",
                "dashboard_files": [],
            }
            | changes
        )
        (self.folder / "index.html").touch()
        (self.folder / "current.json").write_text(manifest.as_json(), "utf-8")
        return manifest


def write(
    file: Path, rows: Mapping[str, Sequence[Row]], allowed: Sequence[str], at: datetime
) -> None:
    with duckdb.connect(str(file)) as connection:
        connection.execute("set timezone = 'UTC'; create schema wholesale_marts")
        connection.execute(
            "create table wholesale_marts.dim_vendors as select unnest(?) as vendor_id", [VENDORS]
        )
        for table, columns in COLUMNS.items():
            names = [
                name
                for name in columns
                if f"{table}.{name}" not in PERSONAL or f"{table}.{name}" in allowed
            ]
            listed = ", ".join(f"{name} {columns[name]}" for name in names)
            connection.execute(f"create table wholesale_marts.{table} ({listed})")
            values = [[{"synced_at": at, **row}.get(name) for name in names] for row in rows[table]]
            if values:
                marks = ", ".join("?" for _ in names)
                connection.execute("begin")
                connection.executemany(
                    f"insert into wholesale_marts.{table} values ({marks})", values
                )
                connection.execute("commit")


def contents(version: Path) -> dict[str, Any]:
    """Each order of a version as a batch is to have it, from its tables, by other code."""
    with duckdb.connect(str(version), read_only=True) as connection:
        connection.execute("set timezone = 'UTC'")
        found: dict[str, Any] = {}
        for table, part in (("orders", "order"), ("order_lines", ""), ("order_comments", "")):
            cursor = connection.execute(
                f"from wholesale_marts.fct_{table} order by order_id, {2 if part else 3}"
            )
            names = [column[0] for column in cursor.description or ()]
            for values in cursor.fetchall():
                row = {
                    name: _written(value)
                    for name, value in zip(names, values, strict=True)
                    if name != "synced_at"
                }
                if part:
                    found[row["order_id"]] = {
                        "order": row,
                        "order_lines": [],
                        "order_comments": [],
                    }
                else:
                    found[row["order_id"]][table].append(row)
    return found


def _written(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if isinstance(value, datetime) else value


class WrongBatch(AssertionError):
    """A batch that a receiver cannot rely on."""


@dataclass
class Counting:
    """A receiver: applies batches by number, and ignores those that it has."""

    place: Path
    number: int = 0
    previous: str = ""
    has: dict[str, Any] = field(default_factory=dict)
    gone: dict[str, Any] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)

    def read(self) -> int:
        """Take all batches that are there; the number of the last one."""
        while (folder := self.place / f"{self.number + 1:06d}").joinpath("manifest.json").exists():
            self._apply(folder)
        return self.number

    def _apply(self, folder: Path) -> None:
        text = (folder / "manifest.json").read_bytes()
        manifest = json.loads(text)
        _require(manifest["number"] == self.number + 1, "a number is missing")
        _require(manifest["previous"] == self.previous, "it does not follow the batch before it")
        (file,) = manifest["files"]
        lines = (folder / file["path"]).read_bytes()
        _require(sha256(lines).hexdigest() == file["sha256"], "another file")
        _require(len(lines) == file["bytes"], "another size")
        records = [json.loads(line) for line in lines.split(b"\n") if line]
        _require(len(records) == manifest["records"], "another number of records")
        _require(
            [record["position"] for record in records] == [*range(1, len(records) + 1)], "order"
        )
        ids = [record["order_id"] for record in records]
        _require(len(set(ids)) == len(ids), "an order twice")
        _require(Counter(record["kind"] for record in records) == manifest["counts"], "counts")
        for record in records:
            self._take(record)
        self.number, self.previous = manifest["number"], sha256(text).hexdigest()

    def _take(self, record: Row) -> None:
        id_, kind = record["order_id"], record["kind"]
        content = {name: record[name] for name in ("order", "order_lines", "order_comments")}
        self.kinds[kind] += 1
        if kind == "left":
            _require(id_ in self.has or id_ in self.gone, "left what was not there")
            self.has.pop(id_, None)
            self.gone.pop(id_, None)
        elif kind == "gone":
            _require(self.gone.get(id_) != content, "gone twice")
            self.has.pop(id_, None)
            self.gone[id_] = content
        else:
            is_known = kind in ("changed", "cancelled")
            _require((id_ in self.has) == is_known, f"{kind} of what is there, or is not")
            _require((id_ in self.gone) == (kind == "returned"), f"{kind} of what is gone")
            _require(self.has.get(id_) != content, "the same content twice")
            self.gone.pop(id_, None)
            self.has[id_] = content


def _require(is_so: bool, what: str) -> None:
    if not is_so:
        raise WrongBatch(what)
