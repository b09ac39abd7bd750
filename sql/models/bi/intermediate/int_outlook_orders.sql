{{ config(materialized='view') }}

{# Orders of a day, of all, by vendor and by account manager: a report names sums `all`. #}
with

final as (

    select
        case when dimension = 'sales' then 'all' else dimension end as dimension,
        case when dimension = 'sales' then 'all' else member end as member,
        order_id,
        ordered_date,
        amount,
        is_sale
    from {{ ref('int_order_members') }}
    where dimension in ('sales', 'vendor', 'account_manager')
        and ordered_date is not null

)

select * from final
