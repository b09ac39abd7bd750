{# Orders as they were from one sync to another; what was in force at no moment is left out. #}
with

versions as (

    select * from {{ ref('stg_wholesale__order_versions') }}
    where valid_to is null
        or valid_from is null
        or valid_from < valid_to

),

observations as (

    select
        order_id,
        observed_at
    from {{ ref('obs_orders') }}
    where observation_number = 1

),

{# Of an order whose first rows were forgotten it is not known when it came. #}
numbered as (

    select
        versions.*,
        row_number() over (
            partition by versions.order_id
            order by versions.valid_from asc nulls first, versions.valid_to asc nulls last
        ) as version_number,
        case
            when observations.observed_at < versions.valid_from then null
            else versions.valid_from
        end as first_seen_at
    from versions
    left join observations on versions.order_id = observations.order_id

),

moments as (

    select
        order_id,
        first_seen_at as moment,
        1 as turn
    from numbered
    where version_number = 1
        and first_seen_at is not null
    union all
    select
        cast(null as {{ sql_type('text') }}) as order_id,
        complete_as_of as moment,
        2 as turn
    from {{ ref('stg_wholesale__sync_runs') }}
    where resource = 'orders'
        and complete_as_of is not null

),

{# As of when all orders were known before a sync: what was placed by then and came later was found
late. -#}
known as (

    select
        order_id,
        max(case when turn = 2 then moment end) over (
            order by moment, turn
            rows between unbounded preceding and current row
        ) as known_until
    from moments

),

states as (

    select * from {{ states() }}

),

final as (

    select
        numbered.order_id,
        numbered.version_number,
        numbered.order_status,
        numbered.payment_status,
        numbered.sub_total,
        numbered.total,
        numbered.states_hash,
        numbered.contents_hash,
        numbered.ordered_at,
        numbered.valid_from,
        numbered.valid_to,
        numbered.is_deleted,
        coalesce(order_states.standing, 'unknown') as order_standing,
        coalesce(payment_states.standing, 'unknown') as payment_standing,
        coalesce(order_states.standing = 'cancelled' and not order_states.is_past, false)
            as is_cancelled,
        not numbered.is_deleted
        and not coalesce(order_states.standing = 'cancelled' and not order_states.is_past, false)
            as is_counted,
        case when numbered.version_number = 1 then known.known_until end as known_until
    from numbered
    left join states as order_states
        on numbered.order_status = order_states.state
        and order_states.field_name = 'order_status'
    left join states as payment_states
        on numbered.payment_status = payment_states.state
        and payment_states.field_name = 'payment_status'
    left join known on numbered.order_id = known.order_id

)

select * from final
