with

receivables as (

    select * from {{ ref('int_receivables_by_buyer') }}

),

final as (

    select
        receivables_id,
        buyer_id,
        buyer_name,
        due_bucket,
        order_count,
        open_amount,
        open_without_total_count,
        overdue_order_count,
        overdue_amount,
        first_due_date,
        oldest_ordered_date,
        unknown_order_count,
        unknown_amount,
        unknown_without_total_count
    from receivables
    where buyer_id = 'all'
        or due_bucket = 'all'

)

select * from final
