"""What a scheduler calls: the exit code tells what came of sync, build and publication."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import wholesale_elt.load as loading
import wholesale_elt.models as building
import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from wholesale_elt.cli.main import cli
from wholesale_elt.cli.output import Exit
from wholesale_elt.load.sync import Outcome
from wholesale_elt.models.running import BuildFailed, Built
from wholesale_elt.process.lock import AlreadyRunning
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.warehouse.destination import Warehouse

BAD = "1 record in quarantine"


@dataclass
class Job:
    """The command in a folder of its own; the service and dbt are played."""

    folder: Path
    number: int = 0
    reason: str | None = None
    failures: dict[str, str] = field(default_factory=dict)
    build_error: Exception | None = None

    def sync(self, *_: object, **__: object) -> Outcome:
        return Outcome("run", (), {}, (), self.failures)

    def build(self, warehouse: Warehouse, *_: object, **__: object) -> Built:
        if self.build_error:
            raise self.build_error
        self.number += 1
        handmade.build(warehouse.database, self.number, reason=self.reason)
        return Built(4, 0, [])

    def run(self, *options: str) -> Result:
        return CliRunner().invoke(cli, ["run", *options])

    def in_force(self) -> str | None:
        return Manifest.of((self.folder / "published/current.json").read_bytes()).run_id


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    played = Job(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", "http://127.0.0.1:9/api/external/v1")
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    monkeypatch.setattr(loading, "sync_resources", played.sync)
    monkeypatch.setattr(building, "build_models", played.build)
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    return played


def test_a_run_that_goes_well_publishes_and_exits_with_0(job: Job) -> None:
    done = job.run()

    assert done.exit_code == Exit.DONE, done.output
    assert job.in_force() == "run 1"
    assert ", 4 tables, 5,004 rows, complete as of 2026-01-01 06:00 UTC" in done.output


def test_an_incomplete_run_keeps_the_last_good_publication_and_exits_with_3(job: Job) -> None:
    job.run()
    job.reason = BAD
    done = job.run()

    assert done.exit_code == Exit.INCOMPLETE, done.output
    assert job.in_force() == "run 1"
    (line,) = [line for line in done.output.splitlines() if "not published" in line]
    (version,) = (job.folder / "published/versions").iterdir()
    assert f"orders: {BAD}" in line
    assert version.name in line
    assert "--even-if-incomplete" in line


@pytest.mark.slow
def test_an_incomplete_run_that_is_published_on_demand_still_exits_with_3(job: Job) -> None:
    job.reason = BAD
    done = job.run("--even-if-incomplete")

    assert done.exit_code == Exit.INCOMPLETE, done.output
    assert job.in_force() == "run 1"
    assert f"not certified complete: orders: {BAD}" in done.output


@pytest.mark.slow
def test_a_resource_that_could_not_be_read_fails_the_run_but_not_the_build(job: Job) -> None:
    job.run()
    job.failures, job.reason = {"orders": "no answer"}, "no answer"
    done = job.run()

    assert done.exit_code == Exit.FAILED
    assert (job.number, job.in_force()) == (2, "run 1")


@pytest.mark.slow
def test_a_failed_build_keeps_the_last_good_publication_and_exits_with_1(job: Job) -> None:
    job.run()
    job.build_error = BuildFailed("test t is broken by 1 row: nothing was published")
    done = job.run()

    assert done.exit_code == Exit.FAILED
    assert "test t" in done.output
    assert job.in_force() == "run 1"


@pytest.mark.parametrize(
    ("destination", "said"),
    [
        ("postgres", "DESTINATION__POSTGRES__CREDENTIALS"),
        ("postgre", "did you mean postgres?"),
        ("clickhouse", "destination clickhouse"),
    ],
)
def test_a_destination_that_cannot_be_loaded_is_refused_in_a_sentence(
    job: Job, destination: str, said: str
) -> None:
    done = job.run("--destination", destination)

    assert done.exit_code == Exit.CONFIGURATION
    assert said in done.output
    assert done.output.count("\n") == 1


@pytest.mark.slow
def test_five_versions_are_kept_if_nobody_asks_for_more(job: Job) -> None:
    for _ in range(7):
        assert job.run().exit_code == Exit.DONE

    assert len(list((job.folder / "published/versions").iterdir())) == 5


def test_missing_settings_end_a_run_before_anything_is_done(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCES__WHOLESALE__BASE_URL")
    done = job.run()

    assert done.exit_code == Exit.CONFIGURATION
    assert job.number == 0


@pytest.mark.parametrize(
    ("settings", "place"),
    [({"BUILD__TIME_ZONE": "Mars/Olympus"}, "published"), ({}, "notes.txt"), ({}, "notes.txt/a")],
)
def test_what_is_built_and_published_with_is_checked_before_anything_is_synced(
    job: Job, settings: dict[str, str], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> Outcome:
        raise AssertionError("the sync began")

    monkeypatch.setattr(loading, "sync_resources", refuse)
    (job.folder / "notes.txt").write_text("mine")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)

    done = job.run("--to", place)

    assert (done.exit_code, job.number) == (Exit.CONFIGURATION, 0)
    assert (job.folder / "notes.txt").read_text() == "mine"


@pytest.mark.slow
def test_a_compaction_that_fails_leaves_the_publication_and_is_said(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("wholesale_elt.warehouse.compact", fail)
    done = job.run()

    assert done.exit_code == Exit.DONE
    assert "wholesale.duckdb was not compacted" in done.output


def test_of_a_run_that_finds_another_at_work_nothing_is_wrong(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> Outcome:
        raise AlreadyRunning("another run is at work on this warehouse: process 1")

    monkeypatch.setattr(loading, "sync_resources", refuse)
    done = job.run("--json")

    assert done.exit_code == Exit.FAILED
    assert json.loads(done.stdout)["result"] == "in use"


@pytest.mark.slow
def test_resources_that_are_named_are_those_that_are_synced(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def note(
        settings: object, warehouse: object, resources: object, *_: object, **__: object
    ) -> Outcome:
        asked.append(resources)
        return job.sync()

    monkeypatch.setattr(loading, "sync_resources", note)
    done = job.run("vendors", "orders")

    assert (done.exit_code, asked) == (Exit.DONE, [["orders", "vendors"]])
