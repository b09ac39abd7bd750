with

source as (

    {{ raw('buyer_users') }}

),

renamed as (

    select
        -- keys
        id as buyer_user_id,
        buyer_id,

        -- text
        full_name,
        email,
        {{ state_name('role') }} as user_role,
        {{ state_name('status') }} as user_status,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
