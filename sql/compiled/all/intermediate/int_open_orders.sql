-- intermediate/int_open_orders (table)
with

orders as (

    select * from rpt_orders

),

vendors as (

    select * from dim_vendors

),

unsettled as (

    select *
    from orders
    where payment_standing <> 'settled'

),

sums as (

    select
        coalesce(vendor_id, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        coalesce(age_bucket, 'all') as age_bucket,
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
    count(case when not is_open and total is null then 1 end) as unknown_without_total_count
    from unsettled
    group by
        grouping sets (
            (vendor_id, state, age_bucket),
            (vendor_id, state),
            (vendor_id, age_bucket),
            (state, age_bucket),
            (vendor_id),
            (state),
            (age_bucket)
        )
    union all

    select
        'all' as vendor_id,
        'all' as state,
        'all' as age_bucket,
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
    count(case when not is_open and total is null then 1 end) as unknown_without_total_count
    from unsettled

),

final as (

    select
        md5(
        coalesce(length(sums.vendor_id) || ':' || sums.vendor_id, 'null') || ',' ||
        coalesce(length(sums.state) || ':' || sums.state, 'null') || ',' ||
        coalesce(length(sums.age_bucket) || ':' || sums.age_bucket, 'null')
    ) as open_orders_id,
        sums.vendor_id,
        coalesce(vendors.vendor_name, case when sums.vendor_id = 'all' then 'all' end) as vendor_name,
        sums.state,
        sums.age_bucket,
        sums.order_count,
        sums.open_amount,
        sums.open_without_total_count,
        sums.oldest_ordered_date,
        sums.unknown_order_count,
        sums.unknown_amount,
        sums.unknown_without_total_count
    from sums
    left join vendors on sums.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end

)

select * from final
