{# What was sold up to the end of each day, of all, by vendor and by account manager, up to the
last day that is known. #}
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

    select
        dimension,
        member,
        ordered_date,
        sum(amount) as amount
    from {{ ref('int_outlook_sales') }}
    group by dimension, member, ordered_date

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
