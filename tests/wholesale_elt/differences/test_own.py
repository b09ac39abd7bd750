"""Why a metric of a table that users added moved: by its orders, or those of its buyers."""

from decimal import Decimal
from pathlib import Path

import pytest

from support.warehouses.added import add
from support.warehouses.marts import Marts
from wholesale.errors import Unanswerable
from wholesale_elt.differences.published import why_published
from wholesale_elt.figures import Question
from wholesale_elt.publish.publisher import publish_marts

pytestmark = pytest.mark.slow
SHARE = "BUILD__PARAMETERS__SHARE"
FILES = {
    "models/margins.sql": """select
    o.order_id, o.ordered_date, o.payment_status, b.size as unit, b.size as owner,
    o.sub_total * {{ parameter('share') }} as margin
from {{ ref('fct_orders') }} as o
left join {{ ref('buyer_sizes') }} as b on o.buyer_id = b.buyer_id
where o.is_sale
""",
    "models/buyer_sizes.sql": """select
    buyer_id, sum(sub_total) as sales,
    case when sum(sub_total) >= 5000 then 'large' else 'small' end as size
from {{ ref('fct_orders') }}
where is_sale and buyer_id is not null
group by buyer_id
""",
    "models/statuses.sql": """select payment_status, count(*) as orders
from {{ ref('margins') }}
group by all
""",
    "metrics.yml": """semantic_models:
  - name: margins
    model: ref('margins')
    defaults: {agg_time_dimension: day}
    dimensions:
      - {name: day, type: time, expr: ordered_date}
      - {name: size, type: categorical, expr: unit}
    measures:
      - {name: margin_amount, agg: sum, expr: margin}
      - {name: margin_orders, agg: count_distinct, expr: order_id}
      - name: open_margin_amount
        agg: sum
        expr: case when payment_status = 'pending' then margin end
  - name: buyer_sizes
    model: ref('buyer_sizes')
    dimensions: [{name: size, type: categorical}]
    measures: [{name: sized_amount, agg: sum, expr: sales}]
  - name: statuses
    model: ref('statuses')
    measures: [{name: status_orders, agg: sum, expr: orders}]
metrics:
  - {name: margin, type: simple, type_params: {measure: margin_amount}}
  - {name: margin_order_count, type: simple, type_params: {measure: margin_orders}}
  - name: margin_rate
    type: ratio
    type_params: {numerator: margin, denominator: margin_order_count}
  - {name: open_margin, type: simple, type_params: {measure: open_margin_amount}}
  - {name: sized_sales, type: simple, type_params: {measure: sized_amount}}
  - {name: by_status, type: simple, type_params: {measure: status_orders}}
""",
}
SOME = (
    "select order_id, sub_total, buyer_id from wholesale_marts.fct_orders where is_sale"
    " and payment_status <> 'pending' and sub_total > 100 and buyer_id is not null"
    " order by order_id limit 4"
)


def causes(
    metric: str, before: str = "previous"
) -> dict[str, tuple[Decimal | int | None, list[str]]]:
    total = why_published(Path("published"), Question(metrics=[metric]), before).difference.total
    assert total.residue == 0
    return {each.cause: (each.amount, list(each.order_ids)) for each in total.causes}


def test_by_what_its_orders_tell(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch, FILES)
    monkeypatch.setenv(SHARE, "0.5")
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"
    (cancelled, first, _), (edited, *_), (deleted, third, _), (paid, fourth, _) = marts.rows(SOME)
    for change in (
        f"status = 'cancelled' where id = '{cancelled}'",
        f"sub_total = sub_total + 100 where id = '{edited}'",
        f"_deleted_at = now() where id = '{deleted}'",
        f"payment_status = 'pending' where id = '{paid}'",
    ):
        marts.change(f"update wholesale_raw.orders set {change}")
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"

    expected = {
        "cancelled": (-first / 2, [cancelled]),
        "edited": (50, [edited]),
        "deleted": (-third / 2, [deleted]),
    }
    assert causes("margin") == expected
    assert causes("margin_order_count") == {
        "cancelled": (-1, [cancelled]),
        "deleted": (-1, [deleted]),
    }
    assert set(causes("margin_rate")) == set(expected)
    assert causes("open_margin") == {"state changed": (fourth / 2, [paid])}
    assert {name: ids for name, (_, ids) in causes("sized_sales").items()} == {
        name: ids for name, (_, ids) in expected.items()
    }
    parts = why_published(Path("published"), Question(metrics=["margin"], by=["size"])).difference
    assert sum(part.difference or 0 for part in parts.rows) == parts.total.difference
    assert {part.residue for part in parts.rows} == {0}
    with pytest.raises(Unanswerable, match="order_id or buyer_id"):
        causes("by_status")

    monkeypatch.setenv(SHARE, "0.25")
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"

    ((amount, ids),) = causes("margin").values()
    [(total,)] = marts.rows("select sum(sub_total) from wholesale_marts.fct_orders where is_sale")
    assert (amount, list(causes("margin"))) == (-total / 4, ["model changed"])
    assert len(ids) > 100
    assert causes("sized_sales") == {}


def test_of_a_moment_its_tables_alone_are_made(
    marts: Marts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tmp_path, monkeypatch, FILES)
    monkeypatch.setenv(SHARE, "0.5")
    assert marts.build().left_out == ""
    assert publish_marts(marts.warehouse, "published").result == "published"
    [(moment,)] = marts.rows("select max(complete_as_of) from wholesale_bi.rpt_freshness")

    found = why_published(
        Path("published"),
        Question(metrics=["margin"]),
        moment.isoformat(),
        warehouse=marts.warehouse,
    )

    assert (found.before.version, found.difference.total.difference) == (None, 0)
