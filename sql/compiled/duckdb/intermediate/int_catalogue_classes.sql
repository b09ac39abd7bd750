-- intermediate/int_catalogue_classes (table)
with

catalogue as (

    select
        *,
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown') as vendor
    from rpt_catalogue

),

vendors as (

    select * from dim_vendors

),

sums as (

    select
        coalesce(vendor, 'all') as vendor_id,
        abc_class,
        count(*) as product_count,
        count(*) filter (where is_never_ordered) as never_ordered_count,
        count(*) filter (where is_ordered_but_inactive) as ordered_but_inactive_count,
        case
        when sum(order_count) > 0
            then sum(case when order_count > 0 then sales_amount end)
        else 0
    end as sales_amount
    from catalogue
    group by abc_class, rollup (vendor)

),

final as (

    select
        sums.vendor_id || '-' || sums.abc_class as catalogue_class_id,
        sums.vendor_id,
        coalesce(vendors.vendor_name, case when sums.vendor_id = 'all' then 'all' end) as vendor_name,
        sums.abc_class,
        sums.product_count,
        cast(
        case
            when round(cast(cast(sums.product_count as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.product_count) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(sums.product_count as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.product_count) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(sums.product_count as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.product_count) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(sums.product_count as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(sum(sums.product_count) over (partition by sums.vendor_id) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(sums.product_count) * sign(sum(sums.product_count) over (partition by sums.vendor_id))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as product_share,
        sums.never_ordered_count,
        sums.ordered_but_inactive_count,
        sums.sales_amount,
        cast(
        case
            when round(cast(cast(sums.sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.sales_amount) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(sums.sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.sales_amount) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(sums.sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(sum(sums.sales_amount) over (partition by sums.vendor_id) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(sums.sales_amount as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(sum(sums.sales_amount) over (partition by sums.vendor_id) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(sums.sales_amount) * sign(sum(sums.sales_amount) over (partition by sums.vendor_id))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as sales_share
    from sums
    left join vendors on sums.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end

)

select * from final
