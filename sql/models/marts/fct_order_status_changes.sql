with

observations as (

    select
        order_id,
        order_status,
        payment_status,
        invoice_status,
        observed_at,
        observation_number
    from {{ ref('obs_orders') }}

),

orders as (

    select * from {{ ref('int_orders') }}

),

meanings as (

    select * from {{ states() }}

),

changed_orders as (

    select distinct order_id
    from observations
    where observation_number > 1

),

states as (

    {% for field in ['order_status', 'payment_status', 'invoice_status'] -%}
    select
        observations.order_id,
        '{{ field }}' as field_name,
        observations.observation_number,
        observations.{{ field }} as state,
        observations.observed_at
    from observations
    inner join changed_orders on observations.order_id = changed_orders.order_id
    {{ 'union all' if not loop.last }}
    {% endfor %}

),

transitions as (

    select
        *,
        lag(state) over (
            partition by order_id, field_name order by observation_number
        ) as state_before
    from states

),

changes as (

    select
        order_id,
        field_name,
        observation_number,
        state_before,
        state,
        observed_at,
        lag(observed_at) over (
            partition by order_id, field_name order by observation_number
        ) as entered_state_before_at
    from transitions
    where observation_number = 1
        or state is distinct from state_before

),

final as (

    select
        changes.order_id || '-' || changes.field_name || '-' || changes.observation_number
            as order_status_change_id,
        changes.order_id,
        orders.vendor_id,
        orders.buyer_id,
        changes.field_name,
        changes.state_before,
        changes.state as state_after,
        case
            when changes.field_name <> 'invoice_status'
                then coalesce(meanings_before.standing, 'unknown')
        end as standing_before,
        case
            when changes.field_name <> 'invoice_status'
                then coalesce(meanings_after.standing, 'unknown')
        end as standing_after,
        changes.observed_at,
        changes.entered_state_before_at,
        {{ whole_seconds_between('changes.entered_state_before_at', 'changes.observed_at') }}
            as seconds_in_state_before
    from changes
    inner join orders on changes.order_id = orders.order_id
    left join meanings as meanings_before
        on changes.field_name = meanings_before.field_name
        and changes.state_before = meanings_before.state
    left join meanings as meanings_after
        on changes.field_name = meanings_after.field_name
        and changes.state = meanings_after.state
    where changes.observation_number > 1

)

select * from final
