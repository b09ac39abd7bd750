-- intermediate/int_span_sales (table)
with

days as (

    select distinct
        date_day,
        part_day
    from int_span_days

),

orders as (

    select
        fct_orders.*,
        coalesce(case
        when fct_orders.vendor_id in ('all', 'unknown', 'none') or fct_orders.vendor_id like '"%' then '"' || replace(fct_orders.vendor_id, '"', '""') || '"'
        else fct_orders.vendor_id
    end, 'unknown') as vendor,
        case
        when nullif(fct_orders.shipping_country, '') like '%-%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else coalesce(case
        when nullif(fct_orders.shipping_country, '') in ('all', 'unknown', 'none') or nullif(fct_orders.shipping_country, '') like '"%' then '"' || replace(nullif(fct_orders.shipping_country, ''), '"', '""') || '"'
        else nullif(fct_orders.shipping_country, '')
    end, 'unknown')
    end || coalesce('-' || nullif(fct_orders.shipping_state, ''), '') as state,
        days.part_day
    from fct_orders as fct_orders
    left join days on fct_orders.ordered_date = days.date_day
    where fct_orders.is_sale

),

span_parts as (

    select distinct
        span_number,
        part_day
    from int_span_days

),

by_part as (

    select
        part_day,
        vendor,
        state,
        md5_number(buyer_id) as buyer_key,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as priced_order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as unit_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as undiscounted_sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then net_sub_total end) else 0 end as decimal(38, 9)) as net_sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as billed_amount,
        cast(coalesce(sum(case when is_sale and is_refunded then 1 else 0 end), 0) as bigint) as refunded_order_count,
        cast(case when count(case when is_sale and is_refunded then 1 end) > 0 then sum(case when is_sale and is_refunded then sub_total end) else 0 end as decimal(38, 9)) as refunded_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as discount_amount,
        cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as below_minimum_value_count
    from orders
    group by
        part_day,
        vendor,
        state,
        md5_number(buyer_id)

),

spanned as (

    select
        span_parts.span_number,
        by_part.*
    from by_part
    inner join span_parts on by_part.part_day = span_parts.part_day
    union all
    select
        0 as span_number,
        by_part.*
    from by_part

),

final as (

    select
        span_number,
        coalesce(vendor, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_key) as buyer_count,
        cast(sum(priced_order_count) as bigint) as priced_order_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        sum(undiscounted_sales_amount) as undiscounted_sales_amount,
        sum(net_sales_amount) as net_sales_amount,
        sum(billed_amount) as billed_amount,
        case
        when sum(refunded_order_count) > 0
            then sum(case when refunded_order_count > 0 then refunded_amount end)
        else 0
    end as refunded_amount,
        sum(discount_amount) as discount_amount,
        cast(sum(below_minimum_value_count) as bigint) as below_minimum_value_count
    from spanned
    group by span_number, cube (vendor, state)

)

select * from final
