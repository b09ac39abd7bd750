-- history/obs_vendors (append)
--   vendor_id text
--   observation_number bigint
--   minimum_order_value decimal(38, 9)
--   minimum_order_quantity bigint
--   observed_at timestamptz
with

noted as (

    select
        vendor_id,
        minimum_order_value,
        minimum_order_quantity,
        observed_at
    from stg_wholesale__vendor_observations
    where not observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
        and observed_at > (
            select coalesce(max(observed_at), cast('0001-01-01' as timestamptz))
            from obs_vendors
        )

),

syncs as (

    select coalesce(max(ended_at), (select build.built_at from wholesale_build.settings as build)) as ended_at
    from stg_wholesale__sync_runs
    where resource = 'vendors'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

standing as (

    select
        vendor_id,
        minimum_order_value,
        minimum_order_quantity,
        syncs.ended_at as observed_at
    from stg_wholesale__vendors
    cross join syncs

),

known as (

    select
        case
        when length(vendor_id) = 36 and vendor_id = lower(vendor_id) then vendor_id
        when vendor_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(vendor_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else vendor_id
    end as vendor_id,
        minimum_order_value as minimum_order_value,
        minimum_order_quantity as minimum_order_quantity,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_vendors

),

numbered as (

    select
        *,
        row_number() over (partition by vendor_id order by observation_number desc) as recency
    from known

),

seen as (

    select
        vendor_id,
        minimum_order_value,
        minimum_order_quantity,
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
        lag(minimum_order_value) over versions as minimum_order_value_before,
        lag(minimum_order_quantity) over versions as minimum_order_quantity_before,
        lag(observed_at) over versions as observed_before_at,
        row_number() over versions as place,
        coalesce(max(last_number) over versions, 0) as known_count
    from seen
    window versions as (partition by vendor_id order by turn, observed_at)

)

select
    vendor_id,
    known_count + row_number() over (partition by vendor_id order by place) as observation_number,
    minimum_order_value,
    minimum_order_quantity,
    greatest(observed_at, observed_before_at) as observed_at
from compared
where turn > 1 and (
    place = 1
    or minimum_order_value is distinct from minimum_order_value_before
    or minimum_order_quantity is distinct from minimum_order_quantity_before
)
