with

outlooks as (

    select * from {{ ref('int_sales_outlooks') }}

),

{# A month is judged when it is over. #}
judged as (

    select
        is_next,
        dimension,
        member,
        count(*) as judged_count,
        sum(case when month_amount between low_80 and high_80 then 1 else 0 end) as right_count
    from outlooks
    where month_amount is not null
        and low_80 is not null
        and not is_current
    group by is_next, dimension, member

),

final as (

    select
        outlooks.dimension || '-' || outlooks.member || '-'
        || cast(outlooks.month_start as {{ sql_type('varchar') }}) as outlook_id,
        outlooks.month_start,
        outlooks.is_next,
        outlooks.dimension,
        outlooks.member,
        case
            when outlooks.dimension = 'vendor' then vendor_names.display_name
            else outlooks.member
        end as member_name,
        outlooks.known_amount,
        outlooks.expected_amount,
        {%- for share in window_shares() %}
        outlooks.low_{{ share }},
        outlooks.high_{{ share }},
        {%- endfor %}
        cast(coalesce(judged.judged_count, 0) as bigint) as judged_count,
        cast(coalesce(judged.right_count, 0) as bigint) as right_count,
        outlooks.set_date as figures_up_to
    from outlooks
    left join judged
        on outlooks.is_next = judged.is_next
        and outlooks.dimension = judged.dimension
        and outlooks.member = judged.member
    left join {{ ref('dim_names') }} as vendor_names
        on outlooks.dimension = 'vendor'
        and vendor_names.name_kind = 'vendor'
        and outlooks.member = vendor_names.name_key
    where outlooks.is_current

)

select * from final
