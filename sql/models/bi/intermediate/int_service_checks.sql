{%- set resources = [
    'orders', 'vendors', 'buyers', 'buyer_users', 'items', 'variants',
    'item_images', 'price_lists', 'prices', 'brands', 'categories', 'custom_fields'
] -%}

with

order_totals as (

    select
        coalesce(sum(sub_total), 0) as sub_total,
        coalesce(sum(lines_total_price), 0) as lines_total_price,
        coalesce(sum(line_discount_amount), 0) as line_discount_amount,
        coalesce(sum(lines_discount_amount), 0) as lines_discount_amount,
        coalesce(sum(sub_total) filter (where ordered_at is null), 0) as undated_sub_total,
        count(*) filter (
            where coalesce(sub_total, 0) <> coalesce(lines_total_price, 0)
        ) as different_sub_total_count,
        count(*) filter (
            where coalesce(line_discount_amount, 0) <> coalesce(lines_discount_amount, 0)
        ) as different_discount_count,
        count(*) filter (where ordered_at is null) as undated_count
    from {{ ref('fct_orders') }}

),

alive as (

    {% for resource in resources -%}
    select
        '{{ resource }}' as resource,
        count(*) as row_count
    from {{ ref('stg_wholesale__' ~ resource) }}
    where not is_deleted
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

sync_runs as (

    {{ runs_by_recency(ref('stg_wholesale__sync_runs')) }}

),

{# If the total proved the list complete, the sync has compared the rows with it already, without
what the service counts in addition: records that say that they are deleted, or that were there for
a part of the reading only. #}
last_runs as (

    select
        resource,
        coalesce(proof = 'count' and alive_count is not null, false) as is_counted,
        coalesce(case when proof = 'count' then alive_count end, last_total_count) as counted
    from sync_runs
    where recency = 1

),

final as (

    select
        'lines against sub_total' as check_name,
        'orders' as resource,
        sub_total as expected,
        lines_total_price as found,
        different_sub_total_count as difference_count
    from order_totals
    union all
    select
        'line discounts against the header' as check_name,
        'orders' as resource,
        line_discount_amount as expected,
        lines_discount_amount as found,
        different_discount_count as difference_count
    from order_totals
    union all
    select
        'orders without a date' as check_name,
        'orders' as resource,
        0 as expected,
        undated_sub_total as found,
        undated_count as difference_count
    from order_totals
    union all
    select
        case
            when last_runs.is_counted then 'rows alive against the last sync'
            else 'rows alive against total_count'
        end as check_name,
        alive.resource,
        last_runs.counted as expected,
        alive.row_count as found,
        abs(alive.row_count - last_runs.counted) as difference_count
    from alive
    left join last_runs on alive.resource = last_runs.resource

)

select * from final
