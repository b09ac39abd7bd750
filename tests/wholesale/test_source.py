"""The source without our command line: any dlt pipeline may use it."""

from pathlib import Path

import dlt
import duckdb
import pytest

from support.samples import guid, line, order
from wholesale import wholesale_source
from wholesale_sandbox.server import Sandbox


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
