-- bi/rpt_account_managers (table)
--   account_manager_month_id text
--   account_manager_id text
--   month_start date
--   is_month_finished boolean
--   assigned_buyer_count bigint
--   active_buyer_count bigint
--   order_count bigint
--   sales_amount decimal(38, 9)
--   average_order_value decimal(38, 6)
--   active_rate decimal(38, 6)
with

orders as (

    select * from fct_orders

),

buyers as (

    select
        *,
        coalesce(case
        when account_manager_id in ('all', 'unknown', 'none') or account_manager_id like '"%' then '"' || replace(account_manager_id, '"', '""') || '"'
        else account_manager_id
    end, 'none') as manager_id
    from dim_buyers

),

by_buyer as (

    select
        buyer_id,
        cast(date_trunc('month', ordered_date) as date) as month_start,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(coalesce(sum(case when is_sale and sub_total is not null then 1 else 0 end), 0) as bigint) as priced_order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount
    from orders
    where is_sale
    group by
        buyer_id,
        cast(date_trunc('month', ordered_date) as date)

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
        sales.manager_id || '-' || coalesce(cast(sales.month_start as varchar), 'undated') as account_manager_month_id,
        sales.manager_id as account_manager_id,
        sales.month_start,
        cast(sales.month_start - -1 * interval '1 month' as date) - 1 <= (
        select as_of.figures_up_to from int_as_of as as_of
    ) as is_month_finished,
        coalesce(books.assigned_buyer_count, 0) as assigned_buyer_count,
        sales.active_buyer_count,
        sales.order_count,
        sales.sales_amount,
        cast(
        round(
            cast(sales.sales_amount as decimal(38, 9))
            / nullif(cast(sales.priced_order_count as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    ) as average_order_value,
        cast(
        round(
            cast(sales.active_assigned_buyer_count as decimal(38, 9))
            / nullif(cast(books.assigned_buyer_count as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    )
            as active_rate
    from sales
    left join books on sales.manager_id = books.manager_id

)

select * from final
