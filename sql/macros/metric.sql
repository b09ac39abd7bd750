{# Made by `python -m support.dbt_files`: edit models/marts/metrics.yml, not this file. #}

{# The SQL of a metric over the rows of its semantic model. Only columns of that model may be in
reach: aggregate first, join afterwards. #}
{% macro metric(name) -%}
    {{- {
        "orders": "cast(sum(case when is_sale then 1 else 0 end) as bigint)",
        "sales": "cast(sum(case when is_sale then sub_total else 0 end) as decimal(38, 9))",
        "billed": "cast(sum(case when is_sale then total else 0 end) as decimal(38, 9))",
        "discounts": "cast(sum(case when is_sale then line_discount_amount end) as decimal(38, 9))",
        "fees": "cast(sum(case when is_sale then transaction_fee end) as decimal(38, 9))",
        "units": "cast(sum(case when is_sale then unit_count else 0 end) as bigint)",
        "lines": "cast(sum(case when is_sale then line_count else 0 end) as bigint)",
        "active_buyers": "count(distinct case when is_sale then buyer_id end)",
        "orders_below_minimum": "cast(sum(case when is_sale and sub_total < vendor_minimum_order_value then 1 else 0 end) as bigint)",
        "average_order_value": ratio("cast(sum(case when is_sale then sub_total else 0 end) as decimal(38, 9))", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "units_per_order": ratio("cast(sum(case when is_sale then unit_count else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "lines_per_order": ratio("cast(sum(case when is_sale then line_count else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "discount_rate": ratio("cast(sum(case when is_sale then line_discount_amount end) as decimal(38, 9))", "cast(sum(case when is_sale then sub_total else 0 end) as decimal(38, 9))"),
        "fee_rate": ratio("cast(sum(case when is_sale then transaction_fee end) as decimal(38, 9))", "cast(sum(case when is_sale then total else 0 end) as decimal(38, 9))"),
        "below_minimum_rate": ratio("cast(sum(case when is_sale and sub_total < vendor_minimum_order_value then 1 else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
    }[name] -}}
{%- endmacro %}
