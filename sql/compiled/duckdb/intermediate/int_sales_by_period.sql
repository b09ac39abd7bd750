-- intermediate/int_sales_by_period (table)
with

span_sales as (

    select * from int_span_sales

),

period_spans as (

    select * from int_period_spans

),

periods as (

    select * from rpt_periods

),

vendors as (

    select
        *,
        case
        when vendor_id in ('all', 'unknown', 'none') or vendor_id like '"%' then '"' || replace(vendor_id, '"', '""') || '"'
        else vendor_id
    end as told_vendor_id,
        least(cast(created_at at time zone (select build.time_zone from wholesale_build.settings as build) as date), first_ordered_date) as first_day
    from dim_vendors

),

compared as (

    select
        period_spans.period_key,
        span_sales.vendor_id,
        max(case when not period_spans.is_year_before then span_sales.order_count end)
            as order_count,
        max(case when not period_spans.is_year_before then span_sales.priced_order_count end)
            as priced_order_count,
        max(case when not period_spans.is_year_before then span_sales.buyer_count end)
            as buyer_count,
        max(case when not period_spans.is_year_before then span_sales.unit_count end)
            as unit_count,
        max(case when not period_spans.is_year_before then span_sales.sales_amount end)
            as sales_amount,
        max(case when not period_spans.is_year_before then span_sales.undiscounted_sales_amount end)
            as undiscounted_sales_amount,
        max(case when not period_spans.is_year_before then span_sales.net_sales_amount end)
            as net_sales_amount,
        max(case when not period_spans.is_year_before then span_sales.billed_amount end)
            as billed_amount,
        max(case when not period_spans.is_year_before then span_sales.discount_amount end)
            as discount_amount,
        max(case when not period_spans.is_year_before then span_sales.refunded_amount end)
            as refunded_amount,
        max(case when not period_spans.is_year_before then span_sales.below_minimum_value_count end)
            as below_minimum_value_count,
        max(case when period_spans.is_year_before then span_sales.order_count end)
            as order_count_year_before,
        max(case when period_spans.is_year_before then span_sales.priced_order_count end)
            as priced_order_count_year_before,
        max(case when period_spans.is_year_before then span_sales.buyer_count end)
            as buyer_count_year_before,
        max(case when period_spans.is_year_before then span_sales.sales_amount end)
            as sales_amount_year_before,
        span_sales.state
    from span_sales
    inner join period_spans on span_sales.span_number = period_spans.span_number
    group by period_spans.period_key, span_sales.vendor_id, span_sales.state

),

