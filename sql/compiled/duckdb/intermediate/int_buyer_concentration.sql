-- intermediate/int_buyer_concentration (table)
with

orders as (

    select * from fct_orders

),

vendors as (

    select * from dim_vendors

),

by_vendor as (

    select
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown') as vendor_id,
        buyer_id,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount
    from orders
    where is_sale
    group by
        coalesce(case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end, 'unknown'),
        buyer_id

),

buyers as (

    select * from by_vendor
    union all
    select
        'all' as vendor_id,
        buyer_id,
        sum(sales_amount) as sales_amount
    from by_vendor
    group by buyer_id

),

ranked as (

    select
        *,
        row_number() over (
            partition by vendor_id, buyer_id is null
            order by sales_amount desc nulls last, buyer_id asc
        ) as sales_rank,
        greatest(sales_amount, 0) as positive_amount,
        sum(greatest(sales_amount, 0)) over (partition by vendor_id) as all_positive_amount
    from buyers

),

shares as (

    select
        vendor_id,
        count(buyer_id) as buyer_count,
        sum(sales_amount) as sales_amount,
        case
        when sum((case when buyer_id is null then 1 else 0 end)) > 0
            then sum(case when (case when buyer_id is null then 1 else 0 end) > 0 then sales_amount end)
        else 0
    end
            as unassigned_sales_amount,
        max(case when sales_rank = 1 and sales_amount is not null then buyer_id end)
            as top_buyer_id,
        case
        when sum((case when sales_rank <= 5 and buyer_id is not null then 1 else 0 end)) > 0
            then sum(case when (case when sales_rank <= 5 and buyer_id is not null then 1 else 0 end) > 0 then sales_amount end)
        else 0
    end as top_5_sales_amount,
        cast(
        case
            when round(cast(cast(sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / nullif(cast(cast(max(all_positive_amount) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / nullif(cast(cast(max(all_positive_amount) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / nullif(cast(cast(max(all_positive_amount) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(max(all_positive_amount) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(sum(case when sales_rank <= 5 and buyer_id is not null then positive_amount else 0 end)) * sign(max(all_positive_amount))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as top_5_share,
        cast((sum(cast(cast(floor(1000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) * 1000000000000 + cast(round(1000000000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) * 1000000 - cast(floor(1000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) * nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) as hugeint) * cast(cast(floor(1000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) * 1000000000000 + cast(round(1000000000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) * 1000000 - cast(floor(1000000 * cast(cast((case when buyer_id is not null then positive_amount else 0 end) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) * nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double) / cast(cast(nullif(greatest(all_positive_amount, 0), 0) as decimal(38, 9)) as double)) as bigint) as hugeint)) + cast(5e23 as hugeint)) // cast(1e24 as hugeint) as decimal(38, 0))
    * cast(0.000000000001 as decimal(13, 12)) as herfindahl_index
    from ranked
    group by vendor_id

),

final as (

    select
        shares.vendor_id,
        coalesce(vendors.vendor_name, case when shares.vendor_id = 'all' then 'all' end) as vendor_name,
        shares.buyer_count,
        shares.sales_amount,
        shares.unassigned_sales_amount,
        shares.top_buyer_id,
        shares.top_5_sales_amount,
        shares.top_5_share,
        shares.herfindahl_index
    from shares
    left join vendors on shares.vendor_id = case
        when vendors.vendor_id in ('all', 'unknown', 'none') or vendors.vendor_id like '"%' then '"' || replace(vendors.vendor_id, '"', '""') || '"'
        else vendors.vendor_id
    end

)

select * from final
