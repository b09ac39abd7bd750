select
    {{ business_date('max(updated_at)') }} as last_changed_date,
    max(ordered_date) as last_ordered_date,
    greatest({{ business_date('max(updated_at)') }}, max(ordered_date)) as as_of_date
from {{ ref('fct_orders') }}
where not is_deleted
