"""Webhook: one POST of JSON, within a deadline; its address is a secret and never shown."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from html import escape

import msgspec

from wholesale.http import httpx
from wholesale_elt.monitoring.alerts import Alert, worst
from wholesale_elt.monitoring.summary import Summary

HEADERS = {"Content-Type": "application/json", "User-Agent": "wholesale-elt"}


class NotTaken(Exception):
    """The webhook did not accept the alerts; the message does not show its address."""


def body_of(
    alerts: Sequence[Alert], warehouse: str, summary: Summary | None, at: datetime
) -> bytes:
    """The body of the POST: `text` for chats, the rest for programs."""
    return msgspec.json.encode(
        {
            "text": for_chat(f"{warehouse}: {'; '.join(map(str, alerts))}"),
            "severity": worst(alerts).severity,
            "warehouse": warehouse,
            "at": at,
            "alerts": [asdict(alert) for alert in alerts],
            "summary": summary.model_dump(mode="json") if summary else None,
        }
    )


def for_chat(text: str) -> str:
    """The text without what a chat takes for a link, a command or somebody to call."""
    return escape(text, quote=False).replace("@", "(at)")


def post(
    address: str, body: bytes, seconds: float, headers: Mapping[str, str] | None = None
) -> None:
    """Raises: NotTaken for a response other than 2xx, or none within so many seconds."""
    failure: list[str] = []

    def send() -> None:
        try:
            # A redirect is not followed: it could send the alerts elsewhere.
            response = httpx.post(
                address,
                content=body,
                headers={**HEADERS, **(headers or {})},
                timeout=seconds,
                follow_redirects=False,
            )
            if not response.is_success:
                failure.append(f"it answered {response.status_code}")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            failure.append(type(error).__name__)  # its text may contain the address

    # httpx limits single reads only, so a response of a byte a second would never time out.
    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    sender.join(seconds)
    if sender.is_alive():
        failure.append(f"it took longer than {seconds:g} s")
    if failure:
        raise NotTaken(failure[0])
