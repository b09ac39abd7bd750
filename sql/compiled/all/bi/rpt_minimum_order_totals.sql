-- bi/rpt_minimum_order_totals (table)
--   minimum_order_totals_id text
--   vendor_id text
--   vendor_name text
--   state text
--   order_count bigint
--   near_miss_count bigint
--   value_shortfall decimal(38, 9)
with

minimum_orders as (

    select * from rpt_minimum_orders

),

vendors as (

    select * from dim_vendors

),

sums as (

    select
        coalesce(vendor_id, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        count(*) as order_count,
        count(case when is_near_miss then 1 end) as near_miss_count,
        case
        when sum(1) > 0
            then sum(case when 1 > 0 then value_shortfall end)
        else 0
    end as value_shortfall
    from minimum_orders
    group by grouping sets ((vendor_id, state), (vendor_id), (state))
    union all

    select
        'all' as vendor_id,
        'all' as state,
        count(*) as order_count,
        count(case when is_near_miss then 1 end) as near_miss_count,
        case
        when sum(1) > 0
            then sum(case when 1 > 0 then value_shortfall end)
        else 0
    end as value_shortfall
    from minimum_orders

),

final as (

    select
        md5(
        coalesce(length(sums.vendor_id) || ':' || sums.vendor_id, 'null') || ',' ||
        coalesce(length(sums.state) || ':' || sums.state, 'null')
    ) as minimum_order_totals_id,
        sums.vendor_id,
        coalesce(vendors.vendor_name, case when sums.vendor_id = 'all' then 'all' end) as vendor_name,
        sums.state,
        sums.order_count,
        sums.near_miss_count,
        sums.value_shortfall
    from sums
    left join vendors on sums.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end

)

select * from final
