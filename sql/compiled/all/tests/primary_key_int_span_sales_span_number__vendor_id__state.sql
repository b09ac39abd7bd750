-- tests/primary_key_int_span_sales_span_number__vendor_id__state (error)
select
    span_number, vendor_id, state,
    count(*) as row_count
from int_span_sales
group by span_number, vendor_id, state
having count(*) > 1
    or span_number is null or vendor_id is null or state is null
