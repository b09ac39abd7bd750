"""The storage of a lake: a folder, a bucket of S3 on whatever server, and nothing else."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from dlt.destinations.exceptions import DatabaseException

from support.services.command import run_command
from support.warehouses.destinations import Place
from wholesale.errors import ConfigurationError
from wholesale_elt.cli.errors import failure_of
from wholesale_elt.models.build import build_models
from wholesale_elt.models.running import BuildStep
from wholesale_elt.warehouse import Warehouse, compact
from wholesale_lake import ducklake
from wholesale_lake.ducklake import DataPath
from wholesale_sandbox.server import Sandbox


def test_a_folder_is_known_by_its_absolute_path_and_takes_nothing_of_duckdb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    storage = DataPath.of("lake/files")

    assert storage == DataPath.of("../" + tmp_path.name + "/lake/files")
    assert storage.folders == (tmp_path / "lake/files",)
    assert (storage.is_bucket, storage.extensions, storage.sql) == (False, (), "")


@pytest.mark.parametrize("given", ["s3://ours/lake", "S3://ours/lake/"])
def test_a_bucket_is_reached_as_amazon_itself_is(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of-nobody-else")

    storage = DataPath.of(given)

    assert storage == DataPath("s3://ours/lake/")
    assert (storage.is_bucket, storage.folders) == (True, ())
    assert storage.sql == (
        "create or replace secret lake (type s3, provider credential_chain, endpoint"
        " 's3.amazonaws.com', use_ssl 'true', url_style 'vhost', scope 's3://ours/lake/');"
        " set s3_uploader_max_filesize = '50GB'; set s3_uploader_thread_limit = 2; "
    )


@pytest.mark.parametrize(
    ("url", "endpoint", "use_ssl"),
    [
        ("http://127.0.0.1:9000", "127.0.0.1:9000", "false"),
        ("https://minio.example.org", "minio.example.org", "true"),
    ],
)
def test_another_server_of_the_protocol_is_named_by_the_usual_variable(
    url: str, endpoint: str, use_ssl: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)

    assert DataPath.of("s3://ours/lake").server == {
        "endpoint": endpoint,
        "use_ssl": use_ssl,
        "url_style": "path",
    }


@pytest.mark.parametrize("given", ["gs://ours/lake", "s3://", "https://example.org/lake"])
def test_another_place_is_refused_with_the_setting_that_names_it(given: str) -> None:
    with pytest.raises(ConfigurationError, match=f"ducklake.storage is {given}:"):
        DataPath.of(given)


@pytest.mark.slow
def test_a_sync_leaves_nothing_where_it_was_started_but_the_lake(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    pytest.importorskip("duckdb_extension_ducklake", reason="its extra is not installed")
    (folder := tmp_path / "started here").mkdir()
    lake = tmp_path / "lake's #1 %20.sqlite"
    service = {
        "SOURCES__WHOLESALE__BASE_URL": sandbox.base_url,
        "SOURCES__WHOLESALE__API_KEY": "sandbox",
    }

    done = run_command(
        ("sync", "brands", "--destination", "ducklake", "--database", str(lake)),
        folder,
        {**os.environ, **service},
    )

    assert done.returncode == 0, done.stderr
    assert list(folder.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {
        *(folder.name, ".wholesale", lake.name, f"{lake.name}.files")
    }


@pytest.mark.slow
def test_files_that_cannot_be_written_end_a_build_before_it_makes_a_model(
    place_in: Callable[[str], Place],
) -> None:
    place = place_in("ducklake")
    place.load("brands")
    (files,) = place.warehouse.database.parent.glob("*.files")
    files.rename(files.with_name("elsewhere"))
    files.write_text("no folder")
    steps: list[BuildStep] = []

    with pytest.raises(DatabaseException) as failed:
        build_models(place.warehouse, steps.append)

    assert str(files) in failure_of(failed.value, place.warehouse).message
    assert steps == []


@pytest.mark.slow
def test_a_lake_lets_go_of_the_files_that_only_earlier_states_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb_extension_ducklake", reason="its extra is not installed")
    lake = Warehouse(tmp_path / "lake.sqlite", "ducklake")
    files = tmp_path / "lake.sqlite.files"
    with lake.open() as raw:
        raw.execute("create schema lake.raw")
        for number in range(3):
            raw.execute(
                f"create or replace table lake.raw.t as select range + {number} as id"
                " from range(10_000)"
            )
        before = raw.rows("from lake.raw.t order by id")
    (files / "raw/t/of-a-run-that-died.parquet").write_bytes(b"half")

    assert compact(lake) is None
    assert len(list(files.rglob("*.parquet"))) == 4
    monkeypatch.setattr(ducklake, "STATES_KEPT", "0 seconds")
    with lake.hold():
        assert compact(lake) is None
    compacted = compact(lake)

    assert compacted is not None
    assert compacted.after < compacted.before / 2
    assert len(list(files.rglob("*.parquet"))) == 1
    with lake.open(is_read_only=True) as raw:
        assert raw.rows("from lake.raw.t order by id") == before
