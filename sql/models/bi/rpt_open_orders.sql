with

orders as (

    select * from {{ ref('rpt_orders') }}

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

sums as (

    select
        coalesce(vendor_id, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        coalesce(age_bucket, 'all') as age_bucket,
        count(*) as order_count,
        sum(total) as open_amount,
        min(ordered_date) as oldest_ordered_date
    from orders
    where is_open
    group by cube (vendor_id, state, age_bucket)

),

final as (

    select
        sums.vendor_id || '-' || sums.state || '-' || sums.age_bucket as open_orders_id,
        sums.vendor_id,
        coalesce(vendors.vendor_name, case when sums.vendor_id = 'all' then 'all' end)
            as vendor_name,
        sums.state,
        sums.age_bucket,
        sums.order_count,
        sums.open_amount,
        sums.oldest_ordered_date
    from sums
    left join vendors on sums.vendor_id = vendors.vendor_id

)

select * from final
