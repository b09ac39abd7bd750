-- bi/rpt_receivables (table)
--   order_id text
--   order_number text
--   buyer_id text
--   buyer_name text
--   vendor_id text
--   vendor_name text
--   order_status text
--   order_standing text
--   payment_status text
--   payment_standing text
--   total decimal(38, 9)
--   ordered_date date
--   age_in_days bigint
--   age_bucket text
--   is_open boolean
--   is_overdue boolean
--   overdue_days bigint
with

orders as (

    select * from int_purchases

),

final as (

    select
        order_id,
        order_number,
        buyer_id,
        buyer_name,
        vendor_id,
        vendor_name,
        order_status,
        order_standing,
        payment_status,
        payment_standing,
        total,
        ordered_date,
        waiting_days as age_in_days,
        case when waiting_days is null then 'undated' else case
        when waiting_days <= 30 then '0-30'
        when waiting_days <= 60 then '31-60'
        when waiting_days <= 90 then '61-90'
        else 'over 90'
    end end
            as age_bucket,
        payment_standing = 'open' as is_open,
        payment_standing = 'open'
        and coalesce(waiting_days > (select build.overdue_days from build_settings as build), false) as is_overdue,
        (select build.overdue_days from build_settings as build) as overdue_days
    from orders
    where payment_standing = 'unknown'
        or (payment_standing = 'open' and order_standing in ('sent', 'done'))

)

select * from final
