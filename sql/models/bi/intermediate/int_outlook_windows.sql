{# How large what is still to come of a month is, in shares of the sales of the twelve weeks
before: asked of the same weekday in each of a year's weeks that were over when it was set. #}
{% set base_days = 7 * base_weeks() -%}
with

days as (

    select * from {{ ref('int_outlook_days') }}

),

asked as (

    select * from {{ ref('int_outlook_weeks') }}

),

{# A share is of what was known. #}
changes as (

    select
        asked.set_date,
        asked.is_next,
        asked.asked_date,
        later.dimension,
        later.member,
        sum(case when asked.asked_date >= later.ordered_date then later.amount_effect end)
            as base_amount,
        sum(
            case
                when {{ days_between('asked.asked_date', 'later.ordered_date') }}
                    >= asked.first_offset
                    then later.amount_effect
            end
        ) as rest_amount
    from asked
    inner join {{ ref('int_outlook_changes') }} as later
        on asked.set_date = later.set_date
        and asked.asked_date - {{ base_days }} < later.ordered_date
        and {{ days_between('asked.asked_date', 'later.ordered_date') }} <= asked.last_offset
    group by
        asked.set_date,
        asked.is_next,
        asked.asked_date,
        later.dimension,
        later.member

),

sold as (

    select
        asked.set_date,
        asked.is_next,
        day_asked.dimension,
        day_asked.member,
        day_asked.amount_so_far - day_base.amount_so_far
        - coalesce(changes.base_amount, cast(0 as decimal(38, 9))) as base_amount,
        day_last.amount_so_far - day_first.amount_so_far
        - coalesce(changes.rest_amount, cast(0 as decimal(38, 9))) as rest_amount
    from asked
    inner join days as day_asked on asked.asked_date = day_asked.date_day
    inner join days as day_base
        on day_asked.dimension = day_base.dimension
        and day_asked.member = day_base.member
        and asked.asked_date - {{ base_days }} = day_base.date_day
    inner join days as day_first
        on day_asked.dimension = day_first.dimension
        and day_asked.member = day_first.member
        and asked.asked_date + cast(asked.first_offset - 1 as integer) = day_first.date_day
    inner join days as day_last
        on day_asked.dimension = day_last.dimension
        and day_asked.member = day_last.member
        and asked.asked_date + cast(asked.last_offset as integer) = day_last.date_day
    left join changes
        on asked.set_date = changes.set_date
        and asked.is_next = changes.is_next
        and asked.asked_date = changes.asked_date
        and day_asked.dimension = changes.dimension
        and day_asked.member = changes.member

),

shares as (

    select
        set_date,
        is_next,
        dimension,
        member,
        {{ ratio('rest_amount', 'base_amount') }} as rest_share
    from sold
    where {{ is_share('rest_amount', 'base_amount') }}

),

placed as (

    select
        *,
        row_number() over of_claim as place,
        count(*) over (partition by set_date, is_next, dimension, member) as share_count
    from shares
    window of_claim as (partition by set_date, is_next, dimension, member order by rest_share)

),

{# By ranks: of n shares the rank is a part of n + 1, so that the next one is within as often. #}
final as (

    select
        min(case when 2 * place >= share_count + 1 then rest_share end) as middle_share,
        {%- for share in window_shares() %}
        max(
            case when 200 * place <= {{ 100 - share }} * (share_count + 1) then rest_share end
        ) as low_share_{{ share }},
        min(
            case when 200 * place >= {{ 100 + share }} * (share_count + 1) then rest_share end
        ) as high_share_{{ share }},
        {%- endfor %}
        set_date,
        is_next,
        dimension,
        member
    from placed
    where share_count >= {{ fewest_compared_weeks() }}
    group by set_date, is_next, dimension, member

)

select * from final
