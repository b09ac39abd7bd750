"""A published version, and a mail server that takes what it is sent, or does as it is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller

from support.services.mailbox import ANN, BOSS, SENDER, Mailbox, free_port
from support.warehouses.marts import Marts
from support.warehouses.offices import Office


@pytest.fixture
def mailbox() -> Mailbox:
    return Mailbox()


@pytest.fixture
def port(mailbox: Mailbox) -> Iterator[int]:
    controller = Controller(mailbox, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@pytest.fixture(scope="session")
def _office(built: Marts, tmp_path_factory: pytest.TempPathFactory) -> Office:
    folder = tmp_path_factory.mktemp("office")
    office = Office(folder, built.copy(folder))
    office.publish()
    return office


@pytest.fixture
def office(_office: Office, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> Office:
    """The same for a test that sends; whoever it sends to is told by settings."""
    monkeypatch.setenv("MONITORING__MAIL_SERVER", f"smtp://localhost:{port}")
    monkeypatch.setenv("MONITORING__MAIL_FROM", SENDER)
    monkeypatch.setenv("MONITORING__WEBHOOK_SECONDS", "5")
    monkeypatch.setenv("LETTERS__RECIPIENTS", f'[{{"address": "{BOSS}"}}, {{"address": "{ANN}"}}]')
    folder = tmp_path / "office"
    folder.mkdir()
    copy = Office(folder, _office.marts.copy(folder))
    (folder / "published").symlink_to(_office.published)
    return copy
