-- intermediate/int_daily_sales (table)
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
        and ordered_date is not null

),

dates as (

    select * from dim_dates

),

sales as (

    select
        vendor as vendor_id,
        ordered_date,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as unit_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as billed_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as discount_amount,
        cast(
        case
            when round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9))) * sign(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as average_order_value
    from orders
    group by
        vendor,
        ordered_date

),

bought as (

    select distinct
        vendor,
        ordered_date,
        buyer_id
    from orders

),

buyers as (

    select
        vendor as vendor_id,
        ordered_date,
        count(buyer_id) as buyer_count
    from bought
    group by
        vendor,
        ordered_date

),

first_days as (

    select
        vendor_id,
        min(ordered_date) as first_day
    from sales
    group by vendor_id

),

days as (

    select
        first_days.vendor_id,
        dates.date_day
    from first_days
    inner join dates on first_days.first_day <= dates.date_day

),

final as (

    select
        days.vendor_id,
        days.date_day,
        coalesce(sales.order_count, 0) as order_count,
        coalesce(buyers.buyer_count, 0) as buyer_count,
        case when sales.order_count > 0 then sales.unit_count else 0 end as unit_count,
        case when sales.order_count > 0 then sales.sales_amount else 0 end as sales_amount,
        case when sales.order_count > 0 then sales.billed_amount else 0 end as billed_amount,
        sales.discount_amount,
        sales.average_order_value
    from days
    left join sales
        on days.vendor_id = sales.vendor_id
        and days.date_day = sales.ordered_date
    left join buyers
        on sales.vendor_id = buyers.vendor_id
        and sales.ordered_date = buyers.ordered_date

)

select * from final
