"""Each recipient gets one letter on a version, whatever the server does and whoever is killed."""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from support.services.mailbox import ANN, BOSS, Mailbox, free_port
from support.warehouses.offices import Office
from wholesale_letters.journal import Journal
from wholesale_letters.settings import Recipient

STEPS = ("EHLO", "MAIL", "RCPT", "DATA", "TAKEN", "QUIT")
"""Before each of these is answered; at TAKEN the server has the letter already."""
BOTH = {BOSS: 1, ANN: 1}


def results(office: Office, *words: str) -> dict[str, str]:
    found = json.loads(office.send("--json", *words).stdout)
    return {each["address"]: each["result"] for each in found["letters"]}


def counts(mailbox: Mailbox) -> dict[str, int]:
    return {to: len(mailbox.of(to)) for to in (BOSS, ANN)}


def test_each_recipient_gets_one_letter_and_no_second_one(office: Office, mailbox: Mailbox) -> None:
    done = office.send()
    assert (done.exit_code, counts(mailbox)) == (0, BOTH)
    assert results(office) == {BOSS: "sent before", ANN: "sent before"}
    assert counts(mailbox) == BOTH
    [letter] = mailbox.of(BOSS)
    kinds = [part.get_content_type() for part in letter.walk() if not part.is_multipart()]
    assert kinds == ["text/plain", "text/html", "application/pdf"]
    assert (letter["From"], letter["To"]) == ("elt@example.org", BOSS)
    assert len({message["Message-ID"] for _, message in mailbox.got}) == 2
    assert letter["Auto-Submitted"] == "auto-generated"


