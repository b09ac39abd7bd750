"""What the tests of a build warn of travels with what is published."""

import json
from dataclasses import asdict, astuple
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import wholesale_elt.publish.publisher as publishing
from support.warehouses.edits import write_page
from support.warehouses.marts import Marts
from wholesale.errors import decimal_text
from wholesale_elt.cli.main import cli
from wholesale_elt.figures import Question
from wholesale_elt.inspect import read_overview
from wholesale_elt.models import Found
from wholesale_elt.publish import Manifest, ask_published, find_site
from wholesale_elt.publish.manifest import BuildFinding
from wholesale_elt.publish.publisher import publish_marts


def test_figures_name_what_the_build_warns_of(
    loaded: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "write_dashboard", write_page)
    marts = loaded.copy(tmp_path)
    marts.change(
        "update wholesale_raw.orders set status = case when order_number like '%1' then 'draft'"
        " else 'quote' end where order_number like '%1' or order_number like '%2'"
    )
    warnings = marts.build().warnings
    published = tmp_path / "published"
    publish_marts(marts.warehouse, str(published))

    manifest = find_site(published).manifest
    assert manifest.findings == [
        BuildFinding(warning.test, *astuple(warning.found))
        for warning in sorted(warnings, key=lambda each: each.test)
    ]
    [(orders, amount)] = marts.rows(
        "select count(*), sum(sub_total) from wholesale_marts.fct_orders"
        " where order_status in ('draft', 'quote')"
    )
    of_states = BuildFinding("known_order_states", 2, orders, decimal_text(amount))
    assert of_states in manifest.findings
    assert manifest.verdict == "complete"
    assert Manifest.of((published / "current.json").read_bytes()).findings == manifest.findings
    of_orders = [each for each in manifest.unknown_states if each.field == "order_status"]
    assert [(each.field, each.state) for each in of_orders] == [
        ("order_status", state)
        for (state,) in marts.rows(
            "select order_status from wholesale_marts.fct_orders where not is_deleted"
            " and order_status in ('draft', 'quote') group by 1 order by count(*) desc, 1"
        )
    ]
    assert [
        (each.state, each.orders, each.amount and Decimal(each.amount))
        for each in sorted(read_overview(marts.warehouse).unknown_states, key=lambda e: e.state)
        if each.field == "order_status"
    ] == marts.rows(
        "select order_status, count(*), sum(sub_total) from wholesale_marts.fct_orders"
        " where not is_deleted and order_status in ('draft', 'quote') group by 1 order by 1"
    )
    told = [asdict(each) for each in manifest.findings]
    done = CliRunner().invoke(cli, ["figures", "sales", "--json", "--published", str(published)])
    assert json.loads(done.stdout)["findings"] == told
    asked = ask_published(published, Question(metrics=["sales"]))
    assert str(of_states) in asked.summary()
    assert decimal_text(amount) in str(of_states)
    found = find_site(published)
    with duckdb.connect(str(found.database), read_only=True) as connection:
        days = connection.execute(
            "select versions.figures_from, versions.figures_up_to, as_of.figures_from,"
            " as_of.figures_up_to from meta.versions, wholesale_marts.dim_as_of as as_of"
        ).fetchall()
    assert [row[:2] for row in days] == [row[2:] for row in days]


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Found(0), "0"),
        (Found(2), "2"),
        (Found(2, 14), "2 14"),
        (Found(2, 14, "99.5"), "2 14 99.5"),
        (Found(1, 1, "-0.000000001"), "1 1 -0.000000001"),
    ],
)
def test_what_a_test_found_is_kept_as_text(found: Found, text: str) -> None:
    assert (found.as_text(), Found.of(text)) == (text, found)


def test_of_orders_without_an_amount_a_finding_has_none_and_numbers_are_plain_digits(
    loaded: Marts, tmp_path: Path
) -> None:
    marts = loaded.copy(tmp_path)
    marts.change(
        "update wholesale_raw.orders set status = 'draft', sub_total = null, total = null",
        "update wholesale_raw.orders set created_at = null where order_number like '%1'",
    )
    warnings = marts.build().warnings
    found = {warning.test: warning.found for warning in warnings}
    [(orders,)] = marts.rows("select count(*) from wholesale_marts.fct_orders")

    assert found["known_order_states"] == Found(1, orders)
    assert found["orders_without_an_amount"] == Found(orders)
    assert marts.build().warnings[0].found == found[warnings[0].test]
    shown = [row for warning in warnings for row in warning.shown]
    assert any("expected=0," in row for row in shown)
    assert not any("E-" in row for row in shown)
