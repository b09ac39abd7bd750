-- marts/fct_vendor_minimums (table)
--   vendor_version_id text
--   vendor_id text
--   version_number bigint
--   minimum_order_value decimal(38, 9)
--   minimum_order_quantity bigint
--   minimum_order_quantity_change bigint
--   valid_from timestamptz
--   valid_to timestamptz
--   is_current boolean
with

observations as (

    select
        case
        when length(vendor_id) = 36 and vendor_id = lower(vendor_id) then vendor_id
        when vendor_id rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(vendor_id, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else vendor_id
    end as vendor_id,
        minimum_order_value as minimum_order_value,
        minimum_order_quantity as minimum_order_quantity,
        observed_at as observed_at,
        observation_number as observation_number
    from obs_vendors

),

final as (

    select
        vendor_id || '-' || observation_number as vendor_version_id,
        vendor_id,
        observation_number as version_number,
        minimum_order_value,
        minimum_order_quantity,
        minimum_order_quantity - lag(minimum_order_quantity) over versions as minimum_order_quantity_change,
        observed_at as valid_from,
        lead(observed_at) over versions as valid_to,
        lead(observed_at) over versions is null as is_current
    from observations
    window versions as (partition by vendor_id order by observation_number)

)

select * from final