@pytest.mark.parametrize("step", STEPS)
def test_a_letter_that_a_broken_connection_kept_back_is_sent_by_the_next_run(
    office: Office, mailbox: Mailbox, step: str
) -> None:
    mailbox.step, mailbox.told = step, mailbox.close
    first = office.send()
    is_over = step == "QUIT"
    assert first.exit_code == (0 if is_over else 1)
    mailbox.step = ""
    second = office.send()
    assert second.exit_code == 0
    ids = [message["Message-ID"] for message in mailbox.of(BOSS)]
    # whoever had it, and did not say so, gets it again, and can tell that it is the same
    assert len(ids) == (2 if step == "TAKEN" else 1)
    assert (len({*ids}), len(mailbox.of(ANN))) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_whenever_the_command_is_killed_each_recipient_gets_one_letter(
    office: Office, mailbox: Mailbox, step: str, tmp_path: Path
) -> None:
    mailbox.step, mailbox.told = step, mailbox.kill
    running = subprocess.Popen(
        [sys.executable, "-m", "wholesale_elt.cli.main", *office.words],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    mailbox.pid = running.pid
    mailbox.has_pid.set()
    assert running.wait(60) == -9
    time.sleep(0.2)  # the server finds out

    again = office.send()

    is_in_doubt = step in ("DATA", "TAKEN")
    assert again.exit_code == (1 if is_in_doubt else 0)
    if step == "DATA":  # the server threw away what it had: nobody can know that
        assert counts(mailbox) == {BOSS: 0, ANN: 1}
        assert results(office, "--again") == {BOSS: "sent", ANN: "sent before"}
    assert counts(mailbox) == BOTH
    assert office.send().exit_code == 0
    assert counts(mailbox) == BOTH


def test_a_letter_that_was_kept_back_at_its_end_is_in_doubt_and_is_said_once(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Journal.write

    def stop(self: Journal, key: str, told: Any) -> None:
        write(self, key, told)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "write", stop)
        office.send()
    assert counts(mailbox) == {BOSS: 0, ANN: 0}

    assert results(office) == {BOSS: "doubtful", ANN: "sent"}
    assert results(office) == {BOSS: "doubtful before", ANN: "sent before"}
    assert results(office, "--again") == {BOSS: "sent", ANN: "sent before"}
    assert counts(mailbox) == BOTH


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
def test_what_is_refused_for_now_is_tried_again(
    office: Office, mailbox: Mailbox, step: str
) -> None:
    mailbox.step, mailbox.told = step, lambda server, to: "451 later"
    assert results(office) == {BOSS: "waiting", ANN: "waiting"}
    assert counts(mailbox) == {BOSS: 0, ANN: 0}
    mailbox.step = ""
    assert results(office) == {BOSS: "sent", ANN: "sent"}
    assert counts(mailbox) == BOTH


@pytest.mark.parametrize("step", ["RCPT", "DATA"])
def test_what_is_refused_for_good_is_said_once_and_kept_from_nobody_else(
    office: Office, mailbox: Mailbox, step: str
) -> None:
    mailbox.step = step
    mailbox.told = lambda server, to: f"550 no {to}" if to == BOSS else None
    done = office.send()
    assert done.exit_code == 1
    assert "550" in done.stderr
    assert results(office) == {BOSS: "refused before", ANN: "sent before"}
    assert counts(mailbox) == {BOSS: 0, ANN: 1}
    mailbox.step = ""
    assert results(office, "--again") == {BOSS: "sent", ANN: "sent before"}


def test_a_server_that_is_too_slow_is_asked_again_with_the_same_letter(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITORING__WEBHOOK_SECONDS", "0.5")
    handle = mailbox.handle_DATA

    async def slowly(*given: Any) -> str:
        answer = await handle(*given)
        await asyncio.sleep(1.5)
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(mailbox, "handle_DATA", slowly)
        assert results(office) == {BOSS: "waiting", ANN: "waiting"}
    assert results(office) == {BOSS: "sent", ANN: "sent"}
    for to in (BOSS, ANN):
        assert len({message["Message-ID"] for message in mailbox.of(to)}) == 1


def test_a_server_that_is_down_is_asked_once_and_nobody_is_forgotten(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("MONITORING__MAIL_SERVER", "smtp://localhost:1")
        assert results(office) == {BOSS: "waiting", ANN: "waiting"}
    assert results(office) == {BOSS: "sent", ANN: "sent"}


def test_an_encrypted_server_gets_them_by_the_settings_of_monitoring(
    office: Office, mailbox: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    controller = Controller(
        mailbox,
        hostname="localhost",
        port=free_port(),
        ssl_context=context,
        authenticator=lambda *given: AuthResult(success=True),
        auth_require_tls=False,
    )
    controller.start()
    try:
        server = f"smtps://elt:secret@localhost:{controller.port}"
        monkeypatch.setenv("MONITORING__MAIL_SERVER", server)
        assert results(office) == {BOSS: "sent", ANN: "sent"}
    finally:
        controller.stop()
    assert counts(mailbox) == BOTH


def test_a_recipient_is_told_on_its_days_alone(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = time.strftime("%a", time.gmtime())
    others = [day for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") if day != today]
    recipients = [{"address": BOSS, "weekdays": others}, {"address": ANN, "weekdays": [today]}]
    monkeypatch.setenv("LETTERS__RECIPIENTS", json.dumps(recipients))
    assert results(office) == {BOSS: "not today", ANN: "sent"}


def test_what_is_kept_names_nobody_and_is_nobody_elses(office: Office, mailbox: Mailbox) -> None:
    office.send()
    files = [*(office.marts.warehouse.state_folder / "letters_sent").iterdir()]
    assert {path.stem for path in files} == {Recipient(address=to).key for to in (BOSS, ANN)}
    for path in files:
        assert path.stat().st_mode & 0o077 == 0
        assert b"example.org" not in path.read_bytes()


@pytest.mark.slow
def test_a_later_version_is_told_of_if_it_says_something_new(
    office: Office, mailbox: Mailbox
) -> None:
    os.unlink(office.published)
    office.publish()
    assert results(office) == {BOSS: "sent", ANN: "sent"}
    office.marts.build(is_full=True)
    office.publish()
    assert results(office) == {BOSS: "unchanged", ANN: "unchanged"}
    office.marts.change(
        "update wholesale_raw.orders set sub_total = sub_total + 5000, total = total + 5000"
    )
    office.marts.build()
    office.publish()
    assert results(office) == {BOSS: "sent", ANN: "sent"}
    subjects = [message["Subject"] for message in mailbox.of(BOSS)]
    assert len(subjects) == 2


def test_without_recipients_or_a_server_nothing_is_sent(
    office: Office, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delenv("MONITORING__MAIL_SERVER")
        assert office.send().exit_code == 2
    monkeypatch.delenv("LETTERS__RECIPIENTS")
    assert office.send().exit_code == 2
    assert mailbox.got == []
