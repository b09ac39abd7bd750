-- bi/rpt_fulfilment (table)
--   order_id text
--   order_number text
--   buyer_id text
--   buyer_name text
--   vendor_id text
--   vendor_name text
--   order_status text
--   order_standing text
--   payment_standing text
--   sub_total decimal(38, 9)
--   ordered_date date
--   waiting_days bigint
--   is_waiting boolean
--   is_old boolean
--   is_recent boolean
--   accepted_date date
--   days_to_accepted bigint
--   sent_date date
--   days_to_sent bigint
--   done_date date
--   days_to_done bigint
--   settled_date date
--   days_to_settled bigint
with

orders as (

    select * from int_purchases

),

changes as (

    select * from fct_order_status_changes
    where standing_after <> standing_before
        and (field_name = 'order_status' or standing_after = 'settled')

),

first_seen as (

    select
        cast(min(case when standing_after = 'accepted' then observed_at end) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as accepted_date,
        cast(min(case when standing_after = 'sent' then observed_at end) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as sent_date,
        cast(min(case when standing_after = 'done' then observed_at end) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as done_date,
        cast(min(case when standing_after = 'settled' then observed_at end) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as settled_date,
        order_id
    from changes
    group by order_id

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.order_standing,
        orders.payment_standing,
        orders.sub_total,
        orders.ordered_date,
        orders.waiting_days,
        first_seen.accepted_date,
        cast(
            (first_seen.accepted_date - orders.ordered_date) as bigint
        ) as days_to_accepted,
        first_seen.sent_date,
        cast(
            (first_seen.sent_date - orders.ordered_date) as bigint
        ) as days_to_sent,
        first_seen.done_date,
        cast(
            (first_seen.done_date - orders.ordered_date) as bigint
        ) as days_to_done,
        first_seen.settled_date,
        cast(
            (first_seen.settled_date - orders.ordered_date) as bigint
        ) as days_to_settled,
        orders.order_standing in ('waiting', 'accepted') as is_waiting,
        orders.waiting_days > (select build.old_order_days from wholesale_build.settings as build) as is_old,
        orders.waiting_days <= (select build.done_days from wholesale_build.settings as build) as is_recent
    from orders
    left join first_seen on orders.order_id = first_seen.order_id

)

select * from final
