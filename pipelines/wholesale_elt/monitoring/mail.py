"""Mail: one message by SMTP, encrypted; each step has a deadline; the password is never shown."""

import smtplib
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote, urlsplit

from wholesale_elt.monitoring.webhook import NotTaken

SUBMISSION, SUBMISSIONS = 587, 465
"""The ports of RFC 6409 and RFC 8314: encrypted by STARTTLS, and from the first byte."""
HERE = {"localhost", "127.0.0.1", "::1"}
"""Where a message needs no encryption."""
END = b"\r\n.\r\n"
"""What ends a message: from here on a server may have taken it."""
PERMANENT = 500


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


def text_message(sender: str, to: Sequence[str], text: str) -> EmailMessage:
    """A text, of which the first line is the subject, too."""
    message = EmailMessage()
    message["From"], message["To"] = sender, ", ".join(to)
    message["Subject"] = text.partition("\n")[0][:150]
    message.set_content(text)
    return message


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
