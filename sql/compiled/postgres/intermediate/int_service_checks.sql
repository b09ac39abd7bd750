-- intermediate/int_service_checks (table)
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
    from fct_orders

),

alive as (

    select
        'orders' as resource,
        count(*) as row_count
    from stg_wholesale__orders
    where not is_deleted
    union all
    select
        'vendors' as resource,
        count(*) as row_count
    from stg_wholesale__vendors
    where not is_deleted
    union all
    select
        'buyers' as resource,
        count(*) as row_count
    from stg_wholesale__buyers
    where not is_deleted
    union all
    select
        'buyer_users' as resource,
        count(*) as row_count
    from stg_wholesale__buyer_users
    where not is_deleted
    union all
    select
        'items' as resource,
        count(*) as row_count
    from stg_wholesale__items
    where not is_deleted
    union all
    select
        'variants' as resource,
        count(*) as row_count
    from stg_wholesale__variants
    where not is_deleted
    union all
    select
        'item_images' as resource,
        count(*) as row_count
    from stg_wholesale__item_images
    where not is_deleted
    union all
    select
        'price_lists' as resource,
        count(*) as row_count
    from stg_wholesale__price_lists
    where not is_deleted
    union all
    select
        'prices' as resource,
        count(*) as row_count
    from stg_wholesale__prices
    where not is_deleted
    union all
    select
        'brands' as resource,
        count(*) as row_count
    from stg_wholesale__brands
    where not is_deleted
    union all
    select
        'categories' as resource,
        count(*) as row_count
    from stg_wholesale__categories
    where not is_deleted
    union all
    select
        'custom_fields' as resource,
        count(*) as row_count
    from stg_wholesale__custom_fields
    where not is_deleted

),

sync_runs as (

    select
        *,
        row_number() over (partition by resource order by is_ahead, run_id collate "C" desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes' as is_ahead
        from stg_wholesale__sync_runs
    ) as judged

),

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
