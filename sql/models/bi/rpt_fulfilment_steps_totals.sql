with

steps as (

    select * from {{ ref('int_fulfilment_steps') }}

),

final as (

    select
        fulfilment_step_id,
        vendor_id,
        vendor_name,
        step,
        order_count,
        median_days,
        most_days,
        longest_days
    from steps
    where vendor_id = 'all'

)

select * from final
