-- intermediate/int_confirmations (table)
with

orders as (

    select * from int_purchases

),

changes as (

    select
        *,
        row_number() over (partition by order_id order by observed_at) as place
    from fct_order_status_changes
    where field_name = 'order_status'
        and standing_before = 'waiting'
        and standing_after not in ('waiting', 'unknown')

),

observed as (

    select
        cast(datediff(cast(from_utc_timestamp(changes.observed_at, (select build.time_zone from build_settings as build)) as date), orders.ordered_date) as bigint)
            as waited_days
    from changes
    inner join orders on changes.order_id = orders.order_id
    where changes.place = 1
        and orders.ordered_date is not null

),

ordered as (

    select
        waited_days,
        row_number() over (order by waited_days) as place,
        count(*) over () as confirmation_count
    from observed

),

median as (

    select max(waited_days) as usual_days
    from ordered
    where confirmation_count >= (select build.confirm_minimum_orders from build_settings as build)
        and 2 * place in (confirmation_count, confirmation_count + 1)

),

final as (

    select
        cast(usual_days as bigint) as usual_days,
        cast(greatest(coalesce(usual_days, (select build.confirm_days from build_settings as build)), 1) as bigint)
            as late_after_days
    from median

)

select * from final
