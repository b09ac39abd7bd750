"""The source without our command line: any dlt pipeline may use it."""

from pathlib import Path
from typing import Any

import dlt
import duckdb
import pytest
from dlt.extract.exceptions import ResourceExtractionError

from support.samples import guid, line, order
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
        match=rf"GET /vendors\?page=1&limit={limit} got no usable answer in 2 attempts",
    ):
        list(wholesale_source(**given).with_resources("vendors"))


def test_a_setting_that_does_not_exist_is_refused_before_anything_is_asked(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigurationError, match="did you mean page_size"):
        wholesale_source(base_url=sandbox.base_url, api_key="sandbox", pagesize=7)
    monkeypatch.setenv("SOURCES__WHOLESALE__DEADLINE", "7")
    with pytest.raises(ConfigurationError, match="did you mean deadline_seconds"):
        wholesale_source(base_url=sandbox.base_url, api_key="sandbox")

    assert sandbox.requests.entries() == []


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

    assert "vendors: 1 records are in quarantine" in caplog.text
