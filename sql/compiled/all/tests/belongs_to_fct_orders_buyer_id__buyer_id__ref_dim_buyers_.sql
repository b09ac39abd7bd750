-- tests/belongs_to_fct_orders_buyer_id__buyer_id__ref_dim_buyers_ (warn)
select
    child.buyer_id,
    count(*) as row_count
from fct_orders as child
where child.buyer_id is not null
    and not exists (select 1 from dim_buyers as parent where parent.buyer_id = child.buyer_id)
group by child.buyer_id
