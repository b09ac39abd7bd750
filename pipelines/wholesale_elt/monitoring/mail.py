"""Mail: one message, made and sent by SMTP, encrypted, in time; the password is never shown."""

import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from email.headerregistry import Address
from email.message import EmailMessage
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

from wholesale_elt.monitoring.alerts import Alert, worst
from wholesale_elt.monitoring.webhook import NotTaken

SUBMISSION, SUBMISSIONS = 587, 465
"""The ports of RFC 6409 and RFC 8314: encrypted by STARTTLS, and from the first byte."""
HERE = {"localhost", "127.0.0.1", "::1"}
"""Where a message needs no encryption."""
END = b"\r\n.\r\n"
"""What ends a message: from here on a server may have taken it."""
PERMANENT = 500
WORKBOOK = "wholesale.xlsx"
"""The file of a version that a plug-in may add, beside its DuckDB file."""
TYPES: Mapping[str, tuple[str, str]] = {
    ".pdf": ("application", "pdf"),
    ".xlsx": ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
"""What files are, by the ends of their names."""


class NotSent(NotTaken):
    """The server did not take a message. `code` is what it answered of the message or its receiver,
    None if it came to none; in doubt it may have taken it, as the whole message was sent to it."""

    def __init__(self, why: str, code: int | None = None, *, is_in_doubt: bool = False) -> None:
        super().__init__(why)
        self.code, self.is_in_doubt = code, is_in_doubt

    @property
    def is_final(self) -> bool:
        """Whether it will not take this message later either."""
        return self.code is not None and self.code >= PERMANENT


def make_message(
    sender: str,
    to: str | Address,
    subject: str,
    text: str,
    *,
    html: str | None = None,
    attached: Mapping[str, bytes] = MappingProxyType({}),
) -> EmailMessage:
    """A message as text, and as HTML too; `attached` are files by name, of TYPES."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no absence is answered
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    for name, content in attached.items():
        kind, subtype = TYPES[name[name.rindex(".") :]]
        message.add_attachment(content, maintype=kind, subtype=subtype, filename=name)
    return message


def alert_message(
    sender: str,
    to: Sequence[str],
    text: str,
    attached: Mapping[str, bytes] = MappingProxyType({}),
) -> EmailMessage:
    """A text, of which the first line is the subject, too."""
    subject = text.partition("\n")[0][:150]
    return make_message(sender, ", ".join(to), subject, text, attached=attached)


def text_of_alerts(alerts: Sequence[Alert], warehouse: str, page: str | None) -> str:
    """The worst of them in the first line, then each with what it is about; with links into the
    page, where its address is known."""
    first = worst(alerts)
    subject = " ".join(first.subject.split())
    more = f", and {len(alerts) - 1:,} more" if len(alerts) > 1 else ""
    heading = f"{warehouse}: {first.severity}: {subject}{more}"
    return "\n".join([heading, *_lines(alerts, page or "")])


def _lines(alerts: Sequence[Alert], page: str) -> Iterator[str]:
    for alert in alerts:
        is_linked = bool(page and alert.to)
        # A paragraph of its own, if it has more than a line.
        yield from [""] if is_linked or alert.items or alert is alerts[0] else []
        yield str(alert)
        if is_linked:
            yield f"  {page}{alert.to}"
        for item in alert.items:
            yield f"  - {item.text}" + (f"  {page}{item.to}" if page else "")
        more = alert.item_count - len(alert.items)
        if alert.items and more > 0:
            yield f"  and {more:,} more"


def send(
    server: str,
    message: EmailMessage,
    seconds: float,
    before_end: Callable[[], None] = lambda: None,
    when_taken: Callable[[], None] = lambda: None,
) -> None:
    """Send a message to those whom it is to; `before_end` is called when all of it is sent but the
    end, without which no server takes it, and `when_taken` as soon as the server says that it did.

    `server` is `smtps://user:password@host` or `smtp://…`, both percent-encoded as in any URL.

    Raises: NotSent, which tells the server's code and not its words, as those may name people.
    """
    at = urlsplit(server)
    connection: smtplib.SMTP | None = None
    try:
        connection = _connected(at.scheme, at.hostname or "", at.port, seconds, before_end)
        if at.username:
            connection.login(unquote(at.username), unquote(at.password or ""))
        connection.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        code = max(code for code, _ in error.recipients.values())
        raise NotSent(f"it answered {code}", code) from None
    except (smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
        raise NotSent(f"it answered {error.smtp_code}", error.smtp_code) from None
    except smtplib.SMTPResponseException as error:
        raise NotSent(f"it answered {error.smtp_code}") from None
    except (OSError, smtplib.SMTPException) as error:
        is_in_doubt = isinstance(connection, _Ending) and connection.is_at_end
        raise NotSent(type(error).__name__, is_in_doubt=is_in_doubt) from None
    else:
        when_taken()
    finally:
        if connection:
            with suppress(OSError, smtplib.SMTPException):  # what it took stays taken
                connection.quit()


class _Ending(smtplib.SMTP):
    """A connection that holds back the end of a message until somebody has noted it."""

    before_end: Callable[[], None]
    is_at_end = False
    """Whether the end was sent, and no answer has come."""

    def send(self, s: Any) -> None:
        if isinstance(s, bytes) and s.endswith(END):
            super().send(s[: -len(END)] + END[:2])
            self.before_end()
            super().send(END[2:])
            self.is_at_end = True
        else:
            super().send(s)

    def getreply(self) -> tuple[int, bytes]:
        reply = super().getreply()
        self.is_at_end = False
        return reply


class _EncryptedEnding(_Ending, smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""


def _connected(
    scheme: str, host: str, port: int | None, seconds: float, before_end: Callable[[], None]
) -> smtplib.SMTP:
    context = ssl.create_default_context()
    connection: _Ending
    if scheme == "smtps":
        connection = _EncryptedEnding(host, port or SUBMISSIONS, timeout=seconds, context=context)
    else:
        connection = _Ending(host, port or SUBMISSION, timeout=seconds)
        if host not in HERE:
            connection.starttls(context=context)
    connection.before_end = before_end
    return connection
