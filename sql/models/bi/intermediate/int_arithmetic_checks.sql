with

order_totals as (

    select
        count(*) as order_count,
        coalesce(sum(sub_total), 0) as sub_total,
        count(*) filter (where is_sale and ordered_at is not null) as sale_count,
        coalesce(sum(sub_total) filter (where is_sale and ordered_at is not null), 0)
            as sales_amount
    from {{ ref('fct_orders') }}

),

line_totals as (

    select
        count(*) as line_count,
        coalesce(sum(total_price), 0) as total_price
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

final as (

    select
        'raw orders against fct_orders' as check_name,
        'orders' as resource,
        raw_order_totals.sub_total as expected,
        order_totals.sub_total as found,
        abs(raw_order_totals.order_count - order_totals.order_count) as different_row_count
    from raw_order_totals
    cross join order_totals
    union all
    select
        'raw lines against fct_order_lines' as check_name,
        'orders' as resource,
        raw_line_totals.total_price as expected,
        line_totals.total_price as found,
        abs(raw_line_totals.line_count - line_totals.line_count) as different_row_count
    from raw_line_totals
    cross join line_totals
    union all
    select
        'fct_orders against rpt_daily_sales' as check_name,
        'orders' as resource,
        order_totals.sales_amount as expected,
        daily_totals.sales_amount as found,
        abs(order_totals.sale_count - daily_totals.order_count) as different_row_count
    from order_totals
    cross join daily_totals

)

select * from final
