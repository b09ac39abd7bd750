-- marts/fct_variant_prices (table)
--   variant_version_id text
--   variant_id text
--   version_number bigint
--   unit_price decimal(38, 9)
--   msrp decimal(38, 9)
--   minimum_advertised_price decimal(38, 9)
--   sku_status text
--   is_deleted boolean
--   unit_price_change decimal(38, 9)
--   valid_from timestamptz
--   valid_to timestamptz
--   is_current boolean
with

observations as (

    select
        case
        when length(variant_id) = 36 and variant_id = lower(variant_id) then variant_id
        when variant_id ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(variant_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else variant_id
    end as variant_id,
        unit_price as unit_price,
        msrp as msrp,
        minimum_advertised_price as minimum_advertised_price,
        sku_status as sku_status,
        is_deleted as is_deleted,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_variants

),

final as (

    select
        variant_id || '-' || observation_number as variant_version_id,
        variant_id,
        observation_number as version_number,
        unit_price,
        msrp,
        minimum_advertised_price,
        sku_status,
        is_deleted,
        unit_price - lag(unit_price) over versions as unit_price_change,
        observed_at as valid_from,
        lead(observed_at) over versions as valid_to,
        lead(observed_at) over versions is null as is_current
    from observations
    window versions as (partition by variant_id order by observation_number)

)

select * from final
