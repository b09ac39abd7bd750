"""Exposures: the pages in the dbt project, so that lineage runs from API field to tile."""

import json

from wholesale_elt.dashboard.page import Page
from wholesale_elt.dashboard.pages import PAGES

HEAD = """\
# Made by `python -m support.dbt_files`: edit wholesale_elt/dashboard/pages/, not this file.
version: 2

exposures:
"""
OWNER = "wholesale-elt"


def exposures() -> str:
    """One exposure a page, with the tiles on it and the columns that they show."""
    return HEAD + "".join(_exposure(page) for page in PAGES)


def _exposure(page: Page) -> str:
    lines = [
        f"  - name: dashboard_{page.name}",
        f"    label: {_text(f'Dashboard: {page.title}')}",
        "    type: dashboard",
        "    maturity: high",
        f"    description: {_text(page.question)}",
        "    owner:",
        f"      name: {OWNER}",
        "    depends_on:",
        *(f"      - ref('{model}')" for model in page.models),
        "    config:",
        "      meta:",
        "        tiles:",
    ]
    for tile in page.tiles:
        lines += [
            f"          - name: {tile.name}",
            f"            label: {_text(tile.label)}",
            f"            description: {_text(tile.explanation)}",
            f"            model: {tile.model}",
            f"            columns: [{', '.join(column.name for column in tile.columns)}]",
        ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
