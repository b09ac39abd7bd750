with

orders as (

    select
        *,
        {{ known_month_of('ordered_date') }} as month_start
    from {{ ref('fct_orders') }}

),

buyers as (

    select
        *,
        {{ told('account_manager_id', otherwise='none') }} as manager_id
    from {{ ref('dim_buyers') }}

),

by_buyer as (

    select
        buyer_id,
        month_start,
        {{ metric('orders') }} as order_count,
        {{ metric('orders_with_an_amount') }} as priced_order_count,
        {{ metric('sales') }} as sales_amount
    from orders
    where is_sale
    group by
        buyer_id,
        month_start

),

books as (

    select
        manager_id,
        count(*) as assigned_buyer_count
    from buyers
    where not is_deleted
    group by manager_id

),

sales as (

    select
        buyers.manager_id,
        by_buyer.month_start,
        count(*) as active_buyer_count,
        count(case when not buyers.is_deleted then 1 end) as active_assigned_buyer_count,
        cast(sum(by_buyer.order_count) as bigint) as order_count,
        sum(by_buyer.priced_order_count) as priced_order_count,
        sum(by_buyer.sales_amount) as sales_amount
    from by_buyer
    inner join buyers on by_buyer.buyer_id = buyers.buyer_id
    group by
        buyers.manager_id,
        by_buyer.month_start

),

final as (

    select
        sales.manager_id || '-' || {{ month_key('sales.month_start') }} as account_manager_month_id,
        sales.manager_id as account_manager_id,
        sales.month_start,
        {{ is_month_finished('sales.month_start') }} as is_month_finished,
        {{ seen_days_of('sales.month_start') }} as seen_day_count,
        coalesce(books.assigned_buyer_count, 0) as assigned_buyer_count,
        sales.active_buyer_count,
        sales.order_count,
        sales.sales_amount,
        {{ ratio('sales.sales_amount', 'sales.priced_order_count') }} as average_order_value,
        {{ ratio('sales.active_assigned_buyer_count', 'books.assigned_buyer_count') }}
            as active_rate
    from sales
    left join books on sales.manager_id = books.manager_id

)

select * from final
