-- bi/rpt_headlines (table)
--   as_of_date date
--   figures_from date
--   figures_up_to date
--   last_ordered_date date
--   synced_at timestamptz
--   quiet_day_count bigint
--   currency text
--   time_zone text
--   order_count bigint
--   buyer_count bigint
--   unit_count bigint
--   line_count bigint
--   sales_amount decimal(38, 9)
--   net_sales_amount decimal(38, 9)
--   return_count bigint
--   returned_amount decimal(38, 9)
--   refunded_order_count bigint
--   refunded_amount decimal(38, 9)
--   billed_amount decimal(38, 9)
--   discount_amount decimal(38, 9)
--   fee_amount decimal(38, 9)
--   missing_amount_count bigint
--   undated_order_count bigint
--   lines_without_quantity_count bigint
--   lines_without_amount_count bigint
--   average_order_value decimal(38, 6)
--   units_per_order decimal(38, 6)
--   lines_per_order decimal(38, 6)
--   discount_rate decimal(38, 6)
--   fee_rate decimal(38, 6)
--   below_minimum_value_rate decimal(38, 6)
with

orders as (

    select * from fct_orders

),

settings as (

    select * from dim_settings

),

as_of as (

    select * from dim_as_of

),

sales as (

    select
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        count(distinct case when is_sale then buyer_id end) as buyer_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as unit_count,
        cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint) as line_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then net_sub_total end) else 0 end as decimal(38, 9)) as net_sales_amount,
        cast(coalesce(sum(case when is_return then 1 else 0 end), 0) as bigint) as return_count,
        cast(case when count(case when is_return then 1 end) > 0 then sum(case when is_return then sub_total end) else 0 end as decimal(38, 9)) as returned_amount,
        cast(coalesce(sum(case when is_sale and is_refunded then 1 else 0 end), 0) as bigint) as refunded_order_count,
        cast(case when count(case when is_sale and is_refunded then 1 end) > 0 then sum(case when is_sale and is_refunded then sub_total end) else 0 end as decimal(38, 9)) as refunded_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as billed_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as discount_amount,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as fee_amount,
        cast(coalesce(sum(case when is_sale and (sub_total is null or total is null) then 1 else 0 end), 0) as bigint) as missing_amount_count,
        cast(coalesce(sum(case when is_sale and ordered_date is null then 1 else 0 end), 0) as bigint) as undated_order_count,
        cast(coalesce(sum(case when is_sale then lines_without_quantity_count else 0 end), 0) as bigint) as lines_without_quantity_count,
        cast(coalesce(sum(case when is_sale then lines_without_amount_count else 0 end), 0) as bigint) as lines_without_amount_count,
        cast(
        case
            when round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9))) * sign(cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as average_order_value,
        cast(
        case
            when round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then known_unit_count end) else 0 end as bigint)) * sign(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as units_per_order,
        cast(
        case
            when round(cast(cast(cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(coalesce(sum(case when is_sale then line_count else 0 end), 0) as bigint)) * sign(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as lines_per_order,
        cast(
        case
            when round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then line_discount_amount end) else 0 end as decimal(38, 9))) * sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total_before_discounts end) else 0 end as decimal(38, 9)))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as discount_rate,
        cast(
        case
            when round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double) / nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then transaction_fee end) else 0 end as decimal(38, 9))) * sign(cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then total end) else 0 end as decimal(38, 9)))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as fee_rate,
        cast(
        case
            when round(cast(cast(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double) / nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(cast(coalesce(sum(case when is_sale and is_return is not true and sub_total < vendor_minimum_order_value then 1 else 0 end), 0) as bigint)) * sign(cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as below_minimum_value_rate
    from orders

),

final as (

    select
        as_of.as_of_date,
        as_of.figures_from,
        as_of.figures_up_to,
        as_of.last_ordered_date,
        as_of.synced_at,
        as_of.quiet_day_count,
        settings.currency,
        settings.time_zone,
        sales.order_count,
        sales.buyer_count,
        sales.unit_count,
        sales.line_count,
        sales.sales_amount,
        sales.net_sales_amount,
        sales.return_count,
        sales.returned_amount,
        sales.refunded_order_count,
        sales.refunded_amount,
        sales.billed_amount,
        sales.discount_amount,
        sales.fee_amount,
        sales.missing_amount_count,
        sales.undated_order_count,
        sales.lines_without_quantity_count,
        sales.lines_without_amount_count,
        sales.average_order_value,
        sales.units_per_order,
        sales.lines_per_order,
        sales.discount_rate,
        sales.fee_rate,
        sales.below_minimum_value_rate
    from sales
    cross join settings
    cross join as_of

)

select * from final
