-- bi/rpt_reorders (table)
--   buyer_id text
--   company_name text
--   account_manager_id text
--   is_deleted boolean
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
--   has_late_percentile boolean
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

buyer_names as (

    select * from dim_names
    where name_kind = 'buyer'

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
        case when orders.is_return is not true then orders.ordered_date end as purchased_date,
        row_number() over (
            partition by orders.buyer_id
            order by orders.ordered_at desc nulls last, orders.order_id desc
        ) = 1 as is_latest
    from orders
    where orders.is_sale and orders.buyer_id is not null

),

by_buyer as (

    select
        buyer_id,
        max(case when is_latest then state end) as state,
        count(distinct vendor_id) as vendor_count,
        count(*) as order_count,
        sum(sub_total) as sales_amount,
        min(purchased_date) as first_ordered_date,
        max(purchased_date) as last_ordered_date
    from buyer_orders
    group by buyer_id

),

measured as (

    select
        by_buyer.*,
        coalesce(by_purchase.purchase_count, 0) as purchase_count,
        by_purchase.median_days_between_orders,
        by_purchase.late_after_days,
        coalesce(by_purchase.has_late_percentile, false) as has_late_percentile,
        cast(datediff(by_purchase.second_ordered_date, by_buyer.first_ordered_date) as bigint)
            as days_to_reorder,
        cast(datediff(as_of.as_of_date, by_buyer.first_ordered_date) as bigint)
            as days_since_first_order,
        cast(datediff(as_of.as_of_date, by_buyer.last_ordered_date) as bigint)
            as days_since_last_order,
        as_of.as_of_date,
        buyer_names.display_name as company_name,
        buyers.account_manager_id,
        coalesce(buyers.is_deleted, false) as is_deleted
    from by_buyer
    left join by_purchase on by_buyer.buyer_id = by_purchase.buyer_id
    left join buyers on by_buyer.buyer_id = buyers.buyer_id
    left join buyer_names on by_buyer.buyer_id = buyer_names.name_key
    cross join as_of

),

judged as (

    select
        *,
        purchase_count >= (select build.late_minimum_orders from build_settings as build)
        and coalesce(days_since_last_order > late_after_days, false)
        and not is_deleted as is_late,
        days_since_last_order > (select build.lapse_days from build_settings as build) and not is_deleted as is_lapsed
    from measured

),

final as (

    select
        buyer_id,
        company_name,
        account_manager_id,
        is_deleted,
        state,
        vendor_count,
        order_count,
        purchase_count,
        sales_amount,
        first_ordered_date,
        last_ordered_date,
        cast(days_to_reorder as bigint) as days_to_reorder,
        case
            when days_since_first_order > 30
                then coalesce(days_to_reorder <= 30, false)
        end as has_reordered_within_30_days,
        case
            when days_since_first_order > 60
                then coalesce(days_to_reorder <= 60, false)
        end as has_reordered_within_60_days,
        case
            when days_since_first_order > 90
                then coalesce(days_to_reorder <= 90, false)
        end as has_reordered_within_90_days,
        cast(median_days_between_orders as bigint) as median_days_between_orders,
        cast(late_after_days as bigint) as late_after_days,
        has_late_percentile,
        last_ordered_date + cast(median_days_between_orders as integer) as expected_next_order_date,
        cast(days_since_last_order as bigint) as days_since_last_order,
        is_late,
        is_lapsed,
        is_late or is_lapsed as is_at_risk,
        as_of_date
    from judged

)

select * from final
