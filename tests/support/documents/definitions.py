"""Definitions: what the dashboard says of its columns, taken from the descriptions of the models.

`poe generate` writes them anew.
"""

import json
import re
from collections.abc import Mapping

import yaml

from wholesale_elt.dashboard.definitions import FILE
from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models.project import project_folder

BLOCK = re.compile(r"{% docs (\w+) %}(.*?){% enddocs %}", re.DOTALL)
REFERENCE = re.compile(r"{{ doc\('(\w+)'\) }}")


def definitions() -> dict[str, dict[str, str]]:
    """The description of each column that a tile shows, by its model."""
    blocks = {
        name: " ".join(text.split())
        for path in project_folder().rglob("*.md")
        for name, text in BLOCK.findall(path.read_text("utf-8"))
    }
    shown: dict[str, set[str]] = {}
    for page in PAGES:
        for tile in page.tiles:
            shown.setdefault(tile.model, set()).update(column.name for column in tile.columns)
    return {
        model: {
            column: text
            for column, text in _described(model, blocks).items()
            if column in shown[model]
        }
        for model in sorted(shown)
    }


def _described(model: str, blocks: Mapping[str, str]) -> dict[str, str]:
    path = project_folder() / "models/bi" / f"{model}.yml"
    [described] = yaml.safe_load(path.read_text("utf-8"))["models"]
    return {
        column["name"]: REFERENCE.sub(
            lambda found: blocks[found[1]], " ".join(column["description"].split())
        )
        for column in described["columns"]
    }


def text() -> str:
    return json.dumps(definitions(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
