{# Made by `poe generate`: edit sql/models/marts/metrics.yml, not this file. #}

{# The SQL of a metric over the rows of its semantic model. Only columns of that model may be in
reach: aggregate first, join afterwards. #}
{% macro metric(name) -%}
    {{- {
        "orders": "cast(sum(case when is_sale then 1 else 0 end) as bigint)",
        "sales": "cast(sum(coalesce(case when is_sale then sub_total end, 0)) as decimal(38, 9))",
        "net_sales": "cast(sum(coalesce(case when is_sale then net_sub_total end, 0)) as decimal(38, 9))",
        "refunded_orders": "cast(sum(case when is_sale and is_refunded then 1 else 0 end) as bigint)",
        "refunded_sales": "cast(sum(coalesce(case when is_sale and is_refunded then sub_total end, 0)) as decimal(38, 9))",
        "billed": "cast(sum(coalesce(case when is_sale then total end, 0)) as decimal(38, 9))",
        "discounts": "cast(sum(case when is_sale then line_discount_amount end) as decimal(38, 9))",
        "fees": "cast(sum(case when is_sale then transaction_fee end) as decimal(38, 9))",
        "units": "cast(sum(case when is_sale then known_unit_count else 0 end) as bigint)",
        "lines": "cast(sum(case when is_sale then line_count else 0 end) as bigint)",
        "active_buyers": "count(distinct case when is_sale then buyer_id end)",
        "orders_below_minimum_value": "cast(sum(case when is_sale and sub_total < vendor_minimum_order_value then 1 else 0 end) as bigint)",
        "orders_without_an_amount": "cast(sum(case when is_sale and (sub_total is null or total is null) then 1 else 0 end) as bigint)",
        "undated_orders": "cast(sum(case when is_sale and ordered_date is null then 1 else 0 end) as bigint)",
        "average_order_value": ratio("cast(sum(coalesce(case when is_sale then sub_total end, 0)) as decimal(38, 9))", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "units_per_order": ratio("cast(sum(case when is_sale then known_unit_count else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "lines_per_order": ratio("cast(sum(case when is_sale then line_count else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "discount_rate": ratio("cast(sum(case when is_sale then line_discount_amount end) as decimal(38, 9))", "cast(sum(coalesce(case when is_sale then sub_total end, 0)) as decimal(38, 9))"),
        "fee_rate": ratio("cast(sum(case when is_sale then transaction_fee end) as decimal(38, 9))", "cast(sum(coalesce(case when is_sale then total end, 0)) as decimal(38, 9))"),
        "below_minimum_value_rate": ratio("cast(sum(case when is_sale and sub_total < vendor_minimum_order_value then 1 else 0 end) as bigint)", "cast(sum(case when is_sale then 1 else 0 end) as bigint)"),
        "buyers_reordering_within_90_days": "count(distinct case when has_reordered_within_90_days then buyer_id end)",
        "buyers_known_after_90_days": "count(distinct case when has_reordered_within_90_days is not null then buyer_id end)",
        "late_buyers": "count(distinct case when is_late then buyer_id end)",
        "lapsed_buyers": "count(distinct case when is_lapsed then buyer_id end)",
        "buyers_at_risk": "count(distinct case when is_at_risk then buyer_id end)",
        "sales_of_late_buyers": "cast(sum(case when is_late then sales_amount end) as decimal(38, 9))",
        "sales_of_lapsed_buyers": "cast(sum(case when is_lapsed then sales_amount end) as decimal(38, 9))",
        "reorder_rate_90_days": ratio("count(distinct case when has_reordered_within_90_days then buyer_id end)", "count(distinct case when has_reordered_within_90_days is not null then buyer_id end)"),
        "product_sales": "cast(sum(coalesce(case when is_sale then total_price end, 0)) as decimal(38, 9))",
        "product_discounts": "cast(sum(coalesce(case when is_sale then discount_amount end, 0)) as decimal(38, 9))",
        "product_units": "cast(sum(coalesce(case when is_sale then quantity end, 0)) as bigint)",
        "product_lines": "cast(sum(case when is_sale then 1 else 0 end) as bigint)",
        "product_orders": "count(distinct case when is_sale then order_id end)",
        "product_buyers": "count(distinct case when is_sale then buyer_id end)",
        "products_sold": "count(distinct case when is_sale then item_id end)",
        "average_unit_price": ratio("cast(sum(coalesce(case when is_sale then total_price end, 0)) as decimal(38, 9))", "cast(sum(coalesce(case when is_sale then quantity end, 0)) as bigint)"),
    }[name] -}}
{%- endmacro %}
