-- history/obs_orders (append)
--   order_id text
--   observation_number bigint
--   order_status text
--   payment_status text
--   invoice_status text
--   is_deleted boolean
--   observed_at timestamptz
with

noted as (

    select
        order_id,
        order_status,
        payment_status,
        invoice_status,
        is_deleted,
        observed_at
    from stg_wholesale__order_observations
    where not observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
        and observed_at > (
            select coalesce(max(observed_at), cast('0001-01-01' as timestamptz))
            from obs_orders
        )

),

syncs as (

    select coalesce(max(ended_at), (select build.built_at from wholesale_build.settings as build)) as ended_at
    from stg_wholesale__sync_runs
    where resource = 'orders'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

standing as (

    select
        order_id,
        order_status,
        payment_status,
        invoice_status,
        is_deleted,
        syncs.ended_at as observed_at
    from stg_wholesale__orders
    cross join syncs

),

known as (

    select
        case
        when length(order_id) = 36 and order_id = lower(order_id) then order_id
        when order_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(order_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else order_id
    end as order_id,
        order_status as order_status,
        payment_status as payment_status,
        invoice_status as invoice_status,
        is_deleted as is_deleted,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_orders

),

numbered as (

    select
        *,
        row_number() over (partition by order_id order by observation_number desc) as recency
    from known

),

seen as (

    select
        order_id,
        order_status,
        payment_status,
        invoice_status,
        is_deleted,
        observed_at,
        observation_number as last_number,
        1 as turn
    from numbered
    where recency = 1
    union all
    select
        *,
        cast(null as bigint) as last_number,
        2 as turn
    from noted
    union all
    select
        *,
        cast(null as bigint) as last_number,
        3 as turn
    from standing

),

compared as (

    select
        *,
        lag(order_status) over versions as order_status_before,
        lag(payment_status) over versions as payment_status_before,
        lag(invoice_status) over versions as invoice_status_before,
        lag(is_deleted) over versions as is_deleted_before,
        lag(observed_at) over versions as observed_before_at,
        row_number() over versions as place,
        coalesce(max(last_number) over versions, 0) as known_count
    from seen
    window versions as (partition by order_id order by turn, observed_at)

)

select
    order_id,
    known_count + row_number() over (partition by order_id order by place) as observation_number,
    order_status,
    payment_status,
    invoice_status,
    is_deleted,
    greatest(observed_at, observed_before_at) as observed_at
from compared
where turn > 1 and (
    place = 1
    or order_status is distinct from order_status_before
    or payment_status is distinct from payment_status_before
    or invoice_status is distinct from invoice_status_before
    or is_deleted is distinct from is_deleted_before
)
