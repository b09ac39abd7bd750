{%- set kinds = [
    'orders', 'vendors', 'buyers', 'buyer_users', 'items', 'variants',
    'item_images', 'price_lists', 'prices', 'brands', 'categories', 'custom_fields'
] -%}

with

order_totals as (

    select
        count(*) as order_count,
        coalesce(sum(sub_total), 0) as sub_total,
        coalesce(sum(lines_total_price), 0) as lines_total_price,
        coalesce(sum(line_discount_amount), 0) as line_discount_amount,
        coalesce(sum(lines_discount_amount), 0) as lines_discount_amount,
        count(*) filter (
            where coalesce(sub_total, 0) <> coalesce(lines_total_price, 0)
        ) as different_sub_total_count,
        count(*) filter (
            where coalesce(line_discount_amount, 0) <> coalesce(lines_discount_amount, 0)
        ) as different_discount_count,
        count(*) filter (where ordered_at is null) as undated_count,
        coalesce(sum(sub_total) filter (where ordered_at is null), 0) as undated_sub_total,
        count(*) filter (where is_sale and ordered_at is not null) as sale_count,
        coalesce(sum(sub_total) filter (where is_sale and ordered_at is not null), 0)
            as sales_amount
    from {{ ref('fct_orders') }}

),

line_totals as (

    select
        count(*) as line_count,
        coalesce(sum(total_price), 0) as total_price,
        coalesce(sum(quantity) filter (where is_sale), 0) as sold_unit_count,
        coalesce(sum(total_price) filter (where is_sale), 0) as sold_total_price
    from {{ ref('fct_order_lines') }}

),

raw_order_totals as (

    select
        count(*) as order_count,
        coalesce(sum(sub_total), 0) as sub_total
    from {{ ref('stg_wholesale__orders') }}

),

raw_line_totals as (

    select
        count(*) as line_count,
        coalesce(sum(total_price), 0) as total_price
    from {{ ref('stg_wholesale__order_line_items') }}

),

daily_totals as (

    select
        coalesce(sum(order_count), 0) as order_count,
        coalesce(sum(sales_amount), 0) as sales_amount
    from {{ ref('rpt_daily_sales') }}

),

catalogue_totals as (

    select
        coalesce(sum(unit_count), 0) as unit_count,
        coalesce(sum(sales_amount), 0) as sales_amount
    from {{ ref('rpt_catalogue') }}

),

sync_runs as (

    select
        resource,
        last_total_count,
        row_number() over (partition by resource order by run_id desc) as recency
    from {{ ref('stg_wholesale__sync_runs') }}

),

last_totals as (

    select * from sync_runs where recency = 1

),

alive as (

    {% for kind in kinds -%}
    select
        '{{ kind }}' as resource,
        count(*) as row_count
    from {{ ref('stg_wholesale__' ~ kind) }}
    where not is_deleted
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

checks as (

    select
        'lines against sub_total' as check_name,
        'orders' as resource,
        'warn' as severity,
        sub_total as expected,
        lines_total_price as found,
        different_sub_total_count as different_row_count
    from order_totals
    union all
    select
        'line discounts against the header' as check_name,
        'orders' as resource,
        'warn' as severity,
        line_discount_amount as expected,
        lines_discount_amount as found,
        different_discount_count as different_row_count
    from order_totals
    union all
    select
        'orders without a date' as check_name,
        'orders' as resource,
        'warn' as severity,
        0 as expected,
        undated_sub_total as found,
        undated_count as different_row_count
    from order_totals
    union all
    select
        'rows alive against total_count' as check_name,
        alive.resource,
        'warn' as severity,
        last_totals.last_total_count as expected,
        alive.row_count as found,
        abs(alive.row_count - last_totals.last_total_count) as different_row_count
    from alive
    left join last_totals on alive.resource = last_totals.resource
    union all
    select
        'raw orders against fct_orders' as check_name,
        'orders' as resource,
        'error' as severity,
        raw_order_totals.sub_total as expected,
        order_totals.sub_total as found,
        abs(raw_order_totals.order_count - order_totals.order_count) as different_row_count
    from raw_order_totals
    cross join order_totals
    union all
    select
        'raw lines against fct_order_lines' as check_name,
        'orders' as resource,
        'error' as severity,
        raw_line_totals.total_price as expected,
        line_totals.total_price as found,
        abs(raw_line_totals.line_count - line_totals.line_count) as different_row_count
    from raw_line_totals
    cross join line_totals
    union all
    select
        'fct_orders against rpt_daily_sales' as check_name,
        'orders' as resource,
        'error' as severity,
        order_totals.sales_amount as expected,
        daily_totals.sales_amount as found,
        abs(order_totals.sale_count - daily_totals.order_count) as different_row_count
    from order_totals
    cross join daily_totals
    union all
    select
        'lines sold against rpt_catalogue' as check_name,
        'orders' as resource,
        'error' as severity,
        line_totals.sold_total_price as expected,
        catalogue_totals.sales_amount as found,
        abs(line_totals.sold_unit_count - catalogue_totals.unit_count) as different_row_count
    from line_totals
    cross join catalogue_totals

),

final as (

    select
        check_name || ': ' || resource as reconciliation_id,
        check_name,
        resource,
        severity,
        cast(expected as decimal(38, 9)) as expected,
        cast(found as decimal(38, 9)) as found,
        cast(found - expected as decimal(38, 9)) as difference,
        cast(different_row_count as bigint) as different_row_count,
        different_row_count = 0 and found = expected as is_reconciled
    from checks

)

select * from final
