with

orders as (

    select * from {{ ref('fct_orders') }}

),

buyers as (

    select * from {{ ref('dim_buyers') }}

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

by_purchase as (

    select * from {{ ref('int_buyer_rhythms') }}

),

buyer_orders as (

    select
        orders.buyer_id,
        orders.vendor_id,
        {{ shipped_to('orders') }} as state,
        orders.sub_total,
        case when orders.is_return is not true then orders.ordered_date end as purchased_date,
        row_number() over (
            partition by orders.buyer_id
            order by orders.ordered_at desc nulls last, {{ by_code_points('orders.order_id') }} desc
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
        baskets.monthly_amount,
        {{ days_between('by_buyer.first_ordered_date', 'by_purchase.second_ordered_date') }}
            as days_to_reorder,
        {{ days_between('by_buyer.first_ordered_date', 'as_of.as_of_date') }}
            as days_since_first_order,
        {{ days_between('by_buyer.last_ordered_date', 'as_of.as_of_date') }}
            as days_since_last_order,
        as_of.as_of_date,
        buyer_names.display_name as company_name,
        buyers.account_manager_id,
        coalesce(buyers.is_deleted, false) as is_deleted
    from by_buyer
    left join by_purchase on by_buyer.buyer_id = by_purchase.buyer_id
    left join {{ ref('int_last_baskets') }} as baskets on by_buyer.buyer_id = baskets.buyer_id
    left join buyers on by_buyer.buyer_id = buyers.buyer_id
    left join {{ ref('dim_names') }} as buyer_names
        on buyer_names.name_kind = 'buyer' and by_buyer.buyer_id = buyer_names.name_key
    cross join as_of

),

{# Who is gone comes back no more, and is neither late nor lapsed. #}
judged as (

    select
        *,
        purchase_count >= {{ setting('late_minimum_orders') }}
        and coalesce(days_since_last_order > late_after_days, false)
        and not is_deleted as is_late,
        days_since_last_order > {{ setting('lapse_days') }} and not is_deleted as is_lapsed
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
        monthly_amount,
        first_ordered_date,
        last_ordered_date,
        cast(days_to_reorder as bigint) as days_to_reorder,
        {%- for days in [30, 60, 90] %}
        case
            when days_since_first_order > {{ days }}
                then coalesce(days_to_reorder <= {{ days }}, false)
        end as has_reordered_within_{{ days }}_days,
        {%- endfor %}
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
