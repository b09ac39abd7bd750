-- intermediate/int_as_of (table)
with

orders as (

    select * from fct_orders
    where not is_deleted

),

activity as (

    select
        cast(from_utc_timestamp(max(updated_at), (select build.time_zone from build_settings as build)) as date) as last_changed_date,
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
