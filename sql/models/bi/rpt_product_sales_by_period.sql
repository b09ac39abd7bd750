with

order_lines as (

    select
        ordered_date,
        quantity,
        total_price,
        {{ key_of(['item_id', 'sku', 'variant_id']) }} as line_product_id
    from {{ ref('fct_order_lines') }}
    where is_sale

),

line_products as (

    select * from {{ ref('int_line_products') }}
    where is_meant

),

products as (

    select * from {{ ref('rpt_catalogue') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

period_spans as (

    select * from {{ ref('int_period_spans') }}

),

by_day as (

    select
        order_lines.ordered_date,
        coalesce(line_products.product_id, order_lines.line_product_id) as product_id,
        sum(coalesce(order_lines.quantity, 0)) as unit_count,
        sum(coalesce(order_lines.total_price, 0)) as sales_amount
    from order_lines
    left join line_products on order_lines.line_product_id = line_products.line_product_id
    group by
        order_lines.ordered_date,
        coalesce(line_products.product_id, order_lines.line_product_id)

),

span_days as (

    select
        period_spans.period_key,
        period_spans.is_year_before,
        dates.date_day
    from period_spans
    inner join dates on dates.date_day between period_spans.first_day and period_spans.last_day
    where period_spans.span_number > 0

),

{# Orders without a date belong to no day, but to all time. #}
spanned as (

    select
        span_days.period_key,
        span_days.is_year_before,
        by_day.*
    from by_day
    inner join span_days on by_day.ordered_date = span_days.date_day
    union all
    select
        period_spans.period_key,
        period_spans.is_year_before,
        by_day.*
    from by_day
    cross join period_spans
    where period_spans.span_number = 0

),

sums as (

    select
        period_key,
        product_id,
        cast(
            sum(case when not is_year_before then unit_count else 0 end) as bigint
        ) as unit_count,
        sum(case when not is_year_before then sales_amount else 0 end) as sales_amount,
        sum(case when is_year_before then sales_amount end) as sales_amount_year_before
    from spanned
    group by
        period_key,
        product_id

),

final as (

    select
        {{ key_of(['sums.period_key', 'sums.product_id']) }} as product_sales_by_period_id,
        sums.period_key,
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
    inner join products on sums.product_id = products.product_id

)

select * from final
