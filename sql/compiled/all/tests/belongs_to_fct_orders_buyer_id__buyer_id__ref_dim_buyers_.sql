-- tests/belongs_to_fct_orders_buyer_id__buyer_id__ref_dim_buyers_ (warn)
select
    buyer_id,
    count(*) as row_count
from fct_orders
where buyer_id is not null
    and buyer_id not in (select buyer_id from dim_buyers where buyer_id is not null)
group by buyer_id
