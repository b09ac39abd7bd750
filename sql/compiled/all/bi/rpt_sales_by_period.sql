-- bi/rpt_sales_by_period (table)
--   sales_by_period_id text
--   period_key text
--   is_finished boolean
--   vendor_id text
--   vendor_name text
--   state text
--   order_count bigint
--   buyer_count bigint
--   unit_count bigint
--   sales_amount decimal(38, 9)
--   net_sales_amount decimal(38, 9)
--   billed_amount decimal(38, 9)
--   refunded_amount decimal(38, 9)
--   discount_amount decimal(38, 9)
--   average_order_value decimal(38, 6)
--   discount_rate decimal(38, 6)
--   below_minimum_value_count bigint
--   below_minimum_value_rate decimal(38, 6)
--   order_count_year_before bigint
--   buyer_count_year_before bigint
--   sales_amount_year_before decimal(38, 9)
--   average_order_value_year_before decimal(38, 6)
--   order_count_growth decimal(38, 6)
--   buyer_count_growth decimal(38, 6)
--   sales_amount_growth decimal(38, 6)
--   average_order_value_growth decimal(38, 6)
--   is_growth_told boolean
with

sales_by_period as (

    select * from int_sales_by_period

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
