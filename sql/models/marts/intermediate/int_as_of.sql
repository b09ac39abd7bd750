with

orders as (

    select * from {{ ref('fct_orders') }}
    where not is_deleted

),

activity as (

    select
        {{ business_date('max(updated_at)') }} as last_changed_date,
        max(ordered_date) as last_ordered_date
    from orders

),

final as (

    select
        last_changed_date,
        last_ordered_date,
        greatest(last_changed_date, last_ordered_date) as as_of_date
    from activity

)

select * from final
