-- staging/stg_wholesale__buyers (view)
with

source as (

    select
        case
        when length("id") = 36 and "id" = lower("id") then "id"
        when "id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "id"
    end as "id",
        "company_name",
        "company_ein",
        "email",
        "phone",
        "address1",
        "address2",
        "city",
        "state",
        "zip",
        "country",
        "website",
        case
        when length("price_list_id") = 36 and "price_list_id" = lower("price_list_id") then "price_list_id"
        when "price_list_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("price_list_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "price_list_id"
    end as "price_list_id",
        case
        when length("account_manager_id") = 36 and "account_manager_id" = lower("account_manager_id") then "account_manager_id"
        when "account_manager_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("account_manager_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "account_manager_id"
    end as "account_manager_id",
        "created_at",
        "updated_at",
        "_extra",
        "_deleted_at"
    from declared_buyers

),

renamed as (

    select
        -- keys
        id as buyer_id,
        price_list_id,
        account_manager_id,

        -- text
        company_name,
        company_ein,
        email,
        phone,
        address1,
        address2,
        city,
        state,
        zip,
        country,
        website,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
