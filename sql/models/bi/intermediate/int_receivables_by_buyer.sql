with

receivables as (

    select
        {{ told('buyer_id') }} as buyer_id,
        buyer_name,
        due_bucket,
        total,
        ordered_date,
        due_date,
        is_open,
        is_overdue
    from {{ ref('rpt_receivables') }}

),

sums as (

    select
        coalesce(buyer_id, 'all') as buyer_id,
        max({{ by_code_points('buyer_name') }}) as buyer_name,
        coalesce(due_bucket, 'all') as due_bucket,
        {{ receivable_sums() }}
    from receivables
    group by
        grouping sets (
            (buyer_id, due_bucket),
            (buyer_id),
            (due_bucket)
        )
    union all
    {# A query of its own: without orders Spark makes no row from an empty grouping set. #}
    select
        'all' as buyer_id,
        cast(null as {{ sql_type('text') }}) as buyer_name,
        'all' as due_bucket,
        {{ receivable_sums() }}
    from receivables

),

final as (

    select
        {{ key_of(['buyer_id', 'due_bucket']) }} as receivables_id,
        buyer_id,
        case when buyer_id = 'all' then 'all' else buyer_name end as buyer_name,
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
    from sums

)

select * from final
