-- intermediate/int_vendors (view)
with

vendors as (

    select * from stg_wholesale__vendors

),

final as (

    select
        vendor_id,
        vendor_name,
        minimum_order_quantity
    from vendors

)

select * from final