measured as (

    select
        period_key,
        vendor_id,
        state,
        coalesce(order_count, 0) as order_count,
        coalesce(buyer_count, 0) as buyer_count,
        case when order_count > 0 then unit_count else 0 end as unit_count,
        case when order_count > 0 then sales_amount else 0 end as sales_amount,
        case when order_count > 0 then net_sales_amount else 0 end as net_sales_amount,
        case when order_count > 0 then billed_amount else 0 end as billed_amount,
        case when order_count > 0 then refunded_amount else 0 end as refunded_amount,
        discount_amount,
        priced_order_count,
        cast(
        case
            when round(cast(cast(sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(sales_amount as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(sales_amount as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(priced_order_count as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(sales_amount) * sign(priced_order_count)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as average_order_value,
        cast(
        case
            when round(cast(cast(discount_amount as decimal(38, 9)) as double) / nullif(cast(cast(undiscounted_sales_amount as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(discount_amount as decimal(38, 9)) as double) / nullif(cast(cast(undiscounted_sales_amount as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(discount_amount as decimal(38, 9)) as double) / nullif(cast(cast(undiscounted_sales_amount as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(discount_amount as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(undiscounted_sales_amount as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(discount_amount) * sign(undiscounted_sales_amount)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as discount_rate,
        coalesce(below_minimum_value_count, 0) as below_minimum_value_count,
        cast(
        case
            when round(cast(cast(below_minimum_value_count as decimal(38, 9)) as double) / nullif(cast(cast(order_count as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(below_minimum_value_count as decimal(38, 9)) as double) / nullif(cast(cast(order_count as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(below_minimum_value_count as decimal(38, 9)) as double) / nullif(cast(cast(order_count as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(below_minimum_value_count as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(order_count as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(below_minimum_value_count) * sign(order_count)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)) as below_minimum_value_rate,
        order_count_year_before,
        buyer_count_year_before,
        sales_amount_year_before,
        priced_order_count_year_before,
        cast(
        case
            when round(cast(cast(sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count_year_before as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count_year_before as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(priced_order_count_year_before as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(sales_amount_year_before as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(priced_order_count_year_before as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(sales_amount_year_before) * sign(priced_order_count_year_before)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
            as average_order_value_year_before
    from compared

),

covered as (

    select
        measured.*,
        vendors.vendor_name,
        periods.is_finished,
        periods.is_year_before_covered
        and (
            measured.vendor_id = 'all'
            or coalesce(periods.year_before_first_day >= vendors.first_day, false)
        ) as is_growth_told
    from measured
    inner join periods on measured.period_key = periods.period_key
    left join vendors on measured.vendor_id = vendors.told_vendor_id

),

final as (

    select
        md5(
        coalesce(length(covered.period_key) || ':' || covered.period_key, 'null') || ',' ||
        coalesce(length(covered.vendor_id) || ':' || covered.vendor_id, 'null') || ',' ||
        coalesce(length(covered.state) || ':' || covered.state, 'null')
    )
            as sales_by_period_id,
        covered.period_key,
        covered.is_finished,
        covered.vendor_id,
        coalesce(covered.vendor_name, case when covered.vendor_id = 'all' then 'all' end) as vendor_name,
        covered.state,
        covered.order_count,
        covered.buyer_count,
        covered.unit_count,
        covered.sales_amount,
        covered.net_sales_amount,
        covered.billed_amount,
        covered.refunded_amount,
        covered.discount_amount,
        covered.average_order_value,
        covered.discount_rate,
        covered.below_minimum_value_count,
        covered.below_minimum_value_rate,
        covered.order_count_year_before,
        covered.buyer_count_year_before,
        covered.sales_amount_year_before,
        covered.average_order_value_year_before,
        case
            when covered.is_growth_told
                then cast(
        case
            when round(cast(cast(covered.order_count - covered.order_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.order_count_year_before > 0 then covered.order_count_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(covered.order_count - covered.order_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.order_count_year_before > 0 then covered.order_count_year_before end as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(covered.order_count - covered.order_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.order_count_year_before > 0 then covered.order_count_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(covered.order_count - covered.order_count_year_before as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(case when covered.order_count_year_before > 0 then covered.order_count_year_before end as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(covered.order_count - covered.order_count_year_before) * sign(case when covered.order_count_year_before > 0 then covered.order_count_year_before end)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
        end as order_count_growth,
        case
            when covered.is_growth_told
                then cast(
        case
            when round(cast(cast(covered.buyer_count - covered.buyer_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.buyer_count_year_before > 0 then covered.buyer_count_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(covered.buyer_count - covered.buyer_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.buyer_count_year_before > 0 then covered.buyer_count_year_before end as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(covered.buyer_count - covered.buyer_count_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.buyer_count_year_before > 0 then covered.buyer_count_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(covered.buyer_count - covered.buyer_count_year_before as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(case when covered.buyer_count_year_before > 0 then covered.buyer_count_year_before end as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(covered.buyer_count - covered.buyer_count_year_before) * sign(case when covered.buyer_count_year_before > 0 then covered.buyer_count_year_before end)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
        end as buyer_count_growth,
        case
            when covered.is_growth_told
                then cast(
        case
            when round(cast(cast(covered.sales_amount - covered.sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before > 0 then covered.sales_amount_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(covered.sales_amount - covered.sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before > 0 then covered.sales_amount_year_before end as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(covered.sales_amount - covered.sales_amount_year_before as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before > 0 then covered.sales_amount_year_before end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(covered.sales_amount - covered.sales_amount_year_before as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(case when covered.sales_amount_year_before > 0 then covered.sales_amount_year_before end as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(covered.sales_amount - covered.sales_amount_year_before) * sign(case when covered.sales_amount_year_before > 0 then covered.sales_amount_year_before end)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
        end as sales_amount_growth,

        case
            when covered.is_growth_told
                then cast(
        case
            when round(cast(cast(covered.sales_amount * covered.priced_order_count_year_before - covered.sales_amount_year_before * covered.priced_order_count as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before * covered.priced_order_count > 0 then covered.sales_amount_year_before * covered.priced_order_count end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(covered.sales_amount * covered.priced_order_count_year_before - covered.sales_amount_year_before * covered.priced_order_count as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before * covered.priced_order_count > 0 then covered.sales_amount_year_before * covered.priced_order_count end as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(covered.sales_amount * covered.priced_order_count_year_before - covered.sales_amount_year_before * covered.priced_order_count as decimal(38, 9)) as double) / nullif(cast(cast(case when covered.sales_amount_year_before * covered.priced_order_count > 0 then covered.sales_amount_year_before * covered.priced_order_count end as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(covered.sales_amount * covered.priced_order_count_year_before - covered.sales_amount_year_before * covered.priced_order_count as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast(case when covered.sales_amount_year_before * covered.priced_order_count > 0 then covered.sales_amount_year_before * covered.priced_order_count end as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(covered.sales_amount * covered.priced_order_count_year_before - covered.sales_amount_year_before * covered.priced_order_count) * sign(case when covered.sales_amount_year_before * covered.priced_order_count > 0 then covered.sales_amount_year_before * covered.priced_order_count end)
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
        end as average_order_value_growth,
        covered.is_growth_told
    from covered

)

select * from final
