"""The key is found where it is kept, and whatever goes wrong on the way there shows none of it."""

import errno
import os
import sys
from pathlib import Path

import pytest

from support.commands import COMMANDS
from wholesale import credentials
from wholesale.configuration import read_settings
from wholesale.errors import ConfigurationError
from wholesale_elt.warehouse.ports.postgres_server import PostgresServer

BASE = "https://service.test/api/external/v1"
PREFIX = "SOURCES__WHOLESALE__API_KEY"


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PREFIX, raising=False)
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", BASE)


def key() -> str:
    return read_settings().api_key.get_secret_value()


def refusal() -> str:
    with pytest.raises(ConfigurationError) as refused:
        read_settings()
    return str(refused.value)


def assert_named(said: str, *names: str) -> None:
    assert [name for name in names if name not in said] == []


def test_a_key_is_read_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "key"
    path.write_text("k-from-file\n")
    monkeypatch.setenv(f"{PREFIX}_FILE", str(path))

    assert key() == "k-from-file"


def test_a_file_may_begin_with_a_byte_order_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    path.write_text("k-from-file\n", "utf-8-sig")
    monkeypatch.setenv(f"{PREFIX}_FILE", str(path))

    assert key() == "k-from-file"


@pytest.mark.parametrize("content", ["", "\n", "one\ntwo", "schlüssel"])
def test_what_leads_to_no_key_is_named_by_its_own_setting(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    path.write_text(content)
    monkeypatch.setenv(f"{PREFIX}_FILE", str(path))

    assert "api_key_file" in refusal()


def test_a_key_is_in_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIX}_VARIABLE", "KEY_OF_ACME")
    monkeypatch.delenv("KEY_OF_ACME", raising=False)

    assert_named(refusal(), "api_key_variable", "KEY_OF_ACME")
    monkeypatch.setenv("KEY_OF_ACME", "k-from-variable")
    assert key() == "k-from-variable"


@pytest.mark.parametrize(
    "command",
    [
        f"{sys.executable} -c 'print(\"k-from-command\")'",
        f'["{sys.executable}", "-c", "print(\'k-from-command\')"]',
    ],
)
def test_a_key_is_what_a_command_prints(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIX}_COMMAND", command)

    assert key() == "k-from-command"


def test_a_key_is_in_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring")
    entries: dict[tuple[str, str], str] = {("wholesale", "me"): "k-from-keyring"}
    monkeypatch.setattr(keyring, "get_password", lambda *entry: entries.get(entry))
    monkeypatch.setenv(f"{PREFIX}_KEYRING", "wholesale/me")
    assert key() == "k-from-keyring"

    monkeypatch.setenv(f"{PREFIX}_KEYRING", "wholesale/you")
    assert_named(refusal(), "api_key_keyring", "wholesale/you", "keyring set wholesale you")

    def lock(*_: object) -> None:
        raise keyring.errors.KeyringLocked("k-from-keyring")

    monkeypatch.setattr(keyring, "get_password", lock)
    assert_named(refusal(), "api_key_keyring", "KeyringLocked")
    assert "k-from-keyring" not in refusal()


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setenv(f"{PREFIX}_KEYRING", "wholesale/me")

    assert 'pip install "wholesale-elt[keyring]"' in refusal()


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("FILE", "/nowhere/key", os.strerror(errno.ENOENT)),
        ("FILE", sys.executable, "no text"),
        ("COMMAND", "/nowhere/tool", os.strerror(errno.ENOENT)),
        ("COMMAND", "false", "ended with 1"),
        ("COMMAND", "true", "ended with 0"),
    ],
)
def test_a_setting_that_leads_to_no_key_is_named(
    place: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{PREFIX}_{place}", value)

    assert_named(refusal(), f"api_key_{place.lower()}", value, said)


def test_a_command_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "COMMAND_SECONDS", 0.1)
    monkeypatch.setenv(f"{PREFIX}_COMMAND", "sleep 60")

    assert_named(refusal(), "api_key_command", "sleep", "0.1 s")


def test_a_key_that_is_set_twice_is_refused_and_one_that_is_given_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PREFIX, "one")
    monkeypatch.setenv(f"{PREFIX}_FILE", "/nowhere/another")

    assert_named(refusal(), "api_key", "api_key_file")
    assert read_settings(api_key="given").api_key.get_secret_value() == "given"


def test_no_command_takes_a_key_or_a_password() -> None:
    telling = ("key", "password", "secret", "token", "credential", "webhook")
    names = {
        str(option.name)
        for name, command in COMMANDS.items()
        if name != "sandbox"  # whose own key opens nothing else
        for option in command.params
    }

    assert "destination" in names
    assert [name for name in names if any(word in name for word in telling)] == []


def test_a_setting_of_postgresql_that_is_wrong_is_not_repeated() -> None:
    pytest.importorskip("psycopg2")
    with pytest.raises(ConfigurationError) as refused:
        PostgresServer("host=a password=open S3CR3T").connect()

    assert_named(str(refused.value), "destination.postgres.credentials")
    assert "S3CR3T" not in str(refused.value)
