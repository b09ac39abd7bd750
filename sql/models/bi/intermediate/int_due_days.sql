{# Of a vendor that is in no list it is not known what terms it has: they count as none. #}
with

orders as (

    select * from {{ ref('int_purchases') }}

),

vendor_terms as (

    select * from {{ ref('int_vendor_terms') }}

),

default_terms as (

    select max(days) as terms_days
    from {{ terms() }}
    where term = ''

),

{# What was seen to arrive had been sent. One that was sent before it was first seen, and then seen
to arrive, was seen by nobody to be sent. #}
sent_orders as (

    select
        order_id,
        {{ business_date('min(observed_at)') }} as sent_date
    from {{ ref('fct_order_status_changes') }}
    where field_name = 'order_status'
        and standing_after in ('sent', 'done')
        and standing_before not in ('sent', 'done')
    group by order_id

),

known as (

    select
        orders.order_id,
        vendor_terms.order_terms,
        coalesce(vendor_terms.terms_key, '') as terms_key,
        case
            when vendor_terms.vendor_id is null then default_terms.terms_days
            else vendor_terms.terms_days
        end as terms_days,
        coalesce(orders.invoiced_date, sent_orders.sent_date, orders.ordered_date) as first_date,
        case
            when orders.invoiced_date is not null then 'invoiced'
            when sent_orders.sent_date is not null then 'sent'
            when orders.ordered_date is not null then 'ordered'
        end as first_date_from
    from orders
    cross join default_terms
    left join vendor_terms on orders.vendor_id = vendor_terms.vendor_id
    left join sent_orders on orders.order_id = sent_orders.order_id

),

final as (

    select
        order_id,
        order_terms,
        terms_key,
        terms_days,
        first_date + cast(terms_days as integer) as due_date,
        case when terms_days is null then 'unknown' else coalesce(first_date_from, 'unknown') end
            as due_from
    from known

)

select * from final
