-- marts/dim_buyer_users (table)
--   buyer_user_id text
--   buyer_id text
--   full_name text
--   email text
--   user_role text
--   user_status text
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

buyer_users as (

    select * from stg_wholesale__buyer_users

),

final as (

    select
        buyer_user_id,
        buyer_id,
        full_name,
        email,
        user_role,
        user_status,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from buyer_users

)

select * from final
