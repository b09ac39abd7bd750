"""Options of items and variants, and the titles made of them (§2.1, §2.2)."""

from typing import Any, Literal

import msgspec
from msgspec import Raw

from wholesale_sandbox.contract import VARIANT_TITLE_SEPARATOR

_options = msgspec.json.Decoder(list[dict[str, Any]])


def merged(stored: Raw, sent: Raw, held: Literal["values", "value"]) -> Raw:
    """The options after a body: replaced or added by name, taken away by `_destroy`."""
    by_name = {entry.get("name"): entry for entry in _entries(stored)}
    for entry in _options.decode(sent):
        name = entry["name"]
        if entry.get("_destroy"):
            by_name.pop(name, None)
        else:
            by_name[name] = {"name": name, held: entry[held]}
    return Raw(msgspec.json.encode(list(by_name.values())))


def title(options: Raw) -> str:
    """The title of a variant with these options: their values, in their order."""
    values = (str(entry.get("value") or "") for entry in _entries(options))
    return VARIANT_TITLE_SEPARATOR.value.join(values)


def _entries(options: Raw) -> list[dict[str, Any]]:
    """The options of a stored record; None if they do not have the shape of §2."""
    try:
        return _options.decode(options)
    except msgspec.ValidationError:
        return []
