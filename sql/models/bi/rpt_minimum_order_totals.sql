with

minimum_orders as (

    select * from {{ ref('rpt_minimum_orders') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

sums as (

    select
        coalesce(vendor_id, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        count(*) as order_count,
        count(case when is_near_miss then 1 end) as near_miss_count,
        {{ known_sum('value_shortfall', '1') }} as value_shortfall
    from minimum_orders
    group by grouping sets ((vendor_id, state), (vendor_id), (state))
    union all
    {# A query of its own: without orders Spark makes no row from an empty grouping set. #}
    select
        'all' as vendor_id,
        'all' as state,
        count(*) as order_count,
        count(case when is_near_miss then 1 end) as near_miss_count,
        {{ known_sum('value_shortfall', '1') }} as value_shortfall
    from minimum_orders

),

final as (

    select
        {{ key_of(['sums.vendor_id', 'sums.state']) }} as minimum_order_totals_id,
        sums.vendor_id,
        {{ vendor_name_or_all('vendor_names.display_name', 'sums.vendor_id') }} as vendor_name,
        sums.state,
        sums.order_count,
        sums.near_miss_count,
        sums.value_shortfall
    from sums
    left join vendor_names on sums.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
