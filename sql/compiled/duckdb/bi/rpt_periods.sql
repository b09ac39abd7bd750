-- bi/rpt_periods (table)
--   period_key text
--   period_label text
--   period_kind text
--   position bigint
--   first_day date
--   last_day date
--   is_finished boolean
--   day_count bigint
--   seen_day_count bigint
--   year_before_first_day date
--   year_before_last_day date
--   is_year_before_covered boolean
with

as_of as (

    select * from int_as_of

),

dates as (

    select * from dim_dates

),

calendar_periods as (

    select * from int_calendar_periods

),

rolling as (

    select
        1 as kind_position,
        'last_28_days' as period_key,
        'Last 28 days' as period_label,
        'rolling' as period_kind,
        figures_up_to - 27 as first_day,
        figures_up_to as last_day,
        figures_up_to as end_day,
        figures_up_to - 391 as year_before_first_day,
        figures_up_to - 364 as year_before_last_day
    from as_of
    union all
    select
        2 as kind_position,
        'last_90_days' as period_key,
        'Last 90 days' as period_label,
        'rolling' as period_kind,
        figures_up_to - 89 as first_day,
        figures_up_to as last_day,
        figures_up_to as end_day,
        figures_up_to - 453 as year_before_first_day,
        figures_up_to - 364 as year_before_last_day
    from as_of
    union all
    select
        3 as kind_position,
        'last_12_months' as period_key,
        'Last 12 months' as period_label,
        'rolling' as period_kind,
        greatest(cast(figures_up_to - 12 * interval '1 month' as date), cast((figures_up_to + 1) - 12 * interval '1 month' as date) - 1) + 1 as first_day,
        figures_up_to as last_day,
        figures_up_to as end_day,
        greatest(cast(greatest(cast(figures_up_to - 12 * interval '1 month' as date), cast((figures_up_to + 1) - 12 * interval '1 month' as date) - 1) - 12 * interval '1 month' as date), cast((greatest(cast(figures_up_to - 12 * interval '1 month' as date), cast((figures_up_to + 1) - 12 * interval '1 month' as date) - 1) + 1) - 12 * interval '1 month' as date) - 1) + 1 as year_before_first_day,
        greatest(cast(figures_up_to - 12 * interval '1 month' as date), cast((figures_up_to + 1) - 12 * interval '1 month' as date) - 1) as year_before_last_day
    from as_of
    union all
    select
        4 as kind_position,
        'this_year' as period_key,
        'This year' as period_label,
        'rolling' as period_kind,
        cast(date_trunc('year', figures_up_to) as date) as first_day,
        figures_up_to as last_day,
        cast(cast(date_trunc('year', figures_up_to) as date) - -12 * interval '1 month' as date) - 1 as end_day,
        cast(cast(date_trunc('year', figures_up_to) as date) - 12 * interval '1 month' as date) as year_before_first_day,
        greatest(cast(figures_up_to - 12 * interval '1 month' as date), cast((figures_up_to + 1) - 12 * interval '1 month' as date) - 1) as year_before_last_day
    from as_of

),

whole as (

    select
        5 as kind_position,
        'all_time' as period_key,
        'All time' as period_label,
        'all' as period_kind,
        min(date_day) as first_day,
        max(date_day) as last_day,
        cast(null as date) as end_day,
        cast(null as date) as year_before_first_day,
        cast(null as date) as year_before_last_day
    from dates

),

periods as (

    select * from rolling
    where last_day is not null
    union all
    select * from whole
    union all
    select
        case period_kind when 'year' then 6 else 7 end as kind_position,
        period_key,
        period_label,
        period_kind,
        first_day,
        last_day,
        end_day,
        year_before_first_day,
        year_before_last_day
    from calendar_periods

),

final as (

    select
        periods.period_key,
        periods.period_label,
        periods.period_kind,
        cast(row_number() over (
            order by periods.kind_position asc, periods.first_day desc
        ) as bigint) as position,
        periods.first_day,
        periods.last_day,
        coalesce(periods.last_day = periods.end_day, false) as is_finished,
        cast((periods.end_day - periods.first_day) + 1 as bigint) as day_count,
        cast((periods.last_day - periods.first_day) + 1 as bigint)
            as seen_day_count,
        periods.year_before_first_day,
        periods.year_before_last_day,
        coalesce(periods.year_before_first_day >= as_of.figures_from, false)
            as is_year_before_covered
    from periods
    cross join as_of

)

select * from final
