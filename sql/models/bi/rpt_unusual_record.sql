{# How often weeks and days were told to be out of the ordinary, and how often chance alone would
have it. #}
with

periods as (

    select * from {{ ref('int_unusual_periods') }}

),

final as (

    select
        grain || '-' || dimension || '-' || cast(first_day as {{ sql_type('varchar') }})
            as unusual_period_id,
        grain,
        dimension,
        first_day,
        count(*) as judged_count,
        cast(sum(case when is_unusual then 1 else 0 end) as bigint) as unusual_count,
        {#- Of n + 1 periods that are alike each is the smallest as often as any other, or the
        largest. #}
        sum({{ ratio('2', 'compared_count + 1') }}) as count_by_chance
    from periods
    group by grain, dimension, first_day

)

select * from final
