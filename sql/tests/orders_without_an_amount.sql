{{ config(severity='warn') }}

select
    order_id,
    order_number,
    sub_total,
    total
from {{ ref('rpt_orders') }}
where sub_total is null
    or total is null
