"""A webhook hears what is news, never twice, and whatever it does the command ends as it would."""

import errno
import json
import logging
import os
import threading
from dataclasses import asdict
from pathlib import Path

import pytest

from support.services.receiver import Receiver
from wholesale.errors import ConfigurationError, counted
from wholesale_elt.load.sync import Outcome
from wholesale_elt.monitoring.alerts import Alert
from wholesale_elt.monitoring.reporting import report, report_state
from wholesale_elt.monitoring.settings import read_settings
from wholesale_elt.monitoring.summary import Summary, SyncSummary
from wholesale_elt.runs.noted import Aspect, SchemaChange
from wholesale_elt.warehouse.destination import Warehouse


@pytest.fixture
def warehouse(tmp_path: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", receiver.url)
    monkeypatch.setattr(logging.getLogger("wholesale"), "propagate", True)
    return Warehouse(tmp_path / "w.duckdb")


def end(warehouse: Warehouse, code: int, error: str | None = None) -> None:
    """A run that ends so."""
    summary = Summary(command="run")
    with warehouse.journal.note("run") as entry:
        entry.exit_code, entry.message = code, error
    summary.end(code, error)
    report(warehouse, summary)


def severities(receiver: Receiver) -> list[str]:
    return [body["severity"] for body in receiver.got]


def test_a_failure_is_told_once_and_so_is_its_end(warehouse: Warehouse, receiver: Receiver) -> None:
    end(warehouse, 0)
    assert receiver.got == []
    for _ in range(3):
        end(warehouse, 1, "no answer")
    assert severities(receiver) == ["failed"]
    for _ in range(2):
        end(warehouse, 3, "in quarantine")
    for _ in range(2):
        end(warehouse, 0)
    end(warehouse, 1, "no answer")

    assert severities(receiver) == ["failed", "incomplete", "recovered", "failed"]


def test_what_is_posted_is_for_chats_and_for_programs(
    warehouse: Warehouse, receiver: Receiver
) -> None:
    end(warehouse, 1, "no answer")

    (body,) = receiver.got
    (alert,) = body["alerts"]
    assert body["text"] == f"{warehouse.name}: failed: run: no answer"
    assert (body["severity"], body["warehouse"]) == ("failed", warehouse.name)
    assert alert.keys() == asdict(Alert("failed", "", "")).keys()
    assert Summary.model_validate(body["summary"]).error == "no answer"


def test_the_watch_tells_of_a_run_that_was_killed_and_keeps_quiet_then(
    warehouse: Warehouse, receiver: Receiver
) -> None:
    with warehouse.journal.note("run"):
        (path,) = warehouse.journal.folder.iterdir()
        begun = path.read_bytes()
        report_state(warehouse)
        assert receiver.got == []
    path.write_bytes(begun)
    report_state(warehouse)
    report_state(warehouse)

    assert severities(receiver) == ["failed"]
    assert receiver.got[0]["summary"] is None


def test_what_the_service_sends_otherwise_is_told_by_the_run_that_saw_it(
    warehouse: Warehouse, receiver: Receiver
) -> None:
    change = SchemaChange("r", "orders", "state", "orders.status=on_hold", None, "on_hold")
    outcome = Outcome("r", (), {}, (), {}, changes=(change,))
    summary = Summary(command="sync", sync=SyncSummary.of(outcome))
    summary.end(0, None)
    report(warehouse, summary)

    (body,) = receiver.got
    assert body["severity"] == "schema changed"
    assert body["text"].endswith("orders.status=on_hold")


@pytest.mark.parametrize("aspect", ["state", "type"])
@pytest.mark.parametrize(
    "value",
    ["Jane Doe", "jane.doe@mail.test", "<!channel>", "<http://evil.test|x>", "w" * 41, "a\nb", ""],
)
def test_a_value_that_is_no_word_is_sent_to_nobody(
    warehouse: Warehouse, receiver: Receiver, aspect: Aspect, value: str
) -> None:
    name = f"orders.status={value}" if aspect == "state" else f"orders.{value}"
    change = SchemaChange("r", "orders", aspect, name, None, value if aspect == "state" else "x")
    summary = Summary(
        command="sync", sync=SyncSummary.of(Outcome("r", (), {}, (), {}, changes=(change,)))
    )
    summary.end(0, None)
    report(warehouse, summary)

    assert f"(a text of {counted(len(value), 'character')})" in receiver.got[0]["text"]
    assert not value or value not in json.dumps(receiver.got[0], ensure_ascii=False)


def test_a_chat_is_sent_no_link_no_command_and_nobody_to_call(
    warehouse: Warehouse, receiver: Receiver
) -> None:
    end(warehouse, 1, "a <!channel> & <http://x.test|y> @all")

    assert receiver.got[0]["text"] == (
        f"{warehouse.name}: failed: run: a &lt;!channel&gt; &amp; &lt;http://x.test|y&gt; (at)all"
    )


@pytest.mark.parametrize(
    ("status", "said"), [(500, "it answered 500"), (302, "it answered 302"), (404, "answered 404")]
)
def test_what_was_not_taken_is_told_again(
    warehouse: Warehouse,
    receiver: Receiver,
    caplog: pytest.LogCaptureFixture,
    status: int,
    said: str,
) -> None:
    receiver.status = status
    end(warehouse, 1, "no answer")
    assert said in caplog.text
    receiver.status = 204
    end(warehouse, 1, "no answer")
    end(warehouse, 1, "no answer")

    assert len(receiver.got) == 2
    assert "S3CR3T" not in caplog.text


def test_a_webhook_that_never_answers_keeps_nobody(
    warehouse: Warehouse,
    receiver: Receiver,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    receiver.silence = threading.Event()
    monkeypatch.setenv("MONITORING__WEBHOOK_SECONDS", "0.2")
    end(warehouse, 1, "no answer")

    assert "the webhook did not take" in caplog.text
    assert "S3CR3T" not in caplog.text


def test_where_nobody_listens_that_is_a_warning(
    warehouse: Warehouse, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", "http://127.0.0.1:1/S3CR3T")
    end(warehouse, 1, "no answer")

    assert "ConnectError" in caplog.text
    assert "S3CR3T" not in caplog.text


def test_settings_that_cannot_be_right_are_a_warning_to_who_worked_and_show_no_secret(
    warehouse: Warehouse, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONITORING__WEBHOOK_URL", "http://hooks.test/S3CR3T")
    end(warehouse, 1, "no answer")

    with pytest.raises(ConfigurationError) as refusal:
        read_settings()
    assert "setting monitoring.webhook_url (MONITORING__WEBHOOK_URL " in str(refusal.value)
    assert "https://" in str(refusal.value)
    assert "S3CR3T" not in str(refusal.value)
    assert str(refusal.value) in caplog.text


def test_nobody_is_told_unless_that_is_set(
    warehouse: Warehouse, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MONITORING__WEBHOOK_URL")
    end(warehouse, 1, "no answer")

    assert receiver.got == []


def test_a_watch_that_can_tell_nobody_is_refused(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MONITORING__WEBHOOK_URL")

    with pytest.raises(ConfigurationError, match=r"monitoring\.webhook_url"):
        report_state(warehouse)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MONITORING__WEBHOK_URL", "https://hooks.test/S3CR3T"),
        ("MONITORING__WEBHOOK_SECONDS", "soon"),
    ],
)
def test_an_alarm_that_is_not_connected_is_an_error_which_quiet_shows_too(
    warehouse: Warehouse,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
) -> None:
    monkeypatch.setenv(name, value)
    end(warehouse, 0)

    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert "S3CR3T" not in caplog.text


def test_what_cannot_be_reported_for_lack_of_space_says_so(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fill_disk(_: Warehouse) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setitem(report.__globals__, "keep_overview", fill_disk)
    end(warehouse, 0)

    (message,) = caplog.messages
    assert message.endswith(f": {os.strerror(errno.ENOSPC)}")
