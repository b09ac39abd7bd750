"""Metabase: a collection with a model and the months of each star, in its own format.

That is version 1 of @metabase/representations, which Metabase imports as a serialization.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from wholesale_formats.stars import DATABASE, Published, Star
from wholesale_formats.writing import Files, as_yaml, by_month

MAKER = "internal@metabase.com"
"""The user whom Metabase has for what nobody made."""
FOLDER = "collections/main"


def files(published: Published) -> Files:
    found = {
        f"{FOLDER}/wholesale.yaml": as_yaml(
            {
                "name": "Wholesale",
                "entity_id": COLLECTION,
                "description": f"Metrics of {published.database}.",
                "serdes/meta": _meta(COLLECTION, "wholesale", "Collection"),
            }
        ),
    }
    for star in published.stars:
        cards = {star.name: _card(star.name, star.label, star, star.sql(), "model")}
        if star.day:
            name, label = f"{star.name}_by_month", f"{star.label} by month"
            cards[name] = _card(name, label, star, by_month(star), "question")
        for name, card in cards.items():
            found[f"{FOLDER}/wholesale/{name}.yaml"] = as_yaml(card)
    return found


def _card(name: str, label: str, star: Star, sql: str, type_: str) -> dict[str, Any]:
    entity = _id(name)
    # The driver opens the published file, whose tables are then in `wholesale`, as it is called.
    stage = {"lib/type": "mbql.stage/native", "native": sql, "template-tags": []}
    return {
        "name": label,
        "entity_id": entity,
        "display": "table",
        "creator_id": MAKER,
        "type": type_,
        "description": star.description,
        "dataset_query": {"lib/type": "mbql/query", "database": DATABASE, "stages": [stage]},
        "visualization_settings": {},
        "parameters": [],
        "parameter_mappings": [],
        "collection_id": COLLECTION,
        "serdes/meta": _meta(entity, name, "Card"),
    }


def _meta(entity: str, label: str, model: str) -> list[dict[str, str]]:
    return [{"id": entity, "label": label, "model": model}]


def _id(name: str) -> str:
    """An id of 21 letters, the same for the same name."""
    return urlsafe_b64encode(sha256(f"wholesale {name}".encode()).digest()).decode()[:21]


COLLECTION = _id("wholesale")
