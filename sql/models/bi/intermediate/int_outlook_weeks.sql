{# Which weeks tell how large the rest of a month may be: those of a year that were over when the
claim was set. #}
with

claims as (

    select * from {{ ref('int_outlook_claims') }}

),

weeks as (

    {% for number in range(1, compared_weeks() + 1) -%}
    select {{ number }} as number
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

final as (

    select
        claims.set_date,
        claims.is_next,
        claims.first_offset,
        claims.last_offset,
        claims.set_date - cast(
            7 * (weeks.number + ceil(claims.last_offset / 7.0) - 1) as integer
        ) as asked_date
    from claims
    cross join weeks

)

select * from final
