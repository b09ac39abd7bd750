"""Traces: what may not be stored stands in nothing that any command writes, prints, sends or is
started with, however it ends."""

import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import pytest

from support.few import by_hand
from support.records.people import MARK, nameless, world
from support.records.samples import guid
from support.services.receiver import Receiver, receiving
from support.services.service import WHOLESALE
from wholesale.api import CLASSES
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

pytestmark = pytest.mark.slow

API_KEY, HASH_KEY = "zk-k3y-of-the-service", "zk-k3y-of-the-hashes"
MARKED = re.compile(rf"{MARK}-({'|'.join(CLASSES)})-")
NEVER_PUBLISHED = {"name", "contact", "address", "tax_number", "payment", "free_text"}
JOBS: Sequence[Sequence[str]] = (
    ("check",),
    ("plan",),
    ("sync", "--debug", "--log-format", "json"),
    ("build", "--debug"),
    ("publish", "--even-if-incomplete"),
    ("run", "--json", "--even-if-incomplete"),
    ("status", "--json", "--alert"),
    ("explain", guid("O1")),
)


class Desk:
    """A folder in which commands run, and all that they leave: their output and temporary files
    among it. `started` are the arguments of all processes that ran meanwhile."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self.started: set[str] = set()
        (folder / "tmp").mkdir(parents=True)
        self._environment = {
            name: value for name, value in os.environ.items() if "__" not in name
        } | {"HOME": str(folder), "TMPDIR": str(folder / "tmp"), **settings}
        self._runs = 0

    def run(self, *arguments: str, kill_after: float | None = None) -> int:
        self._runs += 1
        begun = time.monotonic()
        with (
            (self.folder / f"printed-{self._runs}.txt").open("wb") as printed,
            subprocess.Popen(
                [WHOLESALE, *arguments],
                cwd=self.folder,
                env=self._environment,
                stdout=printed,
                stderr=printed,
                start_new_session=True,
            ) as process,
        ):
            while process.poll() is None:
                self.started.update(_arguments_of(process.pid))
                if kill_after is not None and time.monotonic() - begun > kill_after:
                    os.killpg(process.pid, signal.SIGKILL)
                time.sleep(0.05)
            return process.returncode

    def written(self) -> Iterator[tuple[str, str]]:
        """Every file by its path, as bytes and, where it is packed, as what it holds."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file():
                name = path.relative_to(self.folder).as_posix()
                yield name, path.read_bytes().decode("latin-1")
                if path.suffix in (".parquet", ".duckdb"):
                    yield name, _unpacked(path)


def _arguments_of(session: int) -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if os.getsid(int(path.parent.name)) == session:
                yield path.read_bytes().decode("latin-1")
        except OSError:  # it ended meanwhile
            continue


def _unpacked(path: Path) -> str:
    if path.suffix == ".parquet":
        return str(duckdb.sql(f"from '{path}'").fetchall())
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = connection.execute(
            "select schema_name, table_name from duckdb_tables() where not internal"
        ).fetchall()
        return "\n".join(
            str(connection.execute(f'from "{schema}"."{table}"').fetchall())
            for schema, table in tables
        )


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSettings(empty=True, api_key=API_KEY)) as running:
        for resource, records in world().items():
            for record in records:
                running.put(resource, record)
        running.put("buyers", b'{"id":"odd"}')
        nobody = json.dumps({"id": None, **nameless()}).encode()
        running.storage.collection("buyers").put("odd", nobody)
        yield running


def work(sandbox: Sandbox, folder: Path, receiver: Receiver, privacy: Mapping[str, str]) -> Desk:
    """Commands of all kinds and with all ends: killed, failed, incomplete, done."""
    desk = Desk(
        folder,
        {
            "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
            "SOURCES__WHOLESALE__API_KEY": API_KEY,
            "SOURCES__WHOLESALE__ATTEMPTS": "2",
            "MONITORING__WEBHOOK_URL": receiver.url,
            "MONITORING__TEXTFILE": str(folder / "wholesale.prom"),
            **privacy,
        },
    )
    sandbox.dials.change({"latency_seconds": 0.5})
    assert desk.run("sync", "--debug", kill_after=3) == -signal.SIGKILL
    sandbox.dials.change({"latency_seconds": 0.0})
    ends = [desk.run(*arguments) for arguments in JOBS]
    assert ends == [0, 0, 3, 0, 3, 3, 0, 0], ends
    sandbox.dials.change({"error_share": 1.0})
    assert desk.run("run", "--debug", "--log-format", "json") == 1
    sandbox.dials.change({"error_share": 0.0})
    sandbox.put("orders", world()["orders"][0] | {"status": "shipped", "sub_total": {"a": "b"}})
    assert desk.run("run", "--even-if-incomplete") == 3
    return desk


def found(text: str) -> Counter[str]:
    return Counter(MARKED.findall(text))


@pytest.mark.parametrize(
    ("kept", "other"),
    [
        (set([*CLASSES][::2]), "hash"),
        by_hand((set(CLASSES), "drop")),
        by_hand((set(), "hash")),
        by_hand((set(), "drop")),
    ],
)
def test_a_value_stands_only_where_the_policy_allows(
    sandbox: Sandbox, tmp_path: Path, kept: set[str], other: str
) -> None:
    treated: dict[str, set[str]] = {"keep": kept, other: {*map(str, CLASSES)} - kept}
    privacy = {f"PRIVACY__{how.upper()}": ",".join(sorted(which)) for how, which in treated.items()}
    privacy["PRIVACY__HASH_KEY"] = HASH_KEY
    with receiving() as receiver:
        desk = work(sandbox, tmp_path / "desk", receiver, privacy)

    assert receiver.got
    assert found(str(receiver.got)) == {}
    assert desk.started
    written = list(desk.written())
    for secret in (API_KEY, HASH_KEY):
        assert secret not in str(receiver.got) + str(desk.started)
        assert [name for name, text in written if secret in text] == []
    assert found(str(desk.started)) == {}
    traces = {(name, class_) for name, text in written for class_ in found(text)}
    in_warehouse = {class_ for name, class_ in traces if name.startswith("wholesale.duckdb")}
    published = {class_ for name, class_ in traces if name.startswith("published/")}
    elsewhere = {
        trace for trace in traces if not trace[0].startswith(("wholesale.duckdb", "published/"))
    }
    assert elsewhere == set()
    assert in_warehouse == kept
    assert published <= kept - NEVER_PUBLISHED
    assert bool(published) == bool(kept - NEVER_PUBLISHED)
