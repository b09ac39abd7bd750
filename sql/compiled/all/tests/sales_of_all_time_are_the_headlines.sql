-- tests/sales_of_all_time_are_the_headlines (error)
select
    headlines.order_count,
    headlines.sales_amount,
    sales.order_count as order_count_of_all_time,
    sales.sales_amount as sales_amount_of_all_time
from rpt_headlines as headlines
left join rpt_sales_by_period_totals as sales
    on sales.period_key = 'all_time'
    and sales.vendor_id = 'all'
    and sales.state = 'all'
where false
    or coalesce(sales.order_count, 0) <> coalesce(headlines.order_count, 0)
    or coalesce(sales.buyer_count, 0) <> coalesce(headlines.buyer_count, 0)
    or coalesce(sales.unit_count, 0) <> coalesce(headlines.unit_count, 0)
    or coalesce(sales.sales_amount, 0) <> coalesce(headlines.sales_amount, 0)
    or coalesce(sales.billed_amount, 0) <> coalesce(headlines.billed_amount, 0)
    or sales.average_order_value is distinct from headlines.average_order_value
    or sales.discount_rate is distinct from headlines.discount_rate
    or sales.below_minimum_value_rate is distinct from headlines.below_minimum_value_rate
