"""`wholesale run` sends the letters that are set, and finds out before it works if it could not."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from support.services.mailbox import ANN, BOSS, SENDER, Mailbox
from wholesale_elt.cli.main import cli
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings


def run(folder: Path, *words: str) -> Result:
    places = ["--database", str(folder / "w.duckdb"), "--to", str(folder / "published")]
    return CliRunner().invoke(cli, ["run", *places, *words], catch_exceptions=False)


@pytest.fixture
def settings(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONITORING__MAIL_SERVER", f"smtp://localhost:{port}")
    monkeypatch.setenv("MONITORING__MAIL_FROM", SENDER)
    both = json.dumps([{"address": BOSS}, {"address": ANN}])
    monkeypatch.setenv("LETTERS__RECIPIENTS", both)


@pytest.mark.slow
@pytest.mark.usefixtures("settings")
def test_a_run_sends_one_letter_on_what_it_published_and_again_what_was_not_taken(
    mailbox: Mailbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Sandbox(SandboxSettings(orders=60)) as sandbox:
        monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
        monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
        mailbox.step = "RCPT"
        mailbox.told = lambda server, to: "450 later" if to == ANN else None
        first = run(tmp_path, "--json")
        assert (first.exit_code, len(mailbox.of(BOSS)), len(mailbox.of(ANN))) == (1, 1, 0)
        assert json.loads(first.stdout)["publish"]["result"] == "published"
        mailbox.step = ""
        second = run(tmp_path)
        assert (second.exit_code, len(mailbox.of(BOSS)), len(mailbox.of(ANN))) == (0, 1, 1)


@pytest.mark.usefixtures("settings")
def test_a_run_that_could_send_no_letter_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", "http://127.0.0.1:1/api/external/v1")
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    with monkeypatch.context() as patch:
        patch.delenv("MONITORING__MAIL_FROM")
        assert run(tmp_path).exit_code == 2
    monkeypatch.setenv("LETTERS__RECIPIENTS", '[{"address": "nobody"}]')
    done = run(tmp_path)
    assert done.exit_code == 2
    assert "letters.recipients" in done.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        {"address": "Ann <ann@example.org>"},
        {"address": ANN, "only": "order=1"},
        {"address": ANN, "weekdays": ["Someday"]},
        {"address": ANN, "weekdays": []},
        {"address": ANN, "page": "page.html"},
    ],
)
@pytest.mark.usefixtures("settings")
def test_a_recipient_that_cannot_be_right_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object]
) -> None:
    monkeypatch.setenv("LETTERS__RECIPIENTS", json.dumps([wrong]))
    words = ["letter", "--database", str(tmp_path / "w.duckdb")]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 2
    assert "letters.recipients" in done.stderr
