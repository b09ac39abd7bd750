with

orders as (

    select
        *,
        coalesce(vendor_id, 'unknown') as vendor,
        {{ shipped_to('fct_orders') }} as state
    from {{ ref('fct_orders') }} as fct_orders
    where is_sale

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

dates as (

    select * from {{ ref('dim_dates') }}

),

periods as (

    select * from {{ ref('rpt_periods') }}

),

{# Sums of a day and buyer are added up again; only different buyers cannot be. #}
by_day as (

    select
        ordered_date,
        vendor,
        state,
        buyer_id,
        {{ metric('orders') }} as order_count,
        {{ metric('units') }} as unit_count,
        {{ metric('sales') }} as sales_amount,
        {{ metric('billed') }} as billed_amount,
        {{ metric('discounts') }} as discount_amount,
        {{ metric('orders_below_minimum') }} as below_minimum_count
    from orders
    group by
        ordered_date,
        vendor,
        state,
        buyer_id

),

{# The year before of one period often is another period: each span of days is summed up once. #}
period_spans as (

    select
        period_key,
        is_year_before,
        case
            when period_kind = 'all' then 0
            else dense_rank() over (order by first_day, last_day)
        end as span_number,
        first_day,
        last_day
    from (
        select
            period_key,
            period_kind,
            false as is_year_before,
            first_day,
            last_day
        from periods
        union all
        select
            period_key,
            period_kind,
            true as is_year_before,
            year_before_first_day as first_day,
            year_before_last_day as last_day
        from periods
        where year_before_first_day is not null
    ) as both_years

),

span_days as (

    select distinct
        period_spans.span_number,
        dates.date_day
    from period_spans
    inner join dates on dates.date_day between period_spans.first_day and period_spans.last_day
    where period_spans.span_number > 0

),

{# Orders without a date belong to no day, but to all time. #}
spanned as (

    select
        span_days.span_number,
        by_day.*
    from by_day
    inner join span_days on by_day.ordered_date = span_days.date_day
    union all
    select
        0 as span_number,
        by_day.*
    from by_day

),

sales as (

    select
        span_number,
        coalesce(vendor, 'all') as vendor_id,
        coalesce(state, 'all') as state,
        cast(sum(order_count) as bigint) as order_count,
        count(distinct buyer_id) as buyer_count,
        cast(sum(unit_count) as bigint) as unit_count,
        sum(sales_amount) as sales_amount,
        sum(billed_amount) as billed_amount,
        sum(discount_amount) as discount_amount,
        cast(sum(below_minimum_count) as bigint) as below_minimum_count
    from spanned
    group by
        grouping sets (
            (span_number, vendor, state),
            (span_number, vendor),
            (span_number, state),
            (span_number)
        )

),

{# What sold in one of the two years only has its row too. #}
compared as (

    select
        period_spans.period_key,
        sales.vendor_id,
        sales.state,
        {% for measure in [
            'order_count', 'buyer_count', 'unit_count', 'sales_amount', 'billed_amount',
            'discount_amount', 'below_minimum_count'
        ] -%}
        max(case when not period_spans.is_year_before then sales.{{ measure }} end)
            as {{ measure }},
        {% endfor -%}
        {% for measure in ['order_count', 'buyer_count', 'sales_amount'] -%}
        max(case when period_spans.is_year_before then sales.{{ measure }} end)
            as {{ measure }}_year_before{{ ',' if not loop.last }}
        {% endfor %}
    from sales
    inner join period_spans on sales.span_number = period_spans.span_number
    group by
        period_spans.period_key,
        sales.vendor_id,
        sales.state

),

measured as (

    select
        period_key,
        vendor_id,
        state,
        coalesce(order_count, 0) as order_count,
        coalesce(buyer_count, 0) as buyer_count,
        coalesce(unit_count, 0) as unit_count,
        coalesce(sales_amount, 0) as sales_amount,
        coalesce(billed_amount, 0) as billed_amount,
        discount_amount,
        {{ ratio('sales_amount', 'order_count') }} as average_order_value,
        {{ ratio('discount_amount', 'sales_amount') }} as discount_rate,
        coalesce(below_minimum_count, 0) as below_minimum_count,
        {{ ratio('below_minimum_count', 'order_count') }} as below_minimum_rate,
        order_count_year_before,
        buyer_count_year_before,
        sales_amount_year_before,
        {{ ratio('sales_amount_year_before', 'order_count_year_before') }}
            as average_order_value_year_before
    from compared

),

{# A year before that the data reach only in part is nothing to have grown from. #}
final as (

    select
        measured.period_key || '-' || measured.vendor_id || '-' || measured.state
            as sales_by_period_id,
        measured.period_key,
        measured.vendor_id,
        coalesce(vendors.vendor_name, case when measured.vendor_id = 'all' then 'all' end)
            as vendor_name,
        measured.state,
        measured.order_count,
        measured.buyer_count,
        measured.unit_count,
        measured.sales_amount,
        measured.billed_amount,
        measured.discount_amount,
        measured.average_order_value,
        measured.discount_rate,
        measured.below_minimum_count,
        measured.below_minimum_rate,
        measured.order_count_year_before,
        measured.buyer_count_year_before,
        measured.sales_amount_year_before,
        measured.average_order_value_year_before,
        {%- for measure in [
            'order_count', 'buyer_count', 'sales_amount', 'average_order_value'
        ] %}
        {%- set now = 'measured.' ~ measure %}
        {%- set before = now ~ '_year_before' %}
        case
            when periods.is_year_before_covered then {{ ratio(now ~ ' - ' ~ before, before) }}
        end as {{ measure }}_growth{{ ',' if not loop.last }}
        {%- endfor %}
    from measured
    inner join periods on measured.period_key = periods.period_key
    left join vendors on measured.vendor_id = vendors.vendor_id

)

select * from final
