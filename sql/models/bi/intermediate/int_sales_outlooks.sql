{# Between which amounts the sales of a month were awaited: what was sold so far, and such shares
of the sales of the twelve weeks before as are still to come. #}
{% set base_days = 7 * base_weeks() -%}
with

days as (

    select * from {{ ref('int_outlook_days') }}

),

claims as (

    select * from {{ ref('int_outlook_claims') }}

),

windows as (

    select * from {{ ref('int_outlook_windows') }}

),

{# What is known of orders now, but was not when it was set. #}
changes as (

    select
        claims.set_date,
        claims.is_next,
        later.dimension,
        later.member,
        {%- for name in ['amount', 'sale', 'told'] %}
        sum(
            case when claims.month_start <= later.ordered_date then later.{{ name }}_effect end
        ) as {{ name }}_effect,
        {%- endfor %}
        sum(later.amount_effect) as base_amount
    from claims
    inner join {{ ref('int_outlook_changes') }} as later
        on claims.set_date = later.set_date
        and claims.set_date - {{ base_days }} < later.ordered_date
    group by claims.set_date, claims.is_next, later.dimension, later.member

),

sold as (

    select
        claims.*,
        day_set.dimension,
        day_set.member,
        day_set.amount_so_far - day_base.amount_so_far as base_amount,
        {%- for name in ['amount_so_far', 'sale_count', 'told_count'] %}
        day_set.{{ name }} - coalesce(day_first.{{ name }}, 0) as {{ name }},
        {%- endfor %}
        {{ sold_between('day_first', 'day_last') }} as month_amount
    from claims
    inner join days as day_set on claims.set_date = day_set.date_day
    left join days as day_base
        on day_set.dimension = day_base.dimension
        and day_set.member = day_base.member
        and claims.set_date - {{ base_days }} = day_base.date_day
    left join days as day_first
        on day_set.dimension = day_first.dimension
        and day_set.member = day_first.member
        and claims.month_start - 1 = day_first.date_day
    left join days as day_last
        on day_set.dimension = day_last.dimension
        and day_set.member = day_last.member
        and claims.last_day = day_last.date_day

),

measured as (

    select
        sold.set_date,
        sold.figures_up_to,
        sold.month_start,
        sold.is_next,
        sold.dimension,
        sold.member,
        sold.month_amount,
        sold.base_amount
        - coalesce(changes.base_amount, cast(0 as decimal(38, 9))) as base_amount,
        cast(
            case
                when sold.is_next then 0
                else {{ if_told(
                    'sold.amount_so_far - coalesce(changes.amount_effect, 0)',
                    'sold.sale_count - coalesce(changes.sale_effect, 0)',
                    'sold.told_count - coalesce(changes.told_effect, 0)'
                ) }}
            end as decimal(38, 9)
        ) as known_amount
    from sold
    left join changes
        on sold.set_date = changes.set_date
        and sold.is_next = changes.is_next
        and sold.dimension = changes.dimension
        and sold.member = changes.member

),

final as (

    select
        measured.set_date,
        measured.is_next,
        measured.dimension,
        measured.member,
        measured.month_start,
        measured.set_date = measured.figures_up_to as is_current,
        measured.known_amount,
        measured.known_amount
        + {{ share_of('windows.middle_share', 'measured.base_amount') }} as expected_amount,
        {%- for share in window_shares() %}
        {%- for end in ['low', 'high'] %}
        measured.known_amount
        + {{ share_of('windows.' ~ end ~ '_share_' ~ share, 'measured.base_amount') }}
            as {{ end }}_{{ share }},
        {%- endfor %}
        {%- endfor %}
        measured.month_amount
    from measured
    left join windows
        on measured.set_date = windows.set_date
        and measured.is_next = windows.is_next
        and measured.dimension = windows.dimension
        and measured.member = windows.member

)

select * from final
