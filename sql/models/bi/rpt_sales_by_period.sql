with

sales_by_period as (

    select * from {{ ref('int_sales_by_period') }}

),

final as (

    select
        sales_by_period_id,
        period_key,
        is_finished,
        vendor_id,
        vendor_name,
        state,
        order_count,
        buyer_count,
        unit_count,
        sales_amount,
        net_sales_amount,
        billed_amount,
        refunded_amount,
        discount_amount,
        average_order_value,
        discount_rate,
        below_minimum_value_count,
        below_minimum_value_rate,
        order_count_year_before,
        buyer_count_year_before,
        sales_amount_year_before,
        average_order_value_year_before,
        order_count_growth,
        buyer_count_growth,
        sales_amount_growth,
        average_order_value_growth,
        is_growth_told
    from sales_by_period
    where vendor_id <> 'all'
        and state <> 'all'

)

select * from final
