{# What was sold up to the end of each day, of all, by vendor and by account manager, up to the
last day that is known. #}
with

as_of as (

    select
        cast(figures_from - 1 as timestamp) as first_day,
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
        sum(amount) as amount,
        count(amount) as told_count,
        count(*) as sale_count
    from {{ ref('int_outlook_orders') }}
    where is_sale
    group by dimension, member, ordered_date

),

spans as (

    select
        dimension,
        member,
        min(ordered_date) as first_day
    from sales
    group by dimension, member
    having sum(told_count) > 0

),

final as (

    select
        spans.dimension,
        spans.member,
        days.date_day,
        sum(coalesce(sales.amount, 0)) over so_far as amount_so_far,
        cast(sum(coalesce(sales.told_count, 0)) over so_far as bigint) as told_count,
        cast(sum(coalesce(sales.sale_count, 0)) over so_far as bigint) as sale_count
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
