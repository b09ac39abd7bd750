{# How often weeks were told to be out of the ordinary, and how often chance alone would have it.
#}
with

weeks as (

    select * from {{ ref('int_unusual_weeks') }}

),

final as (

    select
        dimension || '-' || cast(first_day as {{ sql_type('varchar') }}) as unusual_week_id,
        dimension,
        first_day,
        count(*) as judged_count,
        cast(sum(case when is_unusual then 1 else 0 end) as bigint) as unusual_count,
        {#- Of n + 1 weeks that are alike each is the smallest as often as any other, or the
        largest. #}
        sum({{ ratio('2', 'compared_count + 1') }}) as count_by_chance
    from weeks
    group by dimension, first_day

)

select * from final
