-- marts/dim_price_lists (table)
--   price_list_id text
--   price_list_title text
--   description text
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

price_lists as (

    select * from stg_wholesale__price_lists

),

final as (

    select
        price_list_id,
        price_list_title,
        description,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from price_lists

)

select * from final
