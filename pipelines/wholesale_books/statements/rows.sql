{# What a statement lists: a row an order and section. Open orders are those of `rpt_receivables` and
`rpt_open_orders`; ages count to the last day of the statement, by the macros of these reports. Of the
period is what was seen after all that was known before it, or was ordered within it: a change that
one statement did not know is in the next one, and in no third. #}
with

asked as (

    select
        cast($first as date) as first_day,
        cast($day as date) as last_day,
        cast($news_from as timestamptz) as news_from

),

orders as (

    select
        fct_orders.*,
        nullif(case when $of = 'buyer' then buyer_id else vendor_id end, '') as party_id,
        asked.*,
        coalesce(fct_orders.ordered_date >= asked.first_day, false) as is_ordered_within
    from wholesale_marts.fct_orders
    cross join asked
    where fct_orders.ordered_date is null
        or fct_orders.ordered_date <= asked.last_day

),

changes as (

    select
        order_id,
        max(case when standing_after = 'settled' then observed_at end) as settled_at,
        max(case when standing_after = 'refunded' then observed_at end) as refunded_at,
        max(
            case
                when standing_after = 'cancelled' and field_name = 'order_status'
                    then observed_at
            end
        ) as cancelled_at
    from wholesale_marts.fct_order_status_changes
    where standing_after <> standing_before
        and (field_name = 'payment_status' or standing_after = 'cancelled')
    group by order_id

),

seen as (

    select
        order_id,
        observed_at as first_seen_at
    from wholesale_history.obs_orders
    where observation_number = 1

),

dated as (

    select
        orders.*,
        receivables.is_open as is_owed,
        receivables.order_id is not null as is_receivable,
        receivables.due_date,
        receivables.due_from,
        receivables.terms_days,
        coalesce(changes.settled_at, seen.first_seen_at) as paid_at,
        changes.settled_at is null as is_paid_at_first,
        coalesce(changes.refunded_at, seen.first_seen_at) as refunded_at,
        changes.refunded_at is null as is_refunded_at_first,
        case when orders.is_deleted then orders.deleted_at else changes.cancelled_at end as gone_at,
        seen.first_seen_at,
        {{ days_between('receivables.due_date', 'orders.last_day') }} as days_past_due,
        {{ days_between('orders.ordered_date', 'orders.last_day') }} as age_in_days
    from orders
    left join wholesale_bi.rpt_receivables as receivables
        on orders.order_id = receivables.order_id
    left join changes on orders.order_id = changes.order_id
    left join seen on orders.order_id = seen.order_id

),

listed as (

    select
        dated.*,
        case
            when payment_standing = 'unknown' then 'unknown'
            when is_return then 'credit'
            when is_owed then 'owed'
            when is_receivable then 'unknown'
            when order_standing = 'returned' then 'sent_back'
            else 'unsent'
        end as section,
        cast(null as timestamptz) as seen_at
    from dated
    where is_sale and payment_standing <> 'settled'
    union all
    select
        dated.*,
        'settled' as section,
        case when not is_paid_at_first then paid_at end as seen_at
    from dated
    where is_sale
        and payment_standing = 'settled'
        and not is_refunded
        and (paid_at >= news_from or is_ordered_within)
    union all
    select
        dated.*,
        'refunded' as section,
        case when not is_refunded_at_first then refunded_at end as seen_at
    from dated
    where is_sale
        and is_refunded
        and (refunded_at >= news_from or is_ordered_within)
    union all
    select
        dated.*,
        'cancelled' as section,
        gone_at as seen_at
    from dated
    where not is_sale
        and gone_at >= news_from
        and (not is_ordered_within or payment_standing = 'settled')
    union all
    select
        dated.*,
        'ordered' as section,
        cast(null as timestamptz) as seen_at
    from dated
    where $of = 'vendor'
        and is_sale
        and (is_ordered_within or first_seen_at >= news_from)

)

select
    party_id,
    section,
    order_id,
    order_number,
    po_number,
    ordered_date,
    case
        when due_from = 'sent' then due_date - cast(terms_days as integer)
        else ordered_date + cast(days_to_sent as integer)
    end as sent_date,
    case when section in ('owed', 'unknown') then due_date end as due_date,
    case when section in ('owed', 'unknown') then due_from end as due_from,
    case when section = 'owed' then greatest(days_past_due, 0) end as days_overdue,
    case when section = 'owed' then {{ due_bucket('days_past_due') }} end as due_bucket,
    case
        when section in ('owed', 'unsent', 'unknown')
            then case
                when age_in_days is null then 'undated' else {{ age_bucket('age_in_days') }}
            end
    end as age_bucket,
    section = 'owed' and {{ is_overdue('days_past_due', 'age_in_days') }} as is_overdue,
    total as amount,
    currency,
    order_status,
    payment_status,
    {{ business_date('seen_at') }} as seen_date
from listed
where party_id is not null
    and ($party is null or party_id = $party)
order by
    party_id,
    section,
    due_date nulls last,
    ordered_date nulls last,
    order_number nulls last,
    order_id
