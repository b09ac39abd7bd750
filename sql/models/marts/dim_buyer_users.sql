with

buyer_users as (

    select * from {{ ref('stg_wholesale__buyer_users') }}

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
