with

source as (

    {{ raw('buyers') }}

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
