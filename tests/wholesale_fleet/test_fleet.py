"""Twelve accounts, five of them in trouble: two workers, of which one is killed, see to all."""

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from support.few import few
from support.records.truth import read_holding, read_only, read_truth
from support.services.command import run_command, start_command
from support.warehouses.bench import keep_few_items
from wholesale_sandbox.faults.scenarios import SCENARIO
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings
from wholesale_sandbox.storage.truth import truth

RESOURCES = ("orders", "items", "vendors", "buyers")
SOUND = ("ash", "elm", "fir", "oak", "pine", "rowan", "yew")
TROUBLE: Mapping[str, Mapping[str, Any]] = {
    "dead": {"error_share": 1.0, "error_status": 503},
    "liar": SCENARIO["lying-pages"].dials,
    "mover": {"drift": 0.9, "drift_kind": "swap"},
    "slow": {"latency_seconds": 2.0},
    "stranger": {},
}
"""Dials by account; the last one has a wrong key."""
RESULTS = {
    "dead": ("failed", 1),
    "liar": ("incomplete", 3),
    "slow": ("failed", 1),
    "stranger": ("misconfigured", 2),
}
NAMES = sorted((*SOUND, *TROUBLE))
ENVIRONMENT = {**os.environ, "SOURCES__WHOLESALE__DEADLINE_SECONDS": "10"}
"""What is dead is given up after so long, and not after two minutes."""


@dataclass(frozen=True)
class Desk:
    """A folder with `accounts.toml`, and a service an account."""

    folder: Path
    sandboxes: Mapping[str, Sandbox]

    def write(self, slow_minutes: float) -> None:
        text = f"[defaults]\nresources = {json.dumps(RESOURCES)}\nattempts = 1\n"
        text += 'api_key_file = "keys/{account}"\npage_size = 10\n'
        for name, sandbox in self.sandboxes.items():
            text += f'[accounts.{name}]\nbase_url = "{sandbox.base_url}"\n'
            if name == "slow":
                text += f"most_minutes = {slow_minutes}\n"
        (self.folder / "accounts.toml").write_text(text)

    def start(self, *words: str, output: Path) -> BaseProcess:
        return start_command(["sync", "--all", *words], self.folder, ENVIRONMENT, output)

    def round(self, *more: str) -> tuple[int, dict[str, dict[str, Any]]]:
        """What a worker comes to, and what it says of each account."""
        words = ["sync", "--all", "--workers", "3", "--json", "--quiet", *more]
        done = run_command(words, self.folder, ENVIRONMENT)
        summary = json.loads(done.stdout)
        assert summary["exit_code"] == done.returncode
        accounts = {account["account"]: account for account in summary["accounts"]}
        assert sorted(accounts) == NAMES
        return done.returncode, accounts

    def begun(self) -> int:
        return len(list(self.folder.glob("accounts/.wholesale/*.duckdb/runs/*.json")))

    def differing(self, name: str) -> Sequence[str]:
        """Resources of which the warehouse of an account holds something else than its service."""
        with read_only(self.folder / f"accounts/{name}.duckdb") as connection:
            found = []
            for resource in RESOURCES:
                holding = read_holding(connection, resource)
                assert holding is not None
                lines = truth(self.sandboxes[name].storage.collection(resource))
                records = read_truth(b"\n".join(lines).decode())
                expected = {key: holding.as_held(record) for key, record in records.items()}
                if (holding.alive, holding.faults) != (expected, ()):
                    found.append(resource)
            return found


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    keep_few_items(monkeypatch)
    (tmp_path / "keys").mkdir()
    with ExitStack() as services:
        sandboxes = {}
        for seed, name in enumerate(NAMES):
            sandbox = services.enter_context(Sandbox(SandboxSettings(orders=40, seed=seed)))
            sandbox.dials.change(TROUBLE.get(name, {}))
            sandboxes[name] = sandbox
            key = "wrong" if name == "stranger" else "sandbox"
            (tmp_path / "keys" / name).write_text(key)
        yield Desk(tmp_path, sandboxes)


@pytest.mark.slow
@pytest.mark.parametrize("killed", few([0, 1], 1))
def test_of_two_workers_one_is_killed_and_every_account_is_seen_to(desk: Desk, killed: int) -> None:
    desk.write(slow_minutes=0.1)
    workers = [desk.start(output=desk.folder / f"{number}.txt") for number in range(2)]
    while desk.begun() < 3:
        time.sleep(0.05)
    pid = workers[killed].pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers][killed] == -signal.SIGKILL
    code, accounts = desk.round()

    assert code == 1
    assert {
        name: (account["result"], account["exit_code"])
        for name, account in accounts.items()
        if name not in (*SOUND, "mover")
    } == RESULTS
    mover = accounts["mover"]  # records that move all the time may be proved as of a moment
    assert (mover["result"], mover["exit_code"]) in {("complete", 0), ("incomplete", 3)}
    assert {accounts[name]["result"] for name in SOUND} <= {"complete", "not due"}
    assert {name: desk.differing(name) for name in SOUND} == {name: [] for name in SOUND}

    for name, sandbox in desk.sandboxes.items():
        sandbox.dials.reset()
        (desk.folder / "keys" / name).write_text("sandbox")
    desk.write(slow_minutes=60)
    code, accounts = desk.round("--now")  # what failed twice would pause

    assert code == 0
    assert {name: account["result"] for name, account in accounts.items()} == dict.fromkeys(
        NAMES, "complete"
    )
    assert {name: desk.differing(name) for name in NAMES} == {name: [] for name in NAMES}
