with

orders as (

    select * from {{ ref('rpt_orders') }}

),

vendor_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'vendor'

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
        {{ open_sums() }}
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
    {# A query of its own: without orders Spark makes no row from an empty grouping set. #}
    select
        'all' as vendor_id,
        'all' as state,
        'all' as age_bucket,
        {{ open_sums() }}
    from unsettled

),

final as (

    select
        {{ key_of(['sums.vendor_id', 'sums.state', 'sums.age_bucket']) }} as open_orders_id,
        sums.vendor_id,
        {{ vendor_name_or_all('vendor_names.display_name', 'sums.vendor_id') }} as vendor_name,
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
    left join vendor_names on sums.vendor_id = {{ as_told('vendor_names.name_key') }}

)

select * from final
