"""The source without our command line: any dlt pipeline may use it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import dlt
import duckdb
import pytest
from dlt.extract import DltSource
from dlt.extract.exceptions import ResourceExtractionError

from conftest import Loader
from support.records.samples import guid, line, order
from wholesale import wholesale_source
from wholesale.errors import ConfigurationError
from wholesale_sandbox.server import Sandbox


@pytest.mark.parametrize(("given", "limit"), [({}, 7), ({"page_size": 3}, 3)])
def test_a_plain_dlt_source_honours_every_setting_and_those_given_first(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], limit: int
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    monkeypatch.setenv("SOURCES__WHOLESALE__ATTEMPTS", "2")
    monkeypatch.setenv("SOURCES__WHOLESALE__PAGE_SIZE", "7")
    sandbox.dials.change({"error_share": 1.0, "fault_endpoints": ["list_vendors"]})

    with pytest.raises(
        ResourceExtractionError,
        match=rf"GET /vendors\?page=1&limit={limit} got no usable response in 2 attempts",
    ):
        list(wholesale_source(**given).with_resources("vendors"))


@pytest.mark.parametrize(
    ("package", "name"),
    [("wholesale", "wholesale_source"), ("wholesale_elt", "wholesale_pipeline")],
)
def test_a_notebook_completes_what_a_package_loads_when_it_is_asked_for(
    package: str, name: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import {package}; print(*dir({package}))"],
        check=True,
        capture_output=True,
        text=True,
    )

    assert name in done.stdout.split()


def test_a_setting_that_does_not_exist_is_refused_before_anything_is_asked(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="did you mean page_size"):
        wholesale_source(base_url=sandbox.base_url, api_key="sandbox", pagesize=7)
    monkeypatch.setenv("SOURCES__WHOLESALE__DEADLINE", "7")
    with pytest.raises(ConfigurationError, match="did you mean deadline_seconds"):
        wholesale_source(base_url=sandbox.base_url, api_key="sandbox")

    assert sandbox.requests.entries() == []


def test_a_script_of_its_own_loads_as_a_pipeline_among_others_does(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    program = (
        "import dlt\nfrom wholesale import wholesale_source\n"
        "pipeline = dlt.pipeline('alone', destination='duckdb', dataset_name='wholesale_raw',"
        " pipelines_dir='pipelines')\n"
        "for _ in range(2):\n"
        "    pipeline.run(wholesale_source().with_resources('orders', 'vendors'))\n"
    )

    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")
    with duckdb.connect(str(tmp_path / "alone.duckdb")) as connection:
        rows = connection.execute(
            "select line_number, sku from wholesale_raw.orders__order_line_items order by all"
        )
        assert rows.fetchall() == [(1, "x"), (2, "y")]


def test_the_source_runs_in_a_plain_dlt_pipeline_with_settings_from_the_environment(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    sandbox.put("orders", order("A", order_line_items=[line("x"), line("y")]))
    sandbox.put("items", {"id": guid("item"), "variants_count": 1})
    sandbox.put("variants", {"id": guid("variant")}, parent_id=guid("item"))
    database = tmp_path / "plain.duckdb"
    pipeline = dlt.pipeline(
        "plain",
        destination=dlt.destinations.duckdb(str(database)),
        dataset_name="wholesale_raw",
        pipelines_dir=str(tmp_path / "pipelines"),
    )
    source = wholesale_source()

    pipeline.run(source)
    sandbox.put("orders", order("A", order_line_items=[line("z")]))
    pipeline.run(source)
    pipeline.run(wholesale_source().with_resources("variants"))

    with duckdb.connect(str(database)) as connection:
        rows = connection.execute(
            "select line_number, sku from wholesale_raw.orders__order_line_items"
        )
        assert rows.fetchall() == [(1, "z")]
        rows = connection.execute("select id, parent_id from wholesale_raw.variants")
        assert rows.fetchall() == [(guid("variant"), guid("item"))]


def test_a_plain_source_warns_of_what_speaks_against_a_list(
    sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.put("vendors", {"id": " ", "name": "nobody's"})

    list(wholesale_source(base_url=sandbox.base_url, api_key="sandbox").with_resources("vendors"))

    assert "vendors: 1 record in quarantine" in caplog.text


def plain(folder: Path) -> dlt.Pipeline:
    return dlt.pipeline(
        "plain",
        destination=dlt.destinations.duckdb(str(folder / "plain.duckdb")),
        dataset_name="wholesale_raw",
        pipelines_dir=str(folder / "pipelines"),
    )


def orders_of(sandbox: Sandbox) -> DltSource:
    source = wholesale_source(base_url=sandbox.base_url, api_key="sandbox", page_size=2)
    return source.with_resources("orders")


@pytest.mark.parametrize("is_hint", [True, False])
def test_a_plain_source_may_replace_what_the_run_before_left(
    sandbox: Sandbox, tmp_path: Path, is_hint: bool
) -> None:
    for name in "ABC":
        sandbox.put("orders", order(name, order_line_items=[line(name)]))
    for before in range(2):
        source = orders_of(sandbox)
        if is_hint:
            source.orders.apply_hints(write_disposition="replace", schema_contract="evolve")
            plain(tmp_path).run(source)
        else:
            plain(tmp_path).run(source, write_disposition="replace")
        if not before:
            sandbox.delete("orders", guid("A"))
            sandbox.put("orders", order("B", order_line_items=[]))

    with duckdb.connect(str(tmp_path / "plain.duckdb")) as connection:
        connection.execute("set schema = 'wholesale_raw'")
        held = connection.execute("select order_number from orders order by 1").fetchall()
        lines = connection.execute("select * exclude _extra from orders__order_line_items")
        found = lines.to_arrow_table().select(["order_id", "line_number", "sku"]).to_pylist()
    assert held == [("B",), ("C",)]
    assert found == [{"order_id": guid("C"), "line_number": 1, "sku": "C"}]


def test_what_a_sync_loaded_is_read_by_dlt(sandbox: Sandbox, loader: Loader) -> None:
    sandbox.put("vendors", {"id": guid("V"), "name": "V"})
    loader.load("vendors")
    destination = dlt.destinations.duckdb(str(loader.warehouse.database))

    found = dlt.dataset(destination, "wholesale_raw").vendors.select("name").fetchall()

    assert found == [("V",)]
