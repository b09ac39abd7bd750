"""Mail: one message by SMTP, encrypted; each step has a deadline; the password is never shown."""

import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from wholesale_elt.monitoring.webhook import NotTaken

SUBMISSION, SUBMISSIONS = 587, 465
"""The ports of RFC 6409 and RFC 8314: encrypted by STARTTLS, and from the first byte."""
HERE = {"localhost", "127.0.0.1", "::1"}
"""Where a message needs no encryption."""


def send(server: str, sender: str, to: Sequence[str], text: str, seconds: float) -> None:
    """Send a text, of which the first line is the subject, too.

    `server` is `smtps://user:password@host` or `smtp://…`, both percent-encoded as in any URL.

    Raises: NotTaken, which tells the server's code and not its words, as those may name people.
    """
    message = EmailMessage()
    message["From"], message["To"] = sender, ", ".join(to)
    message["Subject"] = text.partition("\n")[0][:150]
    message.set_content(text)
    at = urlsplit(server)
    try:
        with _connected(at.scheme, at.hostname or "", at.port, seconds) as connection:
            if at.username:
                connection.login(unquote(at.username), unquote(at.password or ""))
            connection.send_message(message)
    except smtplib.SMTPResponseException as error:
        raise NotTaken(f"it answered {error.smtp_code}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(type(error).__name__) from None


def _connected(scheme: str, host: str, port: int | None, seconds: float) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if scheme == "smtps":
        return smtplib.SMTP_SSL(host, port or SUBMISSIONS, timeout=seconds, context=context)
    connection = smtplib.SMTP(host, port or SUBMISSION, timeout=seconds)
    if host not in HERE:
        connection.starttls(context=context)
    return connection
