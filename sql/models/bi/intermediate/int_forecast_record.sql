{# How often windows were right that were set before it was known: each from what was known on its
day, by the days of orders. #}
{% set parts = {
    'all': "'all'",
    'age': 'age',
    'month': 'cast(month_start as ' ~ sql_type('varchar') ~ ')',
    'horizon': 'horizon',
} -%}
with

forecasts as (

    select
        *,
        purchase_number >= {{ fewest_shown_purchases() }} as is_shown
    from {{ ref('int_forecasts') }}

),

{# An amount is judged with the order, whenever it came. #}
claims as (

    {% for share in window_shares() -%}
    select
        '{{ share }}' as claimed,
        {{ share }} as claimed_percent,
        age,
        month_start,
        is_shown,
        ordered_date,
        {{ days_between('first_day_' ~ share, 'last_day_' ~ share) }} + 1 as width_days,
        case
            when {{ days_between('ordered_date', 'last_day_' ~ share) }} <= 14 then '1-14 days'
            when {{ days_between('ordered_date', 'last_day_' ~ share) }} <= 30 then '15-30 days'
            when {{ days_between('ordered_date', 'last_day_' ~ share) }} <= 90 then '31-90 days'
            else 'over 90 days'
        end as horizon,
        is_right_{{ share }} as is_right
    from forecasts
    where is_right_{{ share }} is not null

    union all

    {% endfor -%}
    select
        'amount' as claimed,
        80 as claimed_percent,
        age,
        month_start,
        is_shown,
        ordered_date,
        null as width_days,
        null as horizon,
        is_amount_right as is_right
    from forecasts
    where is_amount_right is not null

),

grouped as (

    {% for part, member in parts.items() -%}
    select
        '{{ part }}' as part,
        {{ member }} as member,
        claimed,
        claimed_percent,
        is_shown,
        count(*) as judged_count,
        sum(case when is_right then 1 else 0 end) as right_count,
        sum(width_days) as width_days,
        min(ordered_date) as first_date,
        max(ordered_date) as last_date
    from claims
    where {{ 'horizon is not null' if part == 'horizon' else 'true' }}
    group by {{ member ~ ', ' if part != 'all' }}claimed, claimed_percent, is_shown
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

final as (

    select
        part || '-' || member || '-' || claimed || case when is_shown then '' else '-unshown' end
            as record_id,
        part,
        member,
        claimed,
        cast(claimed_percent as bigint) as claimed_percent,
        is_shown,
        cast(judged_count as bigint) as judged_count,
        cast(right_count as bigint) as right_count,
        {{ ratio('right_count', 'judged_count') }} as right_share,
        {{ ratio('width_days', 'judged_count') }} as mean_width_days,
        first_date,
        last_date
    from grouped

)

select * from final
