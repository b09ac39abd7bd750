"""`wholesale run` hands over what it published, each content once, and finds out before it works if
it could not."""

import json
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

from support.warehouses.handed import Counting
from wholesale_elt.cli.main import cli
from wholesale_elt.publish import find_site
from wholesale_sandbox.server import Sandbox
from wholesale_sandbox.settings import SandboxSettings

ORDERS = 60


def run(folder: Path) -> Result:
    places = ["--database", str(folder / "w.duckdb"), "--to", str(folder / "published")]
    return CliRunner().invoke(cli, ["run", *places], catch_exceptions=False)


@pytest.mark.slow
def test_a_run_hands_over_what_it_published_and_the_next_one_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {name: tmp_path / name for name in ("ledger", "desk")}
    receivers = {name: {"to": str(place)} for name, place in places.items()}
    monkeypatch.setenv("BOOKS__HAND_OVER", json.dumps(receivers))
    with Sandbox(SandboxSettings(orders=ORDERS)) as sandbox:
        monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", sandbox.base_url)
        monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
        assert run(tmp_path).exit_code == 0
        counting = {name: Counting(place) for name, place in places.items()}
        assert [each.read() for each in counting.values()] == [1, 1]
        assert run(tmp_path).exit_code == 0
        assert [each.read() for each in counting.values()] == [1, 1]

    with duckdb.connect(str(find_site(tmp_path / "published").database)) as connection:
        expected = dict(
            connection.execute(
                "select order_id, sub_total from wholesale_marts.fct_orders"
            ).fetchall()
        )
    assert len(expected) == ORDERS
    for each in counting.values():
        assert each.kinds == {"new": ORDERS}
        assert {id_: Decimal(found["order"]["sub_total"]) for id_, found in each.has.items()} == (
            expected
        )


def test_a_run_that_could_hand_nothing_over_reads_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES__WHOLESALE__BASE_URL", "http://127.0.0.1:1/api/external/v1")
    monkeypatch.setenv("SOURCES__WHOLESALE__API_KEY", "sandbox")
    monkeypatch.setenv("BOOKS__HAND_OVER", json.dumps({"ledger": {"to": "ftp://somewhere"}}))
    done = run(tmp_path)
    assert done.exit_code == 2
    assert "ftp://somewhere" in done.stderr
