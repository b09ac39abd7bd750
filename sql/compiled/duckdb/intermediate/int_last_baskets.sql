-- intermediate/int_last_baskets (table)
with

orders as (

    select * from int_purchases
    where ordered_date is not null
        and buyer_id is not null

),

numbered as (

    select
        *,
        row_number() over (
            partition by buyer_id
            order by ordered_at desc nulls last, order_id desc
        ) as place
    from orders

),

baskets as (

    select * from numbered
    where place = 1

),

spent as (

    select
        baskets.buyer_id,
        sum(orders.sub_total) as amount
    from baskets
    inner join orders
        on baskets.buyer_id = orders.buyer_id
        and baskets.ordered_date >= orders.ordered_date
        and (baskets.ordered_date - orders.ordered_date)
        < (select build.spending_days from wholesale_build.settings as build)
    group by baskets.buyer_id

),

final as (

    select
        baskets.buyer_id,
        baskets.order_id,
        baskets.order_number,
        baskets.sub_total as basket_amount,
        cast(
            round(cast(
        case
            when round(cast(cast(30 * spent.amount as decimal(38, 9)) as double) / nullif(cast(cast((select build.spending_days from wholesale_build.settings as build) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) = round(cast(cast(30 * spent.amount as decimal(38, 9)) as double) / nullif(cast(cast((select build.spending_days from wholesale_build.settings as build) as decimal(38, 9)) as double), 0) * cast(1000000.0000001 as double)) then cast(round(cast(cast(30 * spent.amount as decimal(38, 9)) as double) / nullif(cast(cast((select build.spending_days from wholesale_build.settings as build) as decimal(38, 9)) as double), 0) * cast(999999.9999999 as double)) as hugeint)
            else (
                2000000 * cast(cast(30 * spent.amount as decimal(38, 9)) * 1000000000 as hugeint)
                // nullif(cast(cast((select build.spending_days from wholesale_build.settings as build) as decimal(38, 9)) * 1000000000 as hugeint), 0)
                + sign(30 * spent.amount) * sign((select build.spending_days from wholesale_build.settings as build))
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6)), 2) as decimal(38, 9)
        ) as monthly_amount
    from baskets
    inner join spent on baskets.buyer_id = spent.buyer_id

)

select * from final
