"""Mail: a letter as a message: text and HTML, with the page of paper and the workbook."""

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256

from wholesale_elt.monitoring import make_message
from wholesale_letters.html import html_of
from wholesale_letters.letter import Letter
from wholesale_letters.text import text_of

DIGITS = 32
"""Of the hash that a message is known by."""


def message_id(sender: str, build: str, key: str) -> str:
    """The same for the same build and recipient, so that a second try is known as one."""
    told = sha256(f"{build} {key}".encode()).hexdigest()[:DIGITS]
    return f"<{told}@{sender.rpartition('@')[2].rstrip('>').strip() or 'localhost'}>"


def message_of(
    letter: Letter,
    sender: str,
    to: str,
    identity: str,
    now: datetime,
    attached: Mapping[str, bytes],
) -> EmailMessage:
    """The message; `attached` are files by name."""
    receiver = Address(addr_spec=to) if to.isascii() else to
    told = html_of(letter)
    text = text_of(letter)
    message = make_message(sender, receiver, letter.subject, text, html=told, attached=attached)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = identity
    return message
