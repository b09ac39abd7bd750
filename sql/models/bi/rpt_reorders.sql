with

orders as (

    select * from {{ ref('fct_orders') }}

),

buyers as (

    select * from {{ ref('dim_buyers') }}

),

as_of as (

    select * from {{ ref('dim_as_of') }}

),

buyer_orders as (

    select
        orders.buyer_id,
        orders.vendor_id,
        {{ shipped_to('orders') }} as state,
        orders.sub_total,
        orders.ordered_date,
        row_number() over of_buyer as buyer_order_number,
        orders.ordered_date - lag(orders.ordered_date) over of_buyer as days_since_previous_order,
        lead(orders.order_id) over of_buyer is null as is_latest
    from orders
    where orders.is_sale
        and orders.buyer_id is not null
    window of_buyer as (partition by orders.buyer_id order by orders.ordered_at, orders.order_id)

),

by_buyer as (

    select
        buyer_id,
        max(case when is_latest then state end) as state,
        count(distinct vendor_id) as vendor_count,
        count(*) as order_count,
        sum(sub_total) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date,
        min(case when buyer_order_number = 2 then ordered_date end) as second_ordered_date,
        percentile_disc(0.5) within group (order by days_since_previous_order)
            as median_days_between_orders
    from buyer_orders
    group by buyer_id

),

measured as (

    select
        by_buyer.*,
        by_buyer.second_ordered_date - by_buyer.first_ordered_date as days_to_reorder,
        as_of.as_of_date - by_buyer.first_ordered_date as days_since_first_order,
        as_of.as_of_date - by_buyer.last_ordered_date as days_since_last_order,
        as_of.as_of_date
    from by_buyer
    cross join as_of

),

judged as (

    select
        *,
        coalesce(days_since_last_order > median_days_between_orders, false) as is_late,
        days_since_last_order > {{ var('lapse_days') }} as is_lapsed
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
        judged.sales_amount,
        judged.first_ordered_date,
        judged.last_ordered_date,
        cast(judged.days_to_reorder as bigint) as days_to_reorder,
        {%- for days in [30, 60, 90] %}
        case
            when judged.days_to_reorder <= {{ days }} then true
            when judged.days_since_first_order >= {{ days }} then false
        end as has_reordered_within_{{ days }}_days,
        {%- endfor %}
        cast(judged.median_days_between_orders as bigint) as median_days_between_orders,
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
