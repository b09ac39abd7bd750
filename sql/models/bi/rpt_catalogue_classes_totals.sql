with

catalogue_classes as (

    select * from {{ ref('int_catalogue_classes') }}

),

final as (

    select
        catalogue_class_id,
        vendor_id,
        vendor_name,
        abc_class,
        product_count,
        product_share,
        never_ordered_count,
        ordered_but_inactive_count,
        sales_amount,
        sales_share
    from catalogue_classes
    where vendor_id = 'all'

)

select * from final
