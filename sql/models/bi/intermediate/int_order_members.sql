{{ config(materialized='view') }}

{# Of whom each order is, a sale or not: of all, of its vendor, account manager and buyer. #}
{% set members = {
    'sales': "'sales'",
    'vendor': 'orders.vendor_key',
    'account_manager': 'buyers.account_manager_id',
    'buyer': 'orders.buyer_key',
} -%}
with

final as (

    {% for dimension, member in members.items() -%}
    select
        '{{ dimension }}' as dimension,
        {{ member }} as member,
        orders.order_id,
        orders.ordered_date,
        orders.sub_total as amount,
        orders.is_sale
    from {{ ref('fct_orders') }} as orders
    left join {{ ref('dim_buyers') }} as buyers on orders.buyer_id = buyers.buyer_id
    where {{ member }} is not null
    {{ 'union all' if not loop.last }}
    {% endfor %}

)

select * from final
