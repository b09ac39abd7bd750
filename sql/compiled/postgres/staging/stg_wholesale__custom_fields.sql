-- staging/stg_wholesale__custom_fields (view)
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
        "name",
        "kind",
        "applies_to",
        "created_at",
        "updated_at"
    from declared_custom_fields

),

renamed as (

    select
        -- keys
        id as custom_field_id,

        -- text
        name as custom_field_name,
        kind as custom_field_kind,
        applies_to,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
