{{ config(materialized='view') }}

{# What was sold, by order, of all, by vendor and by account manager: a report names sums `all`. #}
with

final as (

    select
        case when dimension = 'sales' then 'all' else dimension end as dimension,
        case when dimension = 'sales' then 'all' else member end as member,
        sale_id,
        ordered_date,
        amount
    from {{ ref('int_member_sales') }}
    where dimension in ('sales', 'vendor', 'account_manager')
        and ordered_date is not null

)

select * from final
