-- bi/rpt_orders (table)
--   order_id text
--   order_number text
--   ordered_date date
--   vendor_id text
--   vendor_name text
--   buyer_id text
--   buyer_company_name text
--   state text
--   order_status text
--   payment_status text
--   sub_total decimal(38, 9)
--   total decimal(38, 9)
--   unit_count bigint
--   is_return boolean
--   order_standing text
--   payment_standing text
--   is_open boolean
--   age_in_days bigint
--   age_bucket text
--   is_below_minimum_value boolean
with

orders as (

    select
        fct_orders.*,
        case
        when nullif(fct_orders.shipping_country, '') like '%-%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else coalesce(case
        when nullif(fct_orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(fct_orders.shipping_country, '') like '"%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else nullif(fct_orders.shipping_country, '')
    end, 'unknown')
    end || coalesce('-' || nullif(fct_orders.shipping_state, ''), '') as state
    from fct_orders as fct_orders
    where fct_orders.is_sale

),

vendors as (

    select * from int_vendors

),

as_of as (

    select * from int_as_of

),

final as (

    select
        orders.order_id,
        orders.order_number,
        orders.ordered_date,
        coalesce(case
        when orders.vendor_id in ('all', 'unknown', 'none') or orders.vendor_id like '"%' then '"' || replace(orders.vendor_id, '"', '""') || '"'
        else orders.vendor_id
    end, 'unknown') as vendor_id,
        coalesce(nullif(vendors.vendor_name, ''), orders.vendor_name) as vendor_name,
        orders.buyer_id,
        orders.buyer_company_name,
        orders.state,
        orders.order_status,
        orders.payment_status,
        orders.sub_total,
        orders.total,
        orders.unit_count,
        orders.is_return,
        orders.order_standing,
        orders.payment_standing,
        orders.payment_standing = 'open' as is_open,
        cast(
            (as_of.as_of_date - orders.ordered_date) as bigint
        ) as age_in_days,
        case
        when (as_of.as_of_date - orders.ordered_date) <= 30 then '0-30'
        when (as_of.as_of_date - orders.ordered_date) <= 60 then '31-60'
        when (as_of.as_of_date - orders.ordered_date) <= 90 then '61-90'
        else 'over 90'
    end as age_bucket,
        coalesce(
            orders.sub_total < orders.vendor_minimum_order_value and orders.is_return is not true,
            false
        ) as is_below_minimum_value
    from orders
    left join vendors on orders.vendor_id = vendors.vendor_id
    cross join as_of

)

select * from final
