-- marts/dim_brands (table)
--   brand_id text
--   brand_title text
--   handle text
--   description text
--   is_deleted boolean
--   created_at timestamptz
--   updated_at timestamptz
--   deleted_at timestamptz
with

brands as (

    select * from stg_wholesale__brands

),

final as (

    select
        brand_id,
        brand_title,
        handle,
        description,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from brands

)

select * from final
