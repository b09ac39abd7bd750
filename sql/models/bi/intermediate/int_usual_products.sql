{# What each buyer to call usually takes, how many pieces at a time, and whether it left that out
lately. #}
with

buyers as (

    select * from {{ ref('int_call_buyers') }}

),

orders as (

    select
        orders.buyer_id,
        orders.ordered_date
    from buyers
    inner join {{ ref('int_purchases') }} as orders on buyers.buyer_id = orders.buyer_id
    where orders.ordered_date is not null
    group by
        orders.buyer_id,
        orders.ordered_date

),

numbered_orders as (

    select
        *,
        row_number() over (partition by buyer_id order by ordered_date desc) as place
    from orders

),

lately as (

    select
        buyer_id,
        ordered_date as first_date
    from numbered_orders
    where place = {{ orders_of_lately() }}

),

takings as (

    select takings.*
    from buyers
    inner join {{ ref('int_buyer_products') }} as takings on buyers.buyer_id = takings.buyer_id
    where takings.recent_purchase_count >= {{ fewest_takings() }}

),

by_day as (

    select
        takings.buyer_id,
        takings.item_key,
        order_lines.ordered_date,
        cast(sum(order_lines.quantity) as bigint) as quantity
    from takings
    inner join {{ ref('fct_order_lines') }} as order_lines
        on takings.buyer_id = order_lines.buyer_id
        and takings.item_key = order_lines.item_key
    cross join {{ ref('int_as_of') }} as as_of
    where order_lines.is_sale
        and order_lines.is_return is not true
        and {{ days_between('order_lines.ordered_date', 'as_of.as_of_date') }} < {{
            days_of_habits()
        }}
    group by
        takings.buyer_id,
        takings.item_key,
        order_lines.ordered_date

),

{# The quantities of a product in their order; those that are not known come last. #}
quantities as (

    select
        *,
        row_number() over (
            partition by buyer_id, item_key order by quantity nulls last
        ) as place,
        count(quantity) over (partition by buyer_id, item_key) as known_count
    from by_day

),

usual as (

    select
        buyer_id,
        item_key,
        min(case when place >= 0.5 * known_count then quantity end) as usual_quantity
    from quantities
    group by
        buyer_id,
        item_key

),

final as (

    select
        takings.buyer_id,
        takings.item_key,
        takings.recent_purchase_count,
        takings.recent_amount,
        takings.last_ordered_date,
        usual.usual_quantity,
        coalesce(takings.last_ordered_date < lately.first_date, false) as is_left_out
    from takings
    inner join usual
        on takings.buyer_id = usual.buyer_id
        and takings.item_key = usual.item_key
    left join lately on takings.buyer_id = lately.buyer_id

)

select * from final
