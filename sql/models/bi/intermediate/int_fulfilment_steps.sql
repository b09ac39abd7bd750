with

orders as (

    select * from {{ ref('rpt_fulfilment') }}

),

steps as (

    {% for step in ['accepted', 'sent', 'done', 'settled'] -%}
    select
        {{ told('vendor_id') }} as vendor_id,
        vendor_name,
        '{{ step }}' as step,
        days_to_{{ step }} as step_days
    from orders
    where days_to_{{ step }} is not null
    {{ 'union all' if not loop.last }}
    {% endfor %}
),

summed as (

    select * from steps
    union all
    select
        'all' as vendor_id,
        'all' as vendor_name,
        step,
        step_days
    from steps

),

placed as (

    select
        *,
        row_number() over (partition by vendor_id, step order by step_days) as place,
        count(*) over (partition by vendor_id, step) as step_count
    from summed

),

final as (

    select
        {{ key_of(['vendor_id', 'step']) }} as fulfilment_step_id,
        vendor_id,
        max({{ by_code_points('vendor_name') }}) as vendor_name,
        step,
        count(*) as order_count,
        cast(min(case when 2 * place >= step_count then step_days end) as bigint) as median_days,
        {# The next order, too, is within the last of nine of ten: of fewer than nine none is. #}
        cast(min(case when 10 * place >= 9 * (step_count + 1) then step_days end) as bigint)
            as most_days,
        cast(max(step_days) as bigint) as longest_days
    from placed
    group by
        vendor_id,
        step

)

select * from final
