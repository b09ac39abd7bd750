-- intermediate/int_period_spans (table)
with

periods as (

    select * from rpt_periods

),

both_years as (

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
    where is_year_before_covered

),

final as (

    select
        period_key,
        is_year_before,
        case
            when period_kind = 'all' then 0
            else dense_rank() over (order by first_day, last_day)
        end as span_number,
        first_day,
        last_day
    from both_years

)

select * from final
