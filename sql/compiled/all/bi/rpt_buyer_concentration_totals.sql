-- bi/rpt_buyer_concentration_totals (table)
--   vendor_id text
--   vendor_name text
--   buyer_count bigint
--   sales_amount decimal(38, 9)
--   unassigned_sales_amount decimal(38, 9)
--   top_buyer_id text
--   top_5_sales_amount decimal(38, 9)
--   top_5_share decimal(38, 6)
--   herfindahl_index decimal(38, 12)
with

buyer_concentration as (

    select * from int_buyer_concentration

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
