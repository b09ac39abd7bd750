with

forecast_record as (

    select * from {{ ref('int_forecast_record') }}

),

final as (

    select
        record_id,
        part,
        member,
        claimed,
        claimed_percent,
        is_shown,
        judged_count,
        right_count,
        right_share,
        mean_width_days,
        first_date,
        last_date
    from forecast_record
    where part = 'all'

)

select * from final
