"""Definitions: what the columns mean that the dashboard shows, as the models describe them."""

from wholesale_elt.dashboard.pages import PAGES
from wholesale_elt.models import described, models_in


def read_definitions() -> dict[str, dict[str, str]]:
    """The description of each column that a tile shows, by its report."""
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
