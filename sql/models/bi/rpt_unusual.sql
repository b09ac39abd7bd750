{# What is out of the ordinary in the last seven days that are known, or on the last one. #}
with

periods as (

    select
        *,
        {{ why_command() }} as why
    from {{ ref('int_unusual_periods') }}
    where period_number = 0
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
        periods.grain || '-' || periods.dimension || '-' || periods.member as unusual_id,
        periods.grain,
        periods.dimension,
        periods.member,
        case
            when periods.dimension in ('vendor', 'buyer') then member_names.display_name
            when periods.dimension = 'product' then products.item_title
            else periods.member
        end as member_name,
        periods.first_day,
        periods.last_day,
        periods.amount,
        periods.low_amount,
        periods.high_amount,
        periods.amount > periods.high_amount as is_above,
        cast(periods.compared_count as bigint) as compared_count,
        periods.why
    from periods
    left join {{ ref('dim_names') }} as member_names
        on periods.dimension in ('vendor', 'buyer')
        and periods.dimension = member_names.name_kind
        and periods.member = member_names.name_key
    left join products
        on periods.dimension = 'product'
        and periods.member = products.product_id

)

select * from final
