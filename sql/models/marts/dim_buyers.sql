with

buyers as (

    select * from {{ ref('stg_wholesale__buyers') }}

),

price_lists as (

    select * from {{ ref('stg_wholesale__price_lists') }}

),

buyer_users as (

    select * from {{ ref('stg_wholesale__buyer_users') }}

),

orders as (

    select * from {{ ref('fct_orders') }}

),

buyer_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'buyer'

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
        {{ metric('orders') }} as order_count,
        {{ metric('sales') }} as sales_amount,
        min(ordered_date) as first_ordered_date,
        max(ordered_date) as last_ordered_date
    from orders
    where is_sale
    group by buyer_id

),

final as (

    select
        buyers.buyer_id,
        buyer_names.display_name as company_name,
        buyers.company_ein,
        buyers.email,
        buyers.phone,
        buyers.address1,
        buyers.address2,
        buyers.city,
        {{ place_name('places.state', 'buyers.state') }} as state,
        buyers.zip,
        {{ place_name('places.country', 'buyers.country') }} as country,
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
    left join {{ ref('int_places') }} as places
        on {{ is_place('places', 'buyers.country', 'buyers.state') }}
    left join buyer_names on buyers.buyer_id = buyer_names.name_key
    left join price_lists on buyers.price_list_id = price_lists.price_list_id
    left join users_by_buyer on buyers.buyer_id = users_by_buyer.buyer_id
    left join sales_by_buyer on buyers.buyer_id = sales_by_buyer.buyer_id

)

select * from final
