with

changes as (

    select * from {{ ref('int_price_changes') }}

),

sold as (

    select * from {{ ref('int_sold_around_changes') }}

),

variants as (

    select * from {{ ref('dim_variants') }}

),

items as (

    select * from {{ ref('dim_items') }}

),

price_lists as (

    select * from {{ ref('dim_price_lists') }}

),

buyers_by_list as (

    select
        price_list_id,
        count(*) as buyer_count
    from {{ ref('dim_buyers') }}
    where price_list_id is not null
    group by price_list_id

),

final as (

    select
        changes.price_change_id,
        changes.variant_id,
        coalesce(changes.item_id, variants.item_id) as item_id,
        coalesce(variants.sku, items.sku) as sku,
        coalesce(variants.item_title, items.item_title) as item_title,
        variants.variant_title,
        coalesce(variants.vendor_id, items.vendor_id) as vendor_id,
        coalesce(variants.vendor_name, items.vendor_name) as vendor_name,
        case
            when changes.price_list_id is not null
                then coalesce(price_lists.price_list_title, changes.price_list_id)
        end as price_list,
        changes.observed_at,
        changes.price_before,
        changes.price,
        {{ growth('changes.price', 'changes.price_before') }} as change_rate,
        case when changes.is_of_list then coalesce(buyers_by_list.buyer_count, 0) end
            as list_buyer_count,
        changes.seen_days_before,
        changes.seen_days_after,
        changes.has_other_change_before,
        changes.has_other_change_after,
        {%- for measure in ['unit_count', 'sales_amount', 'order_count', 'buyer_count'] %}
        {%- for side in ['before', 'after'] %}
        case
            when changes.seen_days_{{ side }} = changes.window_days
                and (not changes.is_of_list or buyers_by_list.buyer_count > 0)
                then sold_{{ side }}.{{ measure }}
        end as {{ measure }}_{{ side }},
        {%- endfor %}
        {%- endfor %}
        changes.window_days
    from changes
    left join variants on changes.variant_id = variants.variant_id
    left join items on coalesce(changes.item_id, variants.item_id) = items.item_id
    left join price_lists on changes.price_list_id = price_lists.price_list_id
    left join buyers_by_list on changes.price_list_id = buyers_by_list.price_list_id
    left join sold as sold_before
        on changes.price_change_id = sold_before.price_change_id
        and not sold_before.is_after
    left join sold as sold_after
        on changes.price_change_id = sold_after.price_change_id
        and sold_after.is_after

)

select * from final
