-- staging/stg_wholesale__item_images (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        "_extra",
        "_deleted_at",
        case
        when length("item_id") = 36 and "item_id" = lower("item_id") then "item_id"
        when "item_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("item_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "item_id"
    end as "item_id",
        "url",
        "position",
        "created_at",
        "updated_at"
    from declared_item_images

),

renamed as (

    select
        -- keys
        id as item_image_id,
        item_id,

        -- text
        url,

        -- numbers
        position as image_position,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
