with

orders as (

    select * from {{ ref('int_purchases') }}

),

vendors as (

    select * from {{ ref('int_vendor_processing') }}
    where unknown_field is null
        and processing_days is not null

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

received as (

    select
        orders.order_id,
        vendors.processing_days,
        vendors.is_in_business_days,
        vendors.shipping_weekdays,
        orders.ordered_date + case
            when {{ business_minute('orders.ordered_at') }} >= vendors.cut_off_minute then 1 else 0
        end as received_date
    from orders
    inner join vendors on orders.vendor_id = vendors.vendor_id

),

{# What is received on a weekend is received on Monday, where business days count. #}
begun as (

    select
        *,
        received_date + case
            when is_in_business_days and {{ weekday_of('received_date') }} > 5
                then cast(8 - {{ weekday_of('received_date') }} as integer)
            else 0
        end as begun_date
    from received

),

processed as (

    select
        *,
        {{ day_after('begun_date', 'processing_days', 'is_in_business_days') }} as processed_date
    from begun

),

promised as (

    select
        order_id,
        processed_date + {{ days_to_weekday('processed_date', 'shipping_weekdays') }}
            as promised_date
    from processed

),

observed as (

    select
        orders.order_id,
        promised.promised_date,
        sightings.first_seen_date,
        sightings.known_sent_date,
        orders.order_standing in ('waiting', 'accepted') and sightings.known_sent_date is null
            as is_unsent,
        case
            when orders.order_standing in ('waiting', 'accepted')
                and sightings.known_sent_date is null
                then as_of.as_of_date
            else sightings.known_unsent_date
        end as known_unsent_date
    from orders
    cross join as_of
    left join promised on orders.order_id = promised.order_id
    left join {{ ref('int_order_sightings') }} as sightings
        on orders.order_id = sightings.order_id

),

{# Of an order that came to be known later no promise could be seen to be kept, so none counts. #}
final as (

    select
        order_id,
        promised_date,
        known_unsent_date,
        known_sent_date,
        case
            when promised_date is null or first_seen_date > promised_date then 'unknown'
            when known_sent_date <= promised_date then 'kept'
            when known_unsent_date > promised_date then 'broken'
            when is_unsent then 'pending'
            else 'unknown'
        end as promise
    from observed

)

select * from final
