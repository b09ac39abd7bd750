"""Definitions: what the dashboard says of its columns, taken from the descriptions of the models.

`poe generate` writes them anew.
"""

import json

from support.documents.descriptions import described, models_in
from wholesale_elt.dashboard.definitions import FILE
from wholesale_elt.dashboard.pages import PAGES


def definitions() -> dict[str, dict[str, str]]:
    """The description of each column that a tile shows, by its model."""
    shown: dict[str, set[str]] = {}
    for page in PAGES:
        for tile in page.tiles:
            shown.setdefault(tile.model, set()).update(column.name for column in tile.columns)
    return {
        model["name"]: {
            column["name"]: described(column)
            for column in model["columns"]
            if column["name"] in shown[model["name"]]
        }
        for model in models_in("bi")
        if model["name"] in shown
    }


def text() -> str:
    return json.dumps(definitions(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
