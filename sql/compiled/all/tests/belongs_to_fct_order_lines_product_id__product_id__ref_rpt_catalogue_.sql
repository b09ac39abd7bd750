-- tests/belongs_to_fct_order_lines_product_id__product_id__ref_rpt_catalogue_ (error)
select
    child.product_id,
    count(*) as row_count
from fct_order_lines as child
where child.product_id is not null
    and not exists (select 1 from rpt_catalogue as parent where parent.product_id = child.product_id)
group by child.product_id
