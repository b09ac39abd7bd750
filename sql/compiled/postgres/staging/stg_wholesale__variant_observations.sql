-- staging/stg_wholesale__variant_observations (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        case
        when length("parent_id") = 36 and "parent_id" = lower("parent_id") then "parent_id"
        when "parent_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("parent_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "parent_id"
    end as "parent_id",
        "sku",
        "msrp",
        "unit_price",
        "map",
        "sku_status",
        "_deleted_at",
        "observed_at"
    from declared_variants__observations

),

renamed as (

    select
        -- keys
        id as variant_id,
        parent_id as item_id,

        -- text
        sku,
        lower(trim(both chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(28) || chr(29) || chr(30) || chr(31) || chr(32) || chr(133) || chr(160) || chr(5760) || chr(8192) || chr(8193) || chr(8194) || chr(8195) || chr(8196) || chr(8197) || chr(8198) || chr(8199) || chr(8200) || chr(8201) || chr(8202) || chr(8232) || chr(8233) || chr(8239) || chr(8287) || chr(12288) from sku_status)) as sku_status,

        -- amounts
        case when unit_price between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then unit_price end as unit_price,
        case when msrp between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then msrp end as msrp,
        case when map between -(select build.largest_amount from wholesale_build.settings as build) and (select build.largest_amount from wholesale_build.settings as build) then map end as minimum_advertised_price,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
