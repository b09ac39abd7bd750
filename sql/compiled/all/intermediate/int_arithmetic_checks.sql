-- intermediate/int_arithmetic_checks (table)
with

order_totals as (

    select
        count(*) as sale_count,
        coalesce(sum(sub_total), 0) as sales_amount
    from fct_orders
    where is_sale
        and ordered_date is not null

),

daily_totals as (

    select
        coalesce(sum(order_count), 0) as order_count,
        coalesce(sum(sales_amount), 0) as sales_amount
    from rpt_daily_sales

),

final as (

    select
        'fct_orders against rpt_daily_sales' as check_name,
        'orders' as resource,
        order_totals.sales_amount as expected,
        daily_totals.sales_amount as found,
        abs(order_totals.sale_count - daily_totals.order_count) as difference_count
    from order_totals
    cross join daily_totals

)

select * from final
