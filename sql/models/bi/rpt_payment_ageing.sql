with

orders as (

    select * from {{ ref('fct_orders') }}

),

as_of as (

    select * from {{ ref('int_as_of') }}

),

buyer_names as (

    select * from {{ ref('dim_names') }}
    where name_kind = 'buyer'

),

unsettled_orders as (

    select
        {{ told('orders.buyer_id') }} as buyer_id,
        buyer_names.display_name as buyer_company_name,
        orders.total,
        orders.ordered_date,
        {{ days_between('orders.ordered_date', 'as_of.as_of_date') }} as age_in_days,
        as_of.as_of_date,
        orders.payment_standing = 'open' as is_open
    from orders
    cross join as_of
    left join buyer_names on orders.buyer_id = buyer_names.name_key
    where orders.is_sale
        and orders.payment_standing <> 'settled'

),

bucketed as (

    select
        *,
        {{ age_bucket('age_in_days') }} as age_bucket
    from unsettled_orders

),

final as (

    select
        buyer_id || '-' || age_bucket as payment_ageing_id,
        buyer_id,
        max({{ by_code_points('buyer_company_name') }}) as buyer_company_name,
        age_bucket,
        {{ open_sums() }},
        max(as_of_date) as as_of_date
    from bucketed
    group by
        buyer_id,
        age_bucket

)

select * from final
