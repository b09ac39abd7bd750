with

buyers as (

    select * from {{ ref('rpt_reorders') }}
    where days_since_last_order > {{ setting('lapse_days') }}

),

final as (

    select
        buyer_id,
        company_name,
        account_manager_id,
        is_deleted,
        state,
        purchase_count,
        sales_amount,
        monthly_amount,
        last_ordered_date,
        last_ordered_date + cast({{ setting('lapse_days') }} + 1 as integer) as lost_date,
        is_lapsed,
        as_of_date
    from buyers

)

select * from final
