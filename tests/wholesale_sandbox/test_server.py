"""A sandbox starts, serves what it was given, keeps it in a file, and stops."""

import os
import signal
import socket
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from support.services.trust import NOBODY
from wholesale_sandbox.server import Sandbox, SandboxError
from wholesale_sandbox.settings import SandboxSettings

KEY = {"X-API-Key": "sandbox"}
SERVE = """
from wholesale_sandbox.server import serve
from wholesale_sandbox.settings import SandboxSettings
serve(SandboxSettings(empty=True), lambda line: print(line, flush=True))
"""


def listed(sandbox: Sandbox, path: str) -> list[dict[str, object]]:
    data: list[dict[str, object]] = httpx.get(
        sandbox.base_url + path, headers=KEY, verify=NOBODY, timeout=None
    ).json()["data"]
    return data


def truth(sandbox: Sandbox) -> list[tuple[str | None, bytes]]:
    return [
        record
        for resource in ("orders", "items", "variants", "prices")
        for record in sandbox.storage.collection(resource).records()
    ]


def test_a_stopped_sandbox_frees_its_ports() -> None:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        port, admin_port = (
            httpx.URL(url).port or 0 for url in (sandbox.base_url, sandbox.admin_url)
        )
        assert sandbox.base_url == f"http://127.0.0.1:{port}/api/external/v1"

    again = SandboxSettings(empty=True, port=port, admin_port=admin_port)
    with Sandbox(again) as sandbox:
        assert listed(sandbox, "/orders") == []


def test_a_port_in_use_is_told_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(SandboxError) as refused,
            Sandbox(SandboxSettings(empty=True, port=port)),
        ):
            pass

    assert str(refused.value) == (
        f"cannot listen on 127.0.0.1:{port}: Address already in use;"
        " choose another --port or --admin-port, or 0 for any free one"
    )


def test_a_dial_that_does_not_fit_is_told_in_one_line() -> None:
    with (
        pytest.raises(SandboxError, match="dial limit_cap: 0 does not fit"),
        Sandbox(SandboxSettings(empty=True, dials={"limit_cap": 0})),
    ):
        pass


def test_records_are_put_and_deleted_behind_the_api() -> None:
    with Sandbox(SandboxSettings(empty=True)) as sandbox:
        sandbox.put("items", {"id": "i", "msrp": Decimal("12.50")})
        sandbox.put("variants", {"id": "v", "parent_id": "i"})
        sandbox.put("buyers", {"id": "b"})
        sandbox.put("buyer_users", {"id": "u"}, parent_id="b")
        sandbox.put("buyer_users", {"id": "u", "role": "user"})
        sandbox.put("buyer_users", {"id": "w", "buyer_id": "b"})

        raw = httpx.get(
            f"{sandbox.base_url}/items/i", headers=KEY, verify=NOBODY, timeout=None
        ).content
        assert raw == b'{"id":"i","msrp":12.50}'
        assert listed(sandbox, "/items/i/variants") == [{"id": "v", "parent_id": "i"}]
        users = [{"id": "u", "role": "user"}, {"id": "w"}]
        assert listed(sandbox, "/buyers/b/buyer_users") == users
        assert (sandbox.delete("items", "i"), sandbox.delete("items", "i")) == (True, False)


def test_a_key_of_ones_own_is_wanted_and_never_shown() -> None:
    settings = SandboxSettings(empty=True, api_key="my own")
    with Sandbox(settings) as sandbox:
        statuses = [
            httpx.get(
                sandbox.base_url, headers={"X-API-Key": key}, verify=NOBODY, timeout=None
            ).status_code
            for key in ("my own", "sandbox")
        ]

    assert statuses == [200, 401]
    assert "my own" not in repr(settings)


def test_the_seeded_world_is_the_same_at_each_start() -> None:
    def seen(settings: SandboxSettings) -> list[list[dict[str, object]]]:
        with Sandbox(settings) as sandbox:
            return [listed(sandbox, path) for path in ("/orders?verbose=true", "/items", "/buyers")]

    settings = SandboxSettings(seed=7, orders=30)

    first = seen(settings)

    assert seen(settings) == first
    assert [len(listing) for listing in first] == [25, 25, 25]
    assert seen(SandboxSettings(seed=8, orders=30)) != first


def test_business_goes_on_while_a_live_sandbox_runs_and_ends_with_it() -> None:
    threads = threading.enumerate()

    with Sandbox(SandboxSettings(orders=10, live_per_minute=60_000)) as sandbox:
        before = truth(sandbox)
        while truth(sandbox) == before:
            pass

    assert threading.enumerate() == threads


def test_a_folder_is_served_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "orders.jsonl").write_text('{"id":"o1","total": 1.50}\n{"id":"o2"}\n')
    (tmp_path / "buyers.jsonl").write_text('{"id":"b"}\n')
    (tmp_path / "buyer_users.jsonl").write_text('{"id":"u","buyer_id":"b"}\n')

    with Sandbox(SandboxSettings(data=tmp_path)) as sandbox:
        assert [order["id"] for order in listed(sandbox, "/orders")] == ["o1", "o2"]
        assert listed(sandbox, "/buyers/b/buyer_users") == [{"id": "u"}]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"id":', "orders.jsonl"),
        ('{"id":"a"}\n{"id":"a"}', "two records of orders have the same id"),
    ],
)
def test_a_folder_that_cannot_be_served_is_told_in_one_line(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "orders.jsonl").write_text(text)

    with (
        pytest.raises(SandboxError, match=told) as refused,
        Sandbox(SandboxSettings(data=tmp_path)),
    ):
        pass

    assert "\n" not in str(refused.value)


def test_a_file_keeps_what_was_done_until_the_next_start(tmp_path: Path) -> None:
    database = tmp_path / "sandbox.sqlite"
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "brands.jsonl").write_text('{"id":"a"}\n{"id":"b"}\n')
    settings = SandboxSettings(data=folder, database=database)

    with Sandbox(settings) as sandbox:
        sandbox.delete("brands", "a")
        sandbox.put("brands", {"id": "c"})
    with Sandbox(settings) as sandbox:
        assert listed(sandbox, "/brands") == [{"id": "b"}, {"id": "c"}]


def test_a_file_filled_from_elsewhere_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "sandbox.sqlite"
    with Sandbox(SandboxSettings(empty=True, database=database)):
        pass

    with (
        pytest.raises(SandboxError, match="holds the records of nothing"),
        Sandbox(SandboxSettings(data=tmp_path, database=database)),
    ):
        pass


def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path: Path) -> None:
    database = tmp_path / "sandbox.sqlite"
    database.write_text("no database, but a text of some length" * 100)

    with (
        pytest.raises(SandboxError, match="not a database"),
        Sandbox(SandboxSettings(empty=True, database=database)),
    ):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_stop(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SERVE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    ) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().split()[1]
        admin_url = process.stdout.readline().split()[1]
        statuses = (
            httpx.get(base_url, headers=KEY, verify=NOBODY, timeout=None).status_code,
            httpx.get(f"{admin_url}/health", verify=NOBODY, timeout=None).status_code,
        )
        process.send_signal(number)
        _, errors = process.communicate()

    assert (statuses, process.returncode, errors) == ((200, 200), 0, "")
