with

orders as (

    select * from {{ ref('int_purchases') }}

),

due_days as (

    select * from {{ ref('int_due_days') }}

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

unpaid as (

    select
        orders.order_id,
        orders.order_number,
        orders.buyer_id,
        orders.buyer_name,
        orders.vendor_id,
        orders.vendor_name,
        orders.order_status,
        orders.order_standing,
        orders.payment_status,
        orders.payment_standing,
        orders.total,
        orders.ordered_date,
        orders.waiting_days as age_in_days,
        orders.payment_standing = 'open' and orders.order_standing <> 'unknown' as is_open,
        due_days.order_terms,
        due_days.terms_days,
        due_days.due_date,
        due_days.due_from,
        cast(
            {{ days_between('due_days.due_date', 'as_of.as_of_date') }} as bigint
        ) as days_past_due
    from orders
    inner join due_days on orders.order_id = due_days.order_id
    cross join as_of
    where orders.payment_standing = 'unknown'
        or (
            orders.payment_standing = 'open'
            and orders.order_standing in ('sent', 'done', 'unknown')
        )

),

final as (

    select
        order_id,
        order_number,
        buyer_id,
        buyer_name,
        vendor_id,
        vendor_name,
        order_status,
        order_standing,
        payment_status,
        payment_standing,
        total,
        ordered_date,
        age_in_days,
        case when age_in_days is null then 'undated' else {{ age_bucket('age_in_days') }} end
            as age_bucket,
        order_terms,
        terms_days,
        due_from,
        due_date,
        case when days_past_due < 0 then 0 else days_past_due end as days_overdue,
        {{ due_bucket('days_past_due') }} as due_bucket,
        is_open,
        is_open and {{ is_overdue('days_past_due', 'age_in_days') }} as is_overdue,
        {{ setting('overdue_days') }} as overdue_days
    from unpaid

)

select * from final
