-- intermediate/int_first_orders (table)
with

orders as (

    select
        *,
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown') as vendor
    from fct_orders
    where is_sale
        and is_return is not true
        and buyer_id is not null

),

final as (

    select
        vendor as vendor_id,
        buyer_id,
        min(ordered_date) as first_ordered_date
    from orders
    group by
        vendor,
        buyer_id

)

select * from final
