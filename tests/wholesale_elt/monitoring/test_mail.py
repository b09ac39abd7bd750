"""A mail says what a webhook would be told; whatever the server does, the password stays hidden."""

import email
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from email.policy import default as modern
from pathlib import Path

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from wholesale_elt.monitoring.alerts import Alert, Item
from wholesale_elt.monitoring.mail import alert_message, send, text_of_alerts
from wholesale_elt.monitoring.webhook import NotTaken

SENDER, TO = "elt@example.org", ("desk@example.org", "books@example.org")
TEXT = "w.duckdb: failed\n\nfailed: run: no answer, größer\n"
PASSWORD = "s3cr/t"


class Mailbox:
    """What arrived, as sender, receivers, subject and text."""

    def __init__(self) -> None:
        self.got: list[tuple[str | None, list[str], str, str]] = []
        self.has_password = False
        self.answer = "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=modern)
        text = message.get_content().replace("\r\n", "\n")
        self.has_password = bool(session.authenticated)
        self.got.append((envelope.mail_from, envelope.rcpt_tos, message["Subject"], text))
        return self.answer


def check(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object
) -> AuthResult:
    assert isinstance(data, LoginPassword)
    return AuthResult(success=data.password == PASSWORD.encode(), handled=False)


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def port(mailbox: Mailbox) -> Iterator[int]:
    yield from running(Controller(mailbox, hostname="127.0.0.1", port=free_port()))


@pytest.fixture
def secure_port(mailbox: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server whose certificate this machine trusts, and which wants a password."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    yield from running(
        Controller(
            mailbox,
            hostname="localhost",
            port=free_port(),
            ssl_context=context,
            authenticator=check,
            auth_require_tls=False,
        )
    )


def running(controller: Controller) -> Iterator[int]:
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def test_a_mail_is_the_text_with_its_first_line_as_subject(mailbox: Mailbox, port: int) -> None:
    send(f"smtp://localhost:{port}", alert_message(SENDER, TO, TEXT), 5)

    assert mailbox.got == [(SENDER, list(TO), "w.duckdb: failed", TEXT)]


def test_an_encrypted_server_gets_the_password(mailbox: Mailbox, secure_port: int) -> None:
    send(f"smtps://elt:s3cr%2Ft@localhost:{secure_port}", alert_message(SENDER, TO, TEXT), 5)

    assert mailbox.has_password
    assert mailbox.got == [(SENDER, list(TO), "w.duckdb: failed", TEXT)]


def refused_by_its_answer(mailbox: Mailbox, port: int, secure_port: int) -> str:
    mailbox.answer = f"554 no such desk@example.org {PASSWORD}"
    return f"smtp://localhost:{port}"


def refused_for_the_password(mailbox: Mailbox, port: int, secure_port: int) -> str:
    return f"smtps://elt:{PASSWORD.replace('/', '%2F')}wrong@localhost:{secure_port}"


def not_trusted(mailbox: Mailbox, port: int, secure_port: int) -> str:
    return f"smtps://elt:{PASSWORD.replace('/', '%2F')}@127.0.0.1:{secure_port}"  # of another name


def not_there(mailbox: Mailbox, port: int, secure_port: int) -> str:
    return "smtp://localhost:1"


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (refused_by_its_answer, "it answered 554"),
        (refused_for_the_password, "it answered 535"),
        (not_trusted, "SSLCertVerificationError"),
        (not_there, "ConnectionRefusedError"),
    ],
)
def test_a_server_that_does_not_take_it_says_no_more_than_why(
    mailbox: Mailbox,
    port: int,
    secure_port: int,
    place: Callable[[Mailbox, int, int], str],
    why: str,
) -> None:
    with pytest.raises(NotTaken) as refused:
        send(place(mailbox, port, secure_port), alert_message(SENDER, TO, TEXT), 5)

    assert str(refused.value) == why


ITEMS = [Item(f"order {number}, größer", f"#/order/{number}") for number in range(2)]


@pytest.mark.parametrize(
    ("page", "links"),
    [
        (None, []),
        (
            "https://host/index.html",
            ["https://host/index.html#/today/old"]
            + [f"https://host/index.html#/order/{number}" for number in range(2)],
        ),
    ],
)
def test_a_mail_names_what_an_alert_is_about_with_links_where_the_page_is_known(
    page: str | None, links: list[str]
) -> None:
    alerts = [
        Alert("rule", "old", "it is 12", to="#/today/old", items=ITEMS, item_count=12),
        Alert("failed", "sync", "no answer"),
    ]

    text = text_of_alerts(alerts, "w.duckdb", page)

    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "w.duckdb: failed: sync, and 1 more"
    assert str(alerts[0]) in lines
    assert str(alerts[1]) in lines
    assert re.findall(r"https\S+", text) == links
    assert [item.text for item in ITEMS if any(item.text in line for line in lines)] == [
        item.text for item in ITEMS
    ]
    assert "and 10 more" in lines


def test_files_go_with_a_mail_under_their_names() -> None:
    message = alert_message(SENDER, TO, TEXT, {"wholesale.xlsx": b"PK", "a.pdf": b"%PDF"})

    files = [(part.get_filename(), part.get_content()) for part in message.iter_attachments()]
    assert files == [("wholesale.xlsx", b"PK"), ("a.pdf", b"%PDF")]
