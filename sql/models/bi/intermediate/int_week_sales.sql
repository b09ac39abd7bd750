{# What was sold in each week, of all, by vendor, account manager, buyer and product; a week ends
as many whole weeks before the last day that is known. #}
{% set members = {
    'all': "'all'",
    'vendor': 'orders.vendor_key',
    'account_manager': 'buyers.account_manager_id',
    'buyer': 'orders.buyer_key',
} -%}
with

as_of as (

    select
        figures_up_to,
        cast(figures_from as timestamp) as first_day,
        cast(figures_up_to as timestamp) as last_day,
        floor({{ days_between('figures_from', 'figures_up_to + 1') }} / 7.0) as week_count
    from {{ ref('int_as_of') }}
    where figures_from <= figures_up_to

),

days as (

    select {{ each_day('first_day', 'last_day') }} as date_day
    from as_of

),

{# Numbered backwards: the last week is 0. #}
weeks as (

    select distinct
        cast(
            floor({{ days_between('days.date_day', 'as_of.figures_up_to') }} / 7.0) as bigint
        ) as week_number
    from days
    cross join as_of
    where {{ days_between('days.date_day', 'as_of.figures_up_to') }} < 7 * as_of.week_count

),

sold as (

    {% for dimension, member in members.items() -%}
    select
        '{{ dimension }}' as dimension,
        {{ member }} as member,
        orders.ordered_date,
        orders.sub_total as amount
    from {{ ref('fct_orders') }} as orders
    left join {{ ref('dim_buyers') }} as buyers on orders.buyer_id = buyers.buyer_id
    where orders.is_sale
        and {{ member }} is not null

    union all

    {% endfor -%}
    select
        'product' as dimension,
        product_id as member,
        ordered_date,
        total_price as amount
    from {{ ref('fct_order_lines') }}
    where is_sale
        and product_id is not null

),

dated as (

    select
        sold.dimension,
        sold.member,
        sold.amount,
        cast(
            floor({{ days_between('sold.ordered_date', 'as_of.figures_up_to') }} / 7.0) as bigint
        ) as week_number
    from sold
    cross join as_of
    where sold.ordered_date <= as_of.figures_up_to

),

by_week as (

    select
        dimension,
        member,
        week_number,
        {#- What is not known of one order is not known of the week. #}
        case when count(*) = count(amount) then sum(amount) end as amount
    from dated
    group by dimension, member, week_number

),

spans as (

    select
        dimension,
        member,
        max(week_number) as first_week
    from by_week
    group by dimension, member

),

final as (

    select
        spans.dimension,
        spans.member,
        weeks.week_number,
        as_of.figures_up_to - cast(7 * weeks.week_number + 6 as integer) as first_day,
        case
            when by_week.week_number is null then cast(0 as decimal(38, 9))
            else by_week.amount
        end as amount
    from spans
    inner join weeks on spans.first_week >= weeks.week_number
    cross join as_of
    left join by_week
        on spans.dimension = by_week.dimension
        and spans.member = by_week.member
        and weeks.week_number = by_week.week_number

)

select * from final
