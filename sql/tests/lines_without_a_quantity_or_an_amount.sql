{{ config(severity='warn') }}

select
    order_id,
    line_number,
    sku,
    quantity,
    total_price
from {{ ref('fct_order_lines') }}
where is_sale
    and (quantity is null or total_price is null)
