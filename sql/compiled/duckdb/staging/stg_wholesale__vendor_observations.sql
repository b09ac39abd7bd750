-- staging/stg_wholesale__vendor_observations (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        "minimum_order_value",
        "minimum_order_quantity",
        "_deleted_at",
        "observed_at"
    from declared_vendors__observations

),

renamed as (

    select
        -- keys
        id as vendor_id,

        -- numbers
        case when minimum_order_quantity between -(select build.largest_quantity from wholesale_build.settings as build) and (select build.largest_quantity from wholesale_build.settings as build) then minimum_order_quantity end as minimum_order_quantity,

        -- amounts
        case when minimum_order_value between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then minimum_order_value end as minimum_order_value,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
