{# What was sold up to the end of each day, of all, by vendor and by account manager, up to the
last day that is known. #}
{% set members = {
    'all': "'all'",
    'vendor': 'orders.vendor_key',
    'account_manager': 'buyers.account_manager_id',
} -%}
with

as_of as (

    select
        cast(figures_from as timestamp) as first_day,
        cast(figures_up_to as timestamp) as last_day
    from {{ ref('int_as_of') }}
    where figures_from <= figures_up_to

),

days as (

    select {{ each_day('first_day', 'last_day') }} as date_day
    from as_of

),

sales as (

    {% for dimension, member in members.items() -%}
    select
        '{{ dimension }}' as dimension,
        {{ member }} as member,
        orders.ordered_date,
        sum(orders.sub_total) as amount
    from {{ ref('fct_orders') }} as orders
    left join {{ ref('dim_buyers') }} as buyers on orders.buyer_id = buyers.buyer_id
    where orders.is_sale
        and orders.ordered_date is not null
        and {{ member }} is not null
    group by {{ member ~ ', ' if dimension != 'all' }}orders.ordered_date
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

spans as (

    select
        dimension,
        member,
        min(ordered_date) as first_day
    from sales
    where amount is not null
    group by dimension, member

),

final as (

    select
        spans.dimension,
        spans.member,
        days.date_day,
        sum(coalesce(sales.amount, 0)) over so_far as amount_so_far,
        count(sales.amount) over so_far as told_days,
        count(sales.ordered_date) over so_far as sale_days
    from spans
    inner join days on spans.first_day - 1 <= days.date_day
    left join sales
        on spans.dimension = sales.dimension
        and spans.member = sales.member
        and days.date_day = sales.ordered_date
    window so_far as (
        partition by spans.dimension, spans.member order by days.date_day
        rows between unbounded preceding and current row
    )

)

select * from final
