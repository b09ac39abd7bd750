-- bi/rpt_reorders (table)
--   buyer_id text
--   company_name text
--   account_manager_id text
--   state text
--   vendor_count bigint
--   order_count bigint
--   purchase_count bigint
--   sales_amount decimal(38, 9)
--   first_ordered_date date
--   last_ordered_date date
--   days_to_reorder bigint
--   has_reordered_within_30_days boolean
--   has_reordered_within_60_days boolean
--   has_reordered_within_90_days boolean
--   median_days_between_orders bigint
--   late_after_days bigint
--   expected_next_order_date date
--   days_since_last_order bigint
--   is_late boolean
--   is_lapsed boolean
--   is_at_risk boolean
--   as_of_date date
with

orders as (

    select * from fct_orders

),

buyers as (

    select * from dim_buyers

),

as_of as (

    select * from int_as_of

),

by_purchase as (

    select * from int_buyer_purchases

),

buyer_orders as (

    select
        orders.buyer_id,
        orders.vendor_id,
        case
        when nullif(orders.shipping_country, '') like '%-%' then '"' || replace(nullif(orders.shipping_country, ''), '"', '""') || '"'
        else coalesce(case
        when nullif(orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(orders.shipping_country, '') like '"%' then '"' || replace(nullif(orders.shipping_country, ''), '"', '""') || '"'
        else nullif(orders.shipping_country, '')
    end, 'unknown')
    end || coalesce('-' || nullif(orders.shipping_state, ''), '') as state,
        orders.sub_total,
        orders.ordered_date,
        row_number() over (
            partition by orders.buyer_id
            order by orders.ordered_at desc nulls last, orders.order_id desc
        ) = 1 as is_latest
    from orders
    where orders.is_sale
        and orders.buyer_id is not null

),

by_buyer as (

    select
        buyer_id,
        max(case when is_latest then state end) as state,
        count(distinct vendor_id) as vendor_count,
        count(*) as order_count,
        coalesce(sum(sub_total), 0) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from buyer_orders
    group by buyer_id

),

measured as (

    select
        by_buyer.*,
        coalesce(by_purchase.purchase_count, 0) as purchase_count,
        by_purchase.median_days_between_orders,
        by_purchase.late_after_days,
        (by_purchase.second_ordered_date - by_buyer.first_ordered_date)
            as days_to_reorder,
        (as_of.as_of_date - by_buyer.first_ordered_date)
            as days_since_first_order,
        (as_of.as_of_date - by_buyer.last_ordered_date)
            as days_since_last_order,
        as_of.as_of_date
    from by_buyer
    left join by_purchase on by_buyer.buyer_id = by_purchase.buyer_id
    cross join as_of

),

judged as (

    select
        *,
        coalesce(
            purchase_count >= (select build.late_minimum_orders from wholesale_build.settings as build)
            and days_since_last_order > late_after_days,
            false
        ) as is_late,
        days_since_last_order > (select build.lapse_days from wholesale_build.settings as build) as is_lapsed
    from measured

),

final as (

    select
        judged.buyer_id,
        buyers.company_name,
        buyers.account_manager_id,
        judged.state,
        judged.vendor_count,
        judged.order_count,
        judged.purchase_count,
        judged.sales_amount,
        judged.first_ordered_date,
        judged.last_ordered_date,
        cast(judged.days_to_reorder as bigint) as days_to_reorder,
        case
            when judged.days_to_reorder <= 30 then true
            when judged.days_since_first_order > 30 then false
        end as has_reordered_within_30_days,
        case
            when judged.days_to_reorder <= 60 then true
            when judged.days_since_first_order > 60 then false
        end as has_reordered_within_60_days,
        case
            when judged.days_to_reorder <= 90 then true
            when judged.days_since_first_order > 90 then false
        end as has_reordered_within_90_days,
        cast(judged.median_days_between_orders as bigint) as median_days_between_orders,
        cast(judged.late_after_days as bigint) as late_after_days,
        judged.last_ordered_date + cast(judged.median_days_between_orders as integer)
            as expected_next_order_date,
        cast(judged.days_since_last_order as bigint) as days_since_last_order,
        judged.is_late,
        judged.is_lapsed,
        judged.is_late or judged.is_lapsed as is_at_risk,
        judged.as_of_date
    from judged
    left join buyers on judged.buyer_id = buyers.buyer_id

)

select * from final
