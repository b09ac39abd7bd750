{# Between which two syncs an order was sent. What arrived, or came back, had been sent. #}
{%- set sent = "('sent', 'done', 'returned')" -%}
{%- set unsent = "('waiting', 'accepted')" -%}
with

changes as (

    select * from {{ ref('fct_order_status_changes') }}
    where field_name = 'order_status'

),

observations as (

    select
        order_id,
        order_status,
        observed_at,
        observation_number
    from {{ ref('obs_orders') }}

),

first_seen as (

    select
        observations.order_id,
        observations.observed_at,
        case when meanings.standing in {{ sent }} then observations.observed_at end as sent_at
    from observations
    left join {{ states() }} as meanings
        on observations.order_status = meanings.state
        and meanings.field_name = 'order_status'
    where observations.observation_number = 1

),

changed as (

    select
        order_id,
        min(observed_at) as sent_at
    from changes
    where standing_after in {{ sent }}
    group by order_id

),

orders as (

    select
        first_seen.order_id,
        first_seen.observed_at as first_seen_at,
        coalesce(first_seen.sent_at, changed.sent_at) as sent_at
    from first_seen
    left join changed on first_seen.order_id = changed.order_id

),

{# The last change by which it was not seen unsent any more; up to then it was. #}
left_unsent as (

    select
        changes.order_id,
        max(changes.observed_at) as left_at,
        max(changes.entered_state_before_at) as entered_at
    from changes
    inner join orders on changes.order_id = orders.order_id
    where changes.standing_before in {{ unsent }}
        and changes.standing_after not in {{ unsent }}
        and (orders.sent_at is null or changes.observed_at <= orders.sent_at)
    group by changes.order_id

),

moments as (

    select distinct
        left_at as moment,
        1 as turn,
        cast(null as {{ sql_type('timestamptz') }}) as started_at
    from left_unsent
    union all
    select
        ended_at as moment,
        2 as turn,
        started_at
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and complete_as_of is not null

),

{# The last complete sync before each moment: when it began, and when it ended. #}
syncs as (

    select
        moment,
        turn,
        max(started_at) over up_to_moment as started_at,
        max(case when turn = 2 then moment end) over up_to_moment as ended_at
    from moments
    window up_to_moment as (
        order by moment, turn rows between unbounded preceding and current row
    )

),

final as (

    select
        orders.order_id,
        {{ business_date('orders.first_seen_at') }} as first_seen_date,
        {{ business_date(
            'case when syncs.ended_at >= left_unsent.entered_at then syncs.started_at end'
        ) }} as known_unsent_date,
        {{ business_date('orders.sent_at') }} as known_sent_date
    from orders
    left join left_unsent on orders.order_id = left_unsent.order_id
    left join syncs on left_unsent.left_at = syncs.moment and syncs.turn = 1

)

select * from final
