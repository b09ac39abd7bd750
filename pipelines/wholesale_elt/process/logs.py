"""Logs: lines on standard error, as text or JSON, of this project and of dlt."""

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime


def set_up(*, is_debug: bool, is_quiet: bool, log_format: str) -> None:
    """Send the log of this process to standard error.

    dlt reads its log level from the environment when it starts; a level set there is kept.
    """
    os.environ.setdefault("RUNTIME__LOG_LEVEL", "INFO" if is_debug else "CRITICAL")
    handler = _Lines(_json_line if log_format == "json" else _text_line)
    logging.getLogger("dlt").handlers = [handler]  # dlt keeps a handler that is there
    log = logging.getLogger("wholesale")
    log.handlers = [handler]
    log.propagate = False
    log.setLevel(logging.DEBUG if is_debug else logging.ERROR if is_quiet else logging.WARNING)
    others = _Lines(handler.line_of)  # for libraries whose log has no handler
    others.setLevel(logging.ERROR if is_quiet else logging.WARNING)
    logging.lastResort = others


class _Lines(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes every record by `line_of`, ignoring its formatter: dlt sets one of its own."""

    def __init__(self, line_of: Callable[[logging.LogRecord], str]) -> None:
        super().__init__(sys.stderr)
        self.line_of = line_of

    def format(self, record: logging.LogRecord) -> str:
        return self.line_of(record)


def _text_line(record: logging.LogRecord) -> str:
    return f"{record.levelname} {record.name}: {record.getMessage()}"


def _json_line(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return json_line(record.levelname.lower(), record.name, record.getMessage(), at=at)


def json_line(
    level: str,
    logger: str,
    message: str,
    fields: Mapping[str, object] | None = None,
    *,
    at: datetime | None = None,
) -> str:
    """One line of a log in JSON, with `fields` beside the message."""
    head = {"at": (at or datetime.now(UTC)).isoformat(), "level": level, "logger": logger}
    return json.dumps({**head, "message": message, **(fields or {})})
