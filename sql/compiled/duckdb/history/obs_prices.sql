-- history/obs_prices (append)
--   price_id text
--   observation_number bigint
--   price_list_id text
--   variant_id text
--   item_id text
--   unit_price decimal(38, 9)
--   is_deleted boolean
--   observed_at timestamptz
with

noted as (

    select
        price_id,
        price_list_id,
        variant_id,
        item_id,
        unit_price,
        is_deleted,
        observed_at
    from stg_wholesale__price_observations
    where not observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
        and observed_at > (
            select coalesce(max(observed_at), cast('0001-01-01' as timestamptz))
            from obs_prices
        )

),

syncs as (

    select coalesce(max(ended_at), (select build.built_at from wholesale_build.settings as build)) as ended_at
    from stg_wholesale__sync_runs
    where resource = 'prices'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

standing as (

    select
        price_id,
        price_list_id,
        variant_id,
        item_id,
        unit_price,
        is_deleted,
        syncs.ended_at as observed_at
    from stg_wholesale__prices
    cross join syncs

),

known as (

    select
        case
        when length(price_id) = 36 and price_id = lower(price_id) then price_id
        when price_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(price_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else price_id
    end as price_id,
        case
        when length(price_list_id) = 36 and price_list_id = lower(price_list_id) then price_list_id
        when price_list_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(price_list_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else price_list_id
    end as price_list_id,
        case
        when length(variant_id) = 36 and variant_id = lower(variant_id) then variant_id
        when variant_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(variant_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else variant_id
    end as variant_id,
        case
        when length(item_id) = 36 and item_id = lower(item_id) then item_id
        when item_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(item_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else item_id
    end as item_id,
        unit_price as unit_price,
        is_deleted as is_deleted,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_prices

),

numbered as (

    select
        *,
        row_number() over (partition by price_id order by observation_number desc) as recency
    from known

),

seen as (

    select
        price_id,
        price_list_id,
        variant_id,
        item_id,
        unit_price,
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
        lag(price_list_id) over versions as price_list_id_before,
        lag(variant_id) over versions as variant_id_before,
        lag(item_id) over versions as item_id_before,
        lag(unit_price) over versions as unit_price_before,
        lag(is_deleted) over versions as is_deleted_before,
        lag(observed_at) over versions as observed_before_at,
        row_number() over versions as place,
        coalesce(max(last_number) over versions, 0) as known_count
    from seen
    window versions as (partition by price_id order by turn, observed_at)

)

select
    price_id,
    known_count + row_number() over (partition by price_id order by place) as observation_number,
    price_list_id,
    variant_id,
    item_id,
    unit_price,
    is_deleted,
    greatest(observed_at, observed_before_at) as observed_at
from compared
where turn > 1 and (
    place = 1
    or price_list_id is distinct from price_list_id_before
    or variant_id is distinct from variant_id_before
    or item_id is distinct from item_id_before
    or unit_price is distinct from unit_price_before
    or is_deleted is distinct from is_deleted_before
)
