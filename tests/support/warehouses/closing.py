"""Closing: a warehouse and its published folder, and the commands that close months of it."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
from click.testing import CliRunner

from wholesale_books.book import Book
from wholesale_books.months import ClosedMonth, all_closes
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.manifest import (
    CURRENT,
    DATABASE,
    MANIFEST,
    Manifest,
    describe_file,
)
from wholesale_elt.warehouse.destination import Warehouse

LARGE = 2**20


@dataclass(frozen=True)
class Done:
    """How a command ended, and the object that it printed."""

    code: int
    answer: Mapping[str, Any]
    text: str


@dataclass(frozen=True)
class Accounting:
    """The folder with `wholesale.duckdb` and `published`, and the book that comes to be there."""

    folder: Path

    @property
    def published(self) -> Path:
        return self.folder / "published"

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.folder / "wholesale.duckdb")

    @property
    def book(self) -> Book:
        return Book(self.folder / "books" / "wholesale.duckdb")

    @property
    def closes(self) -> Sequence[ClosedMonth]:
        return all_closes(self.book)

    @property
    def manifest(self) -> Manifest:
        return Manifest.of((self.published / CURRENT).read_bytes())

    @property
    def months(self) -> Sequence[str]:
        """The months of which all days are known, the last one first."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            ((first, last),) = connection.execute(
                "select figures_from, figures_up_to from wholesale_marts.dim_as_of"
            ).fetchall()
        months, end = [], (last + timedelta(days=1)).replace(day=1)
        while (begin := (end - timedelta(days=1)).replace(day=1)) >= first:
            months.append(f"{begin:%Y-%m}")
            end = begin
        return months

    @property
    def database(self) -> Path:
        return self.published / self.manifest.database.path

    @property
    def files(self) -> Mapping[str, bytes]:
        """Those of the book, but for its lock."""
        return {
            path.relative_to(self.book.folder).as_posix(): path.read_bytes()
            for path in sorted(self.book.folder.rglob("*"))
            if path.is_file() and path.name != ".lock"
        }

    def copy(self, folder: Path) -> "Accounting":
        """The same elsewhere: large files, which are never written to, by links."""
        shutil.copytree(self.folder, folder, copy_function=_link)
        return Accounting(folder)

    def run(self, *words: str) -> Done:
        """Run a command on this warehouse and folder, whatever the folder in use."""
        where = ["--database", str(self.folder / "wholesale.duckdb")]
        where += ["--published", str(self.published)]
        result = CliRunner().invoke(cli, [words[0], *where, *words[1:], "--json"])
        answer = json.loads(result.stdout) if result.stdout else {}
        return Done(result.exit_code, answer, result.output)

    def tell(self, **changes: Any) -> None:
        """Change what the manifest of the version in force says."""
        self._write(replace(self.manifest, **changes))

    def put(self, version: str, published_at: str) -> None:
        """Put a version of that name in force, with the same files."""
        folder = self.published / "versions" / version
        folder.mkdir()
        self._write(replace(self.manifest, version=version, published_at=published_at))

    def replace_database(self, *statements: str) -> None:
        """Change the DuckDB file of the version in force, as its manifest then says."""
        path = self.database
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text)
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)
        fixed = self.published / DATABASE
        fixed.unlink()
        os.link(path, fixed)
        self.tell(database=describe_file(self.published, path))

    def _write(self, manifest: Manifest) -> None:
        for path in (
            self.published / CURRENT,
            self.published / "versions" / manifest.version / MANIFEST,
        ):
            path.unlink(missing_ok=True)
            path.write_text(manifest.as_json(), "utf-8")


def _link(source: str, target: str) -> None:
    is_large = os.path.getsize(source) > LARGE
    (os.link if is_large else shutil.copy2)(source, target)
