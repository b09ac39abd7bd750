with

current_outlooks as (

    select * from {{ ref('int_current_outlooks') }}

),

final as (

    select
        outlook_id,
        month_start,
        is_next,
        dimension,
        member,
        member_name,
        known_amount,
        expected_amount,
        low_50,
        high_50,
        low_80,
        high_80,
        low_90,
        high_90,
        judged_count,
        right_count,
        figures_up_to
    from current_outlooks
    where dimension = 'all'

)

select * from final
