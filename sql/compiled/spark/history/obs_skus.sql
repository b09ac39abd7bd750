-- history/obs_skus (append)
--   variant_id text
--   observation_number bigint
--   item_id text
--   sku text
--   observed_at timestamptz
with

noted as (

    select
        variant_id,
        item_id,
        sku,
        observed_at
    from stg_wholesale__variant_observations
    where not observed_at > (select build.built_at from build_settings as build) + interval '5 minutes'
        and observed_at > (
            select coalesce(max(observed_at), cast('0001-01-01' as timestamp))
            from obs_skus
        )

),

syncs as (

    select coalesce(max(ended_at), (select build.built_at from build_settings as build)) as ended_at
    from stg_wholesale__sync_runs
    where resource = 'variants'
        and not ended_at > (select build.built_at from build_settings as build) + interval '5 minutes'

),

standing as (

    select
        variant_id,
        item_id,
        sku,
        syncs.ended_at as observed_at
    from stg_wholesale__variants
    cross join syncs

),

known as (

    select
        case
        when length(variant_id) = 36 and variant_id = lower(variant_id) then variant_id
        when variant_id rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(variant_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else variant_id
    end as variant_id,
        case
        when length(item_id) = 36 and item_id = lower(item_id) then item_id
        when item_id rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(item_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else item_id
    end as item_id,
        sku as sku,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_skus

),

numbered as (

    select
        *,
        row_number() over (partition by variant_id order by observation_number desc) as recency
    from known

),

seen as (

    select
        variant_id,
        item_id,
        sku,
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
        lag(item_id) over versions as item_id_before,
        lag(sku) over versions as sku_before,
        lag(observed_at) over versions as observed_before_at,
        row_number() over versions as place,
        coalesce(max(last_number) over versions, 0) as known_count
    from seen
    window versions as (partition by variant_id order by turn, observed_at)

)

select
    variant_id,
    known_count + row_number() over (partition by variant_id order by place) as observation_number,
    item_id,
    sku,
    greatest(observed_at, observed_before_at) as observed_at
from compared
where turn > 1 and (
    place = 1
    or item_id is distinct from item_id_before
    or sku is distinct from sku_before
)
