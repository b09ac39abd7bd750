{# What is out of the ordinary in the last seven days that are known. #}
with

weeks as (

    select * from {{ ref('int_unusual_weeks') }}
    where week_number = 0
        and is_unusual

),

products as (

    select distinct
        product_id,
        item_title
    from {{ ref('rpt_catalogue') }}

),

final as (

    select
        weeks.dimension || '-' || weeks.member as unusual_id,
        weeks.dimension,
        weeks.member,
        case
            when weeks.dimension in ('vendor', 'buyer') then member_names.display_name
            when weeks.dimension = 'product' then products.item_title
            else weeks.member
        end as member_name,
        weeks.first_day,
        weeks.first_day + 6 as last_day,
        weeks.amount,
        weeks.low_amount,
        weeks.high_amount,
        weeks.amount > weeks.high_amount as is_above,
        cast(weeks.compared_count as bigint) as compared_count
    from weeks
    left join {{ ref('dim_names') }} as member_names
        on weeks.dimension in ('vendor', 'buyer')
        and weeks.dimension = member_names.name_kind
        and weeks.member = member_names.name_key
    left join products
        on weeks.dimension = 'product'
        and weeks.member = products.product_id

)

select * from final
