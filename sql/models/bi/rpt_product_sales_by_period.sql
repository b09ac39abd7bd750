with

order_lines as (

    select * from {{ ref('fct_order_lines') }}
    where is_sale

),

products as (

    select * from {{ ref('rpt_catalogue') }}

),

periods as (

    select * from {{ ref('rpt_periods') }}

),

period_spans as (

    select * from {{ ref('int_period_spans') }}

),

days as (

    select distinct
        date_day,
        part_day
    from {{ ref('int_span_days') }}

),

span_parts as (

    select distinct
        span_number,
        part_day
    from {{ ref('int_span_days') }}

),

by_part as (

    select
        days.part_day,
        order_lines.product_id,
        sum(order_lines.quantity) as unit_count,
        sum(order_lines.total_price) as sales_amount
    from order_lines
    left join days on order_lines.ordered_date = days.date_day
    group by
        days.part_day,
        order_lines.product_id

),

{# Orders without a date are in no part, but in all time. #}
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

by_span as (

    select
        span_number,
        product_id,
        sum(unit_count) as unit_count,
        sum(sales_amount) as sales_amount
    from spanned
    group by
        span_number,
        product_id

),

sums as (

    select
        period_spans.period_key,
        by_span.product_id,
        cast(
            {{ known_sum(
                'by_span.unit_count', '(case when period_spans.is_year_before then 0 else 1 end)'
            ) }} as bigint
        ) as unit_count,
        {{ known_sum(
            'by_span.sales_amount', '(case when period_spans.is_year_before then 0 else 1 end)'
        ) }} as sales_amount,
        sum(case when period_spans.is_year_before then by_span.sales_amount end)
            as sales_amount_year_before
    from by_span
    inner join period_spans on by_span.span_number = period_spans.span_number
    group by
        period_spans.period_key,
        by_span.product_id

),

final as (

    select
        {{ key_of(['sums.period_key', 'sums.product_id']) }} as product_sales_by_period_id,
        sums.period_key,
        periods.is_finished,
        sums.product_id,
        products.item_id,
        products.sku,
        products.item_title,
        products.variant_title,
        products.vendor_id,
        products.vendor_name,
        sums.unit_count,
        sums.sales_amount,
        sums.sales_amount_year_before
    from sums
    inner join periods on sums.period_key = periods.period_key
    inner join products on sums.product_id = products.product_id

)

select * from final
