"""Lookup: the records of a collection by the text of one field."""

from collections import defaultdict
from collections.abc import Iterable

import msgspec


class Lookup:
    """Ids by the text of one field, kept up to date record by record."""

    def __init__(self, field: str, records: Iterable[tuple[str, bytes]]) -> None:
        struct = msgspec.defstruct("Holder", [("text", object, None)], rename={"text": field})
        self._decoder = msgspec.json.Decoder(struct)
        self._ids: defaultdict[str, set[str]] = defaultdict(set)
        self._texts: dict[str, str] = {}
        for record_id, body in records:
            self.put(record_id, body)

    def ids(self, value: str) -> list[str]:
        return sorted(self._ids.get(value, ()))

    def put(self, record_id: str, body: bytes) -> None:
        self.remove(record_id)
        text = self._text(body)
        if text is not None:
            self._texts[record_id] = text
            self._ids[text].add(record_id)

    def remove(self, record_id: str) -> None:
        text = self._texts.pop(record_id, None)
        if text is not None:
            self._ids[text].discard(record_id)
            if not self._ids[text]:
                del self._ids[text]

    def _text(self, body: bytes) -> str | None:
        try:
            value: object = self._decoder.decode(body).text  # type: ignore[attr-defined]
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        return value if isinstance(value, str) else None
