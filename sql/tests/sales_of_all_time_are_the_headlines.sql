{%- set counts = ['order_count', 'buyer_count', 'unit_count', 'sales_amount', 'billed_amount'] -%}
{%- set rates = ['average_order_value', 'discount_rate', 'below_minimum_value_rate'] -%}

select
    headlines.order_count,
    headlines.sales_amount,
    sales.order_count as order_count_of_all_time,
    sales.sales_amount as sales_amount_of_all_time
from {{ ref('rpt_headlines') }} as headlines
left join {{ ref('rpt_sales_by_period_totals') }} as sales
    on sales.period_key = 'all_time'
    and sales.vendor_id = 'all'
    and sales.state = 'all'
where false
    {%- for count in counts %}
    or coalesce(sales.{{ count }}, 0) <> coalesce(headlines.{{ count }}, 0)
    {%- endfor %}
    {%- for rate in rates %}
    or sales.{{ rate }} is distinct from headlines.{{ rate }}
    {%- endfor %}
