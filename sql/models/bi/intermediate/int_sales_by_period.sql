with

span_sales as (

    select * from {{ ref('int_span_sales') }}

),

period_spans as (

    select * from {{ ref('int_period_spans') }}

),

vendors as (

    select
        *,
        {{ as_told('vendor_id') }} as told_vendor_id,
        least({{ business_date('created_at') }}, first_ordered_date) as first_day
    from {{ ref('dim_vendors') }}

),

compared as (

    select
        period_spans.period_key,
        span_sales.vendor_id,
        {%- for measure in [
            'order_count', 'priced_order_count', 'buyer_count', 'unit_count', 'sales_amount',
            'undiscounted_sales_amount', 'net_sales_amount', 'billed_amount',
            'discount_amount', 'refunded_amount', 'below_minimum_value_count'
        ] %}
        max(case when not period_spans.is_year_before then span_sales.{{ measure }} end)
            as {{ measure }},
        {%- endfor %}
        {%- for measure in ['order_count', 'priced_order_count', 'buyer_count', 'sales_amount'] %}
        max(case when period_spans.is_year_before then span_sales.{{ measure }} end)
            as {{ measure }}_year_before,
        {%- endfor %}
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
        {%- for measure in [
            'unit_count', 'sales_amount', 'net_sales_amount', 'billed_amount', 'refunded_amount'
        ] %}
        case when order_count > 0 then {{ measure }} else 0 end as {{ measure }},
        {%- endfor %}
        discount_amount,
        priced_order_count,
        {{ ratio('sales_amount', 'priced_order_count') }} as average_order_value,
        {{ ratio('discount_amount', 'undiscounted_sales_amount') }} as discount_rate,
        coalesce(below_minimum_value_count, 0) as below_minimum_value_count,
        {{ ratio('below_minimum_value_count', 'order_count') }} as below_minimum_value_rate,
        {%- for measure in ['order_count', 'buyer_count', 'sales_amount', 'priced_order_count'] %}
        {{ measure }}_year_before,
        {%- endfor %}
        {{ ratio('sales_amount_year_before', 'priced_order_count_year_before') }}
            as average_order_value_year_before
    from compared

),

{# No growth is shown if orders, or the vendor, do not reach back over the whole year before. #}
covered as (

    select
        measured.*,
        vendor_names.display_name as vendor_name,
        periods.is_finished,
        periods.is_year_before_covered
        and (
            measured.vendor_id = 'all'
            or coalesce(periods.year_before_first_day >= vendors.first_day, false)
        ) as is_growth_told
    from measured
    inner join {{ ref('rpt_periods') }} as periods on measured.period_key = periods.period_key
    left join vendors on measured.vendor_id = vendors.told_vendor_id
    left join {{ ref('dim_names') }} as vendor_names
        on vendor_names.name_kind = 'vendor'
        and measured.vendor_id = {{ as_told('vendor_names.name_key') }}

),

final as (

    select
        {{ key_of(['covered.period_key', 'covered.vendor_id', 'covered.state']) }}
            as sales_by_period_id,
        covered.period_key,
        covered.is_finished,
        covered.vendor_id,
        {{ vendor_name_or_all('covered.vendor_name', 'covered.vendor_id') }} as vendor_name,
        covered.state,
        {%- for measure in [
            'order_count', 'buyer_count', 'unit_count', 'sales_amount', 'net_sales_amount',
            'billed_amount', 'refunded_amount', 'discount_amount', 'average_order_value',
            'discount_rate', 'below_minimum_value_count', 'below_minimum_value_rate'
        ] %}
        covered.{{ measure }},
        {%- endfor %}
        {%- for measure in ['order_count', 'buyer_count', 'sales_amount', 'average_order_value'] %}
        covered.{{ measure }}_year_before,
        {%- endfor %}
        {%- for measure in ['order_count', 'buyer_count', 'sales_amount'] %}
        case
            when covered.is_growth_told
                then {{ growth('covered.' ~ measure, 'covered.' ~ measure ~ '_year_before') }}
        end as {{ measure }}_growth,
        {%- endfor %}
        {# Both averages times both numbers of orders: exact, as the averages are rounded. #}
        case
            when covered.is_growth_told
                then {{ growth(
                    'covered.sales_amount * covered.priced_order_count_year_before',
                    'covered.sales_amount_year_before * covered.priced_order_count'
                ) }}
        end as average_order_value_growth,
        covered.is_growth_told
    from covered

)

select * from final
