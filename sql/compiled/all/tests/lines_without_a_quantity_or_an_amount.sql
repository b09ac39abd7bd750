-- tests/lines_without_a_quantity_or_an_amount (warn)
select
    order_id,
    line_number,
    sku,
    quantity,
    total_price
from fct_order_lines
where is_sale
    and (quantity is null or total_price is null)
