"""Places: where this machine has published a warehouse."""

import os
from collections.abc import Sequence

import msgspec

from wholesale_elt.process import private, replace
from wholesale_elt.publish.store import folder_at
from wholesale_elt.warehouse import Warehouse

PLACES = "places.json"
"""The file in the state folder that names where versions are."""


def noted_places(warehouse: Warehouse) -> Sequence[str]:
    """Where this machine has published the warehouse, as far as it is noted: folders by their whole
    path."""
    try:
        return msgspec.json.decode((warehouse.state_folder / PLACES).read_bytes(), type=list[str])
    except (OSError, msgspec.DecodeError):
        return ()


def whole_place(place: str) -> str:
    """A place as it is noted, wherever it is named from."""
    path = folder_at(place)
    return place if path is None else os.path.abspath(path)


def note_place(warehouse: Warehouse, place: str) -> None:
    """Note where a version is, so that an erasure can name it."""
    noted = {*noted_places(warehouse)}
    if (whole := whole_place(place)) not in noted:
        text = msgspec.json.encode(sorted({*noted, whole}))
        with private():
            replace(warehouse.state_folder / PLACES, lambda partial: partial.write_bytes(text))
