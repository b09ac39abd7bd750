"""Publishing into a bucket, of a real S3 server in a process of its own."""

import itertools
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import obstore
import pytest
from obstore.exceptions import PermissionDeniedError
from obstore.store import MemoryStore, from_url
from pyarrow import fs

import wholesale_elt.publish.publisher as publishing
from support.few import by_hand, few
from support.services.s3 import make_bucket, serving_s3
from support.warehouses import handmade
from wholesale.errors import ConfigurationError
from wholesale_buckets.bucket import BucketFailed, BucketNote
from wholesale_elt.dashboard import ENTRIES
from wholesale_elt.process import AlreadyRunning, Lease, lease
from wholesale_elt.publish.manifest import Build, Manifest
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse

PLACE = "s3://reports/of/us"


@pytest.fixture(scope="module")
def server() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, serving_s3(patch):
        yield


@pytest.fixture
def bucket(server: None, monkeypatch: pytest.MonkeyPatch) -> fs.FileSystem:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    return make_bucket("reports")


def read(bucket: fs.FileSystem, path: str) -> Any:
    with bucket.open_input_stream(f"reports/of/us/{path}") as stream:
        return stream.read()


def test_a_bucket_holds_what_a_folder_would(bucket: fs.FileSystem, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    results = []
    versions = []
    for number in (1, 1, 2, 3):
        handmade.build(warehouse.database, number)
        results.append(publish_marts(warehouse, PLACE, keep=2).result)
        versions.append(Manifest.of(read(bucket, "current.json")).version)
    publish_marts(warehouse, str(tmp_path / "folder"))

    assert results == ["published", "already published", "published", "published"]
    assert versions[0] == versions[1]
    current = Manifest.of(read(bucket, "current.json"))
    infos = bucket.get_file_info(fs.FileSelector("reports/of/us", recursive=True))
    files = {info.path.removeprefix("reports/of/us/"): info for info in infos if info.is_file}
    for folder in ("versions", "dashboard"):
        assert {name.split("/")[1] for name in files if re.match(rf"{folder}/\d", name)} == set(
            versions[2:]
        )
    assert {name.replace(current.version, "v") for name in files if versions[2] not in name} == {
        re.sub(
            r"(versions|dashboard)/\d{8}T[^/]+",
            r"\1/v",
            path.relative_to(tmp_path / "folder").as_posix(),
        )
        for path in (tmp_path / "folder").rglob("*")
        if path.is_file()
    } | {"versions/v/etags.json"}
    assert all(files[file.path].size == file.bytes for file in current.files)
    assert read(bucket, "index.html").decode() == f"{current.version}: 3"
    fixed = {name for name in files if not set(name.split("/")) & set(versions)}
    assert fixed == {".lock", "current.json", "wholesale.duckdb", *ENTRIES}
    for name in fixed - {".lock"}:
        about = bucket.open_input_stream(f"reports/of/us/{name}").metadata()
        assert (name, about.get("Cache-Control")) == (name, b"no-cache")
    about = bucket.open_input_stream("reports/of/us/index.html").metadata()
    assert about["Content-Type"] == b"text/html"
    (tmp_path / "copy.duckdb").write_bytes(read(bucket, "wholesale.duckdb"))
    with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as connection:
        assert connection.sql("select number from wholesale_bi.rpt_headlines").fetchall() == [(3,)]


def test_fixed_names_in_a_bucket_are_those_of_the_version_in_force(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(draft: Path, build: Build, software: str) -> list[Path]:
        (draft / "csv").mkdir()
        (draft / "csv/one.csv").write_text(str(build.run_id))
        return [draft / "csv/one.csv"]

    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    wanted = {"a": add}
    monkeypatch.setattr(publishing, "read_additions", lambda: wanted)
    for number in (1, 2):
        handmade.build(warehouse.database, number)
        assert publish_marts(warehouse, PLACE).result == "published"
        assert publish_marts(warehouse, PLACE).result == "already published"

        assert read(bucket, "csv/one.csv").decode() == f"run {number}"
        about = bucket.open_input_stream("reports/of/us/csv/one.csv").metadata()
        assert about["Cache-Control"] == b"no-cache"
    wanted.clear()
    publish_marts(warehouse, PLACE)

    with pytest.raises(FileNotFoundError):
        read(bucket, "csv/one.csv")


def test_what_is_missing_in_a_bucket_is_published_again_and_what_is_half_goes(
    bucket: fs.FileSystem, tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 4)
    publish_marts(warehouse, PLACE)
    damaged = Manifest.of(read(bucket, "current.json"))
    bucket.delete_file(f"reports/of/us/{damaged.tables[0].path}")
    with bucket.open_output_stream("reports/of/us/versions/half/wholesale.duckdb") as stream:
        stream.write(b"half")

    assert publish_marts(warehouse, PLACE).result == "published"
    assert Manifest.of(read(bucket, "current.json")).version != damaged.version
    found = bucket.get_file_info(fs.FileSelector("reports/of/us/versions"))
    assert "half" not in {info.base_name for info in found}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    few(["wholesale.duckdb", "index.html", "dashboard/latest.js", "{database}", "{dashboard}"], 2),
)
def test_another_object_of_the_same_size_is_seen_in_a_bucket(
    bucket: fs.FileSystem, tmp_path: Path, name: str
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 5)
    publish_marts(warehouse, PLACE)
    before = Manifest.of(read(bucket, "current.json"))
    path = name.format(database=before.database.path, dashboard=before.dashboard)
    content = read(bucket, path)
    with bucket.open_output_stream(f"reports/of/us/{path}") as stream:
        stream.write(content[:-1] + b"!")

    assert publish_marts(warehouse, PLACE).result == "published"
    assert publish_marts(warehouse, PLACE).result == "already published"
    current = Manifest.of(read(bucket, "current.json"))
    assert sha256(read(bucket, "wholesale.duckdb")).hexdigest() == current.database.sha256


def test_what_came_from_one_service_is_guarded_in_a_bucket_too(
    bucket: fs.FileSystem, tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 6)
    publish_marts(warehouse, PLACE)
    with bucket.open_output_stream("reports/of/us/current.json") as stream:
        stream.write(b"{")
    handmade.build(warehouse.database, 7, service="example.com/api/external/v1")

    with pytest.raises(ConfigurationError, match="came from another service"):
        publish_marts(warehouse, PLACE)


def test_a_bucket_that_is_not_there_is_named(bucket: fs.FileSystem, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    with pytest.raises(
        BucketFailed, match=r"^s3://nobodys/x cannot be read or written: .*check its"
    ):
        publish_marts(warehouse, "s3://nobodys/x")


def in_force(bucket: fs.FileSystem) -> Manifest:
    """The version in force, every file of which is there as its manifest says."""
    manifest = Manifest.of(read(bucket, "current.json"))
    for file in manifest.files:
        assert sha256(read(bucket, file.path)).hexdigest() == file.sha256, file.path
    return manifest


def test_a_bucket_that_refuses_an_object_is_told_by_that_object_and_the_code_of_its_answer(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = obstore.put
    refused: list[str] = []

    def refuse(store: Any, path: str, *arguments: Any, **options: Any) -> Any:
        if path != ".lock" or refused:
            refused.append(path)
            raise PermissionDeniedError(
                f"no right to {path}: 403 Forbidden: <?xml?><Error><Code>AccessDenied</Code><Key>k"
            )
        return put(store, path, *arguments, **options)

    monkeypatch.setattr(obstore, "put", refuse)
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)

    with pytest.raises(BucketFailed) as failed:
        publish_marts(warehouse, "s3://reports/refused")

    assert f"no right to {refused[0]}: 403 Forbidden (AccessDenied); check" in str(failed.value)


def test_a_second_run_is_told_who_publishes_into_the_bucket_and_till_when(
    bucket: fs.FileSystem, tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    store = from_url(PLACE, client_options={"allow_http": True})

    with (
        Lease(BucketNote(store, ".lock", PLACE), PLACE).held(),
        pytest.raises(AlreadyRunning, match=rf"at work on {PLACE}: process \d+ on .* at \d\d:\d\d"),
    ):
        publish_marts(warehouse, PLACE)

    assert publish_marts(warehouse, PLACE).result == "published"


def dies_at(deadline: int) -> Callable[..., Any]:
    """`obstore.put`, but that the process is dead from its so manieth call on."""
    put, calls = obstore.put, itertools.count(1)

    def put_or_die(*arguments: Any, **options: Any) -> Any:
        if next(calls) >= deadline:
            raise KeyboardInterrupt
        return put(*arguments, **options)

    return put_or_die


@pytest.mark.slow
@pytest.mark.parametrize("stride", [2, by_hand(1)])
def test_a_publication_that_dies_anywhere_leaves_a_version_in_force_and_the_next_one_mends(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stride: int
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    publish_marts(warehouse, PLACE)
    versions = {in_force(bucket).version}
    monkeypatch.setattr(lease, "LENGTH", timedelta(0))
    for deadline in itertools.count(1, stride):
        handmade.build(warehouse.database, deadline + 1)
        with monkeypatch.context() as patch:
            patch.setattr(obstore, "put", dies_at(deadline))
            try:
                publish_marts(warehouse, PLACE)
                break
            except KeyboardInterrupt:
                versions.add(in_force(bucket).version)

        publish_marts(warehouse, PLACE)
        current = in_force(bucket)
        assert sha256(read(bucket, "wholesale.duckdb")).hexdigest() == current.database.sha256
        assert read(bucket, "index.html").decode() == f"{current.version}: {deadline + 1}"
        assert publish_marts(warehouse, PLACE).result == "already published"
        versions.add(current.version)
    assert deadline > 12
    assert len(versions) > deadline / stride


def test_of_two_runs_with_one_lease_the_first_version_stays_in_force(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick = (Warehouse(tmp_path / f"{name}.duckdb") for name in ("slow", "quick"))
    for number, warehouse in enumerate((slow, quick), 11):
        handmade.build(warehouse.database, number)
    monkeypatch.setattr(lease, "LENGTH", timedelta(0))

    def publish_meanwhile(*arguments: Any) -> None:
        monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
        publish_marts(quick, PLACE)
        handmade.write_site(*arguments)

    monkeypatch.setattr(publishing, "write_dashboard", publish_meanwhile)
    with pytest.raises(AlreadyRunning, match="another one has taken its place"):
        publish_marts(slow, PLACE)

    assert read(bucket, "index.html").decode() == f"{in_force(bucket).version}: 12"
    assert publish_marts(quick, PLACE).result == "already published"


def test_what_is_in_force_is_replaced_on_condition_only(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    publish_marts(warehouse, PLACE)
    put = obstore.put

    def overtaken(store: Any, path: str, *arguments: Any, **options: Any) -> Any:
        if path == "current.json":
            put(store, path, b"{}")
        return put(store, path, *arguments, **options)

    handmade.build(warehouse.database, 2)
    monkeypatch.setattr(obstore, "put", overtaken)

    with pytest.raises(AlreadyRunning, match=f"published into {PLACE} meanwhile"):
        publish_marts(warehouse, PLACE)

    assert read(bucket, "current.json") == b"{}"


def test_a_write_whose_answer_was_lost_is_no_other_run(
    bucket: fs.FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(tmp_path / "wholesale.duckdb")
    handmade.build(warehouse.database, 1)
    publish_marts(warehouse, PLACE)
    put, lost = obstore.put, []

    def put_again(store: Any, path: str, *arguments: Any, **options: Any) -> Any:
        """As a client does that hears nothing of the first time."""
        answer = put(store, path, *arguments, **options)
        if options.get("mode") is None:
            return answer
        lost.append(path)
        return put(store, path, *arguments, **options)

    handmade.build(warehouse.database, 2)
    monkeypatch.setattr(obstore, "put", put_again)

    assert publish_marts(warehouse, PLACE).result == "published"

    assert read(bucket, "index.html").decode() == f"{in_force(bucket).version}: 2"
    assert lost == [".lock", "current.json", ".lock"]
    assert publish_marts(warehouse, PLACE).result == "already published"


@pytest.mark.slow
def test_a_bucket_that_heeds_no_conditions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    put = obstore.put
    monkeypatch.setattr(obstore, "put", lambda *arguments, **options: put(*arguments))

    with (
        pytest.raises(ConfigurationError, match=r"s3://old creates an object that is there"),
        Lease(BucketNote(MemoryStore(), ".lock", "s3://old"), "s3://old").held(),
    ):
        pass
