with

brands as (

    select * from {{ ref('stg_wholesale__brands') }}

),

final as (

    select
        brand_id,
        brand_title,
        handle,
        description,
        logo,
        is_deleted,
        created_at,
        updated_at,
        deleted_at
    from brands

)

select * from final
