"""Mail: a letter as a message: text and HTML, with the page of paper and the workbook."""

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256

from wholesale_letters.html import html_of
from wholesale_letters.letter import Letter
from wholesale_letters.text import text_of

TYPES: Mapping[str, tuple[str, str]] = {
    ".pdf": ("application", "pdf"),
    ".xlsx": ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
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
    message = EmailMessage()
    message["From"] = sender
    message["To"] = Address(addr_spec=to) if to.isascii() else to
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = identity
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no absence is answered
    message.set_content(text_of(letter))
    message.add_alternative(html_of(letter), subtype="html")
    for name, content in attached.items():
        kind, subtype = TYPES[name[name.rindex(".") :]]
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=name)
    return message
