{# What was sold by the day on which a claim was set, of orders that were found later. #}
with

{# Orders that nobody knew of on their day, and when a sync saw them. #}
found_late as (

    select
        order_id,
        {{ business_date('min(observed_at)') }} as found_date
    from {{ ref('int_order_events') }}
    where event_kind = 'found late'
    group by order_id

),

set_on as (

    select distinct set_date
    from {{ ref('int_outlook_claims') }}

),

final as (

    select
        set_on.set_date,
        sales.dimension,
        sales.member,
        sales.ordered_date,
        sum(sales.amount) as late_amount
    from found_late
    inner join {{ ref('int_outlook_sales') }} as sales on found_late.order_id = sales.sale_id
    inner join set_on
        on sales.ordered_date <= set_on.set_date
        and found_late.found_date > set_on.set_date
    group by set_on.set_date, sales.dimension, sales.member, sales.ordered_date

)

select * from final
