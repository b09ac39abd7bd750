-- marts/fct_order_status_changes (table)
--   order_status_change_id text
--   order_id text
--   vendor_id text
--   buyer_id text
--   field_name text
--   state_before text
--   state_after text
--   standing_before text
--   standing_after text
--   observed_at timestamptz
--   entered_state_before_at timestamptz
--   seconds_in_state_before bigint
with

observations as (

    select
        case
        when length(order_id) = 36 and order_id = lower(order_id) then order_id
        when order_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(order_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else order_id
    end as order_id,
        order_status as order_status,
        payment_status as payment_status,
        invoice_status as invoice_status,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_orders

),

orders as (

    select * from fct_orders

),

meanings as (

    select * from wholesale_build.states

),

changed_orders as (

    select distinct order_id
    from observations
    where observation_number > 1

),

states as (

    select
        observations.order_id,
        'order_status' as field_name,
        observations.observation_number,
        observations.order_status as state,
        observations.observed_at
    from observations
    inner join changed_orders on observations.order_id = changed_orders.order_id
    union all
    select
        observations.order_id,
        'payment_status' as field_name,
        observations.observation_number,
        observations.payment_status as state,
        observations.observed_at
    from observations
    inner join changed_orders on observations.order_id = changed_orders.order_id
    union all
    select
        observations.order_id,
        'invoice_status' as field_name,
        observations.observation_number,
        observations.invoice_status as state,
        observations.observed_at
    from observations
    inner join changed_orders on observations.order_id = changed_orders.order_id

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
        cast(floor(extract(epoch from changes.observed_at - changes.entered_state_before_at)) as bigint)
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
