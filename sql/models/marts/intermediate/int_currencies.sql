with

orders as (

    select * from {{ ref('fct_orders') }}

),

items as (

    select * from {{ ref('stg_wholesale__items') }}

),

prices as (

    select * from {{ ref('stg_wholesale__prices') }}

),

named as (

    select
        'orders' as table_name,
        currency
    from orders
    where is_sale
    union all
    select
        'items' as table_name,
        currency
    from items
    where not is_deleted
    union all
    select
        'prices' as table_name,
        currency
    from prices
    where not is_deleted

),

final as (

    select
        table_name,
        currency,
        count(*) as record_count
    from named
    where currency is not null
    group by
        table_name,
        currency

)

select * from final
