-- marts/dim_buyers (table)
--   buyer_id text
--   company_name text
--   company_ein text
--   email text
--   phone text
--   address1 text
--   address2 text
--   city text
--   state text
--   zip text
--   country text
--   website text
--   price_list_id text
--   price_list_title text
--   account_manager_id text
--   user_count bigint
--   active_user_count bigint
--   order_count bigint
--   sales_amount decimal(38, 9)
--   first_ordered_date date
--   last_ordered_date date
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

buyers as (

    select * from stg_wholesale__buyers

),

price_lists as (

    select * from stg_wholesale__price_lists

),

buyer_users as (

    select * from stg_wholesale__buyer_users

),

orders as (

    select * from fct_orders

),

users_by_buyer as (

    select
        buyer_id,
        count(*) as user_count,
        count(*) filter (where user_status = 'active') as active_user_count
    from buyer_users
    where not is_deleted
    group by buyer_id

),

sales_by_buyer as (

    select
        buyer_id,
        cast(coalesce(sum(case when is_sale then 1 else 0 end), 0) as bigint) as order_count,
        cast(case when count(case when is_sale then 1 end) > 0 then sum(case when is_sale then sub_total end) else 0 end as decimal(38, 9)) as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from orders
    where is_sale
    group by buyer_id

),

final as (

    select
        buyers.buyer_id,
        buyers.company_name,
        buyers.company_ein,
        buyers.email,
        buyers.phone,
        buyers.address1,
        buyers.address2,
        buyers.city,
        buyers.state,
        buyers.zip,
        buyers.country,
        buyers.website,
        buyers.price_list_id,
        price_lists.price_list_title,
        buyers.account_manager_id,
        coalesce(users_by_buyer.user_count, 0) as user_count,
        coalesce(users_by_buyer.active_user_count, 0) as active_user_count,
        coalesce(sales_by_buyer.order_count, 0) as order_count,
        case when sales_by_buyer.order_count > 0 then sales_by_buyer.sales_amount else 0 end
            as sales_amount,
        sales_by_buyer.first_ordered_date,
        sales_by_buyer.last_ordered_date,
        buyers.is_deleted,
        buyers.created_at,
        buyers.updated_at,
        buyers.deleted_at
    from buyers
    left join price_lists on buyers.price_list_id = price_lists.price_list_id
    left join users_by_buyer on buyers.buyer_id = users_by_buyer.buyer_id
    left join sales_by_buyer on buyers.buyer_id = sales_by_buyer.buyer_id

)

select * from final
