with

span_sales as (

    select * from {{ ref('int_span_sales') }}

),

period_spans as (

    select * from {{ ref('int_period_spans') }}

),

periods as (

    select * from {{ ref('rpt_periods') }}

),

vendors as (

    select * from {{ ref('dim_vendors') }}

),

{# What sold in one of the two years only has its row too. #}
compared as (

    select
        period_spans.period_key,
        span_sales.vendor_id,
        span_sales.state,
        {%- for measure in [
            'order_count', 'buyer_count', 'unit_count', 'sales_amount', 'billed_amount',
            'discount_amount', 'below_minimum_count'
        ] %}
        max(case when not period_spans.is_year_before then span_sales.{{ measure }} end)
            as {{ measure }},
        {%- endfor %}
        max(case when period_spans.is_year_before then span_sales.order_count end)
            as order_count_year_before,
        max(case when period_spans.is_year_before then span_sales.buyer_count end)
            as buyer_count_year_before,
        max(case when period_spans.is_year_before then span_sales.sales_amount end)
            as sales_amount_year_before
    from span_sales
    inner join period_spans on span_sales.span_number = period_spans.span_number
    group by
        period_spans.period_key,
        span_sales.vendor_id,
        span_sales.state

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
        {{ key_of(['measured.period_key', 'measured.vendor_id', 'measured.state']) }}
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
        case
            when periods.is_year_before_covered
                then {{ growth('measured.order_count', 'measured.order_count_year_before') }}
        end as order_count_growth,
        case
            when periods.is_year_before_covered
                then {{ growth('measured.buyer_count', 'measured.buyer_count_year_before') }}
        end as buyer_count_growth,
        case
            when periods.is_year_before_covered
                then {{ growth('measured.sales_amount', 'measured.sales_amount_year_before') }}
        end as sales_amount_growth,
        case
            when periods.is_year_before_covered
                then {{ growth(
                    'measured.average_order_value', 'measured.average_order_value_year_before'
                ) }}
        end as average_order_value_growth
    from measured
    inner join periods on measured.period_key = periods.period_key
    left join vendors on measured.vendor_id = {{ as_told('vendors.vendor_id') }}

)

select * from final
