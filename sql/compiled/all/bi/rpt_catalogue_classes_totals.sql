-- bi/rpt_catalogue_classes_totals (table)
--   catalogue_class_id text
--   vendor_id text
--   vendor_name text
--   abc_class text
--   product_count bigint
--   product_share decimal(38, 6)
--   never_ordered_count bigint
--   ordered_but_inactive_count bigint
--   sales_amount decimal(38, 9)
--   sales_share decimal(38, 6)
with

catalogue_classes as (

    select * from int_catalogue_classes

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
