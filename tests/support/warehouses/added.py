"""Added: a folder of models, and a file of metrics, as a user may write them."""

from collections.abc import Mapping
from pathlib import Path

import pytest

FILES: Mapping[str, str] = {
    "models/buyer_size.sql": """-- How large is each buyer?
select
    orders.buyer_id,
    count(*) as order_count,
    sum(orders.sub_total) as sales_amount,
    case when sum(orders.sub_total) >= {{ parameter('large_from') }} then 'large' else 'small' end
        as size
from {{ ref('fct_orders') }} as orders
where
    orders.is_sale
    and orders.buyer_id is not null
group by orders.buyer_id
""",
    "models/size_sales.sql": """select size, count(*) as buyer_count, sum(sales_amount) as sales
from {{ ref('buyer_size') }}
group by size;
""",
    "models/sizes.yml": """models:
  - name: buyer_size
    description: How large is each buyer? One row per buyer with a sale.
    columns:
      - name: buyer_id
        data_tests: [belongs_to: {arguments: {to: ref('dim_buyers'), field: buyer_id}}]
      - name: size
        description: "`large` or `small`."
        data_tests: [accepted_values: {arguments: {values: [large, small]}}]
    data_tests: [primary_key: {arguments: {columns: [buyer_id]}}]
  - name: size_sales
    description: What do large buyers buy? One row per size.
    columns: [{name: size, data_tests: [not_null, unique]}]
""",
    "models/tests/no_buyer_is_lost.sql": """select * from {{ ref('size_sales') }}
where buyer_count < 0
""",
    "metrics.yml": """semantic_models:
  - name: large_orders
    model: ref('fct_orders')
    measures:
      - name: large_order_count
        agg: sum
        expr: case when is_sale and sub_total >= 1000 then 1 else 0 end
  - name: sizes
    model: ref('buyer_size')
    dimensions: [{name: size, type: categorical, description: Large or small.}]
    measures: [{name: sized_amount, agg: sum, expr: sales_amount}]
metrics:
  - name: large_orders
    label: Large orders
    description: Orders of 1,000 and more.
    type: simple
    type_params: {measure: large_order_count}
  - name: large_share
    type: ratio
    type_params: {numerator: large_orders, denominator: orders}
  - name: sized_sales
    type: simple
    type_params: {measure: sized_amount}
""",
}
SETTINGS = {"BUILD__MODELS": "models", "BUILD__METRICS": "metrics.yml"}
SIZES = (
    "select case when sales >= 5000 then 'large' else 'small' end as size, count(*), sum(sales)"
    " from (select buyer_id, sum(sub_total) as sales from wholesale_marts.fct_orders"
    " where is_sale and buyer_id is not null group by buyer_id) as buyers group by 1 order by 1"
)
"""What `size_sales` has, asked of our own table."""


def add(folder: Path, patch: pytest.MonkeyPatch, files: Mapping[str, str] = FILES) -> None:
    """Write the files into a folder, and begin to work there with settings that name them."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    patch.chdir(folder)
    for name, value in {**SETTINGS, "BUILD__PARAMETERS__LARGE_FROM": "5000"}.items():
        patch.setenv(name, value)
