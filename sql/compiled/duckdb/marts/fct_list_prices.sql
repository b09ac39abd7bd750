-- marts/fct_list_prices (table)
--   price_version_id text
--   price_id text
--   version_number bigint
--   price_list_id text
--   variant_id text
--   item_id text
--   unit_price decimal(38, 9)
--   is_deleted boolean
--   unit_price_change decimal(38, 9)
--   valid_from timestamptz
--   valid_to timestamptz
--   is_current boolean
with

observations as (

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

final as (

    select
        price_id || '-' || observation_number as price_version_id,
        price_id,
        observation_number as version_number,
        price_list_id,
        variant_id,
        item_id,
        unit_price,
        is_deleted,
        unit_price - lag(unit_price) over versions as unit_price_change,
        observed_at as valid_from,
        lead(observed_at) over versions as valid_to,
        lead(observed_at) over versions is null as is_current
    from observations
    window versions as (partition by price_id order by observation_number)

)

select * from final
