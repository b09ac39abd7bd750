-- bi/rpt_payment_ageing (table)
--   payment_ageing_id text
--   buyer_id text
--   buyer_company_name text
--   age_bucket text
--   order_count bigint
--   open_amount decimal(38, 9)
--   open_without_total_count bigint
--   oldest_ordered_date date
--   unknown_order_count bigint
--   unknown_amount decimal(38, 9)
--   unknown_without_total_count bigint
--   as_of_date date
with

orders as (

    select * from fct_orders

),

as_of as (

    select * from int_as_of

),

buyer_names as (

    select * from dim_names
    where name_kind = 'buyer'

),

unsettled_orders as (

    select
        coalesce(case
        when orders.buyer_id in ('all', 'unknown', 'none') or orders.buyer_id like '"%' then '"' || replace(orders.buyer_id, '"', '""') || '"'
        else orders.buyer_id
    end, 'unknown') as buyer_id,
        buyer_names.display_name as buyer_company_name,
        orders.total,
        orders.ordered_date,
        (as_of.as_of_date - orders.ordered_date) as age_in_days,
        as_of.as_of_date,
        orders.payment_standing = 'open' as is_open
    from orders
    cross join as_of
    left join buyer_names on orders.buyer_id = buyer_names.name_key
    where orders.is_sale
        and orders.payment_standing <> 'settled'

),

bucketed as (

    select
        *,
        case
        when age_in_days <= 30 then '0-30'
        when age_in_days <= 60 then '31-60'
        when age_in_days <= 90 then '61-90'
        else 'over 90'
    end as age_bucket
    from unsettled_orders

),

final as (

    select
        buyer_id || '-' || age_bucket as payment_ageing_id,
        buyer_id,
        max(buyer_company_name) as buyer_company_name,
        age_bucket,
        count(case when is_open then 1 end) as order_count,
    case
        when count(case when is_open then 1 end) > 0 then sum(case when is_open then total end)
        when count(*) = 0 then 0
    end as open_amount,
    count(case when is_open and total is null then 1 end) as open_without_total_count,
    min(case when is_open then ordered_date end) as oldest_ordered_date,
    count(case when not is_open then 1 end) as unknown_order_count,
    case
        when sum((case when is_open then 0 else 1 end)) > 0
            then sum(case when (case when is_open then 0 else 1 end) > 0 then total end)
        else 0
    end as unknown_amount,
    count(case when not is_open and total is null then 1 end) as unknown_without_total_count,
        max(as_of_date) as as_of_date
    from bucketed
    group by
        buyer_id,
        age_bucket

)

select * from final
