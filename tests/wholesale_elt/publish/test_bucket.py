"""Publishing into a bucket, of a real S3 server in a process of its own."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyarrow import fs

import wholesale_elt.publish.publisher as publishing
from support.warehouses import handmade
from wholesale.errors import ConfigurationError
from wholesale_elt.dashboard import ENTRIES
from wholesale_elt.publish.bucket import Unreached
from wholesale_elt.publish.manifest import Manifest
from wholesale_elt.publish.publisher import publish_marts
from wholesale_elt.warehouse.destination import Warehouse

PLACE = "s3://reports/of/us"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    log = tmp_path_factory.mktemp("s3") / "log"
    with log.open("w") as file, subprocess.Popen(command, stderr=file) as process:
        try:
            while not (found := re.search(r"Running on (http://\S+)\n", log.read_text())):
                assert process.poll() is None, log.read_text()
                time.sleep(0.05)
            yield found[1]
        finally:
            process.kill()


@pytest.fixture
def bucket(address: str, monkeypatch: pytest.MonkeyPatch) -> fs.FileSystem:
    monkeypatch.setattr(publishing, "write_dashboard", handmade.write_site)
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "somebody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    files, _ = fs.FileSystem.from_uri("s3://reports?allow_bucket_creation=true")
    files.create_dir("reports")
    return files


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
        if path.is_file() and path.name != ".lock"
    } | {"versions/v/etags.json"}
    assert all(files[file.path].size == file.bytes for file in current.files)
    assert read(bucket, "index.html").decode() == f"{current.version}: 3"
    fixed = {name for name in files if not set(name.split("/")) & set(versions)}
    assert fixed == {"current.json", "wholesale.duckdb", *ENTRIES}
    for name in fixed:
        about = bucket.open_input_stream(f"reports/of/us/{name}").metadata()
        assert (name, about.get("Cache-Control")) == (name, b"no-cache")
    about = bucket.open_input_stream("reports/of/us/index.html").metadata()
    assert about["Content-Type"] == b"text/html"
    (tmp_path / "copy.duckdb").write_bytes(read(bucket, "wholesale.duckdb"))
    with duckdb.connect(str(tmp_path / "copy.duckdb"), read_only=True) as connection:
        assert connection.sql("select number from bi.rpt_headlines").fetchall() == [(3,)]


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


@pytest.mark.parametrize(
    "name", ["wholesale.duckdb", "index.html", "dashboard/latest.js", "{database}", "{dashboard}"]
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
    with pytest.raises(Unreached, match=r"^s3://nobodys/x cannot be read or written: .*check its"):
        publish_marts(warehouse, "s3://nobodys/x")
