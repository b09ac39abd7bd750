"""An office: a warehouse, what is published of it, and the command that sends letters on it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from support.warehouses.marts import Marts
from wholesale_elt.cli.main import cli
from wholesale_elt.publish.publisher import publish_marts


@dataclass(frozen=True)
class Office:
    """A folder with a warehouse, what is published of it, and letters on it."""

    folder: Path
    marts: Marts

    @property
    def published(self) -> Path:
        return self.folder / "published"

    @property
    def words(self) -> list[str]:
        database = str(self.marts.database)
        return ["letter", "--database", database, "--published", str(self.published)]

    def send(self, *words: str) -> Result:
        return CliRunner().invoke(cli, [*self.words, *words], catch_exceptions=False)

    def publish(self, **options: Any) -> None:
        publish_marts(self.marts.warehouse, str(self.published), **options)
