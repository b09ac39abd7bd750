with

buyer_concentration as (

    select * from {{ ref('int_buyer_concentration') }}

),

final as (

    select
        vendor_id,
        vendor_name,
        buyer_count,
        sales_amount,
        unassigned_sales_amount,
        top_buyer_id,
        top_5_sales_amount,
        top_5_share,
        herfindahl_index
    from buyer_concentration
    where vendor_id = 'all'

)

select * from final
