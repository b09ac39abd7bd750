with

categories as (

    select * from {{ ref('stg_wholesale__categories') }}

),

final as (

    select
        categories.category_id,
        categories.category_title,
        categories.parent_category_id,
        parents.category_title as parent_category_title,
        categories.is_deleted,
        categories.created_at,
        categories.updated_at,
        categories.deleted_at
    from categories
    left join categories as parents
        on categories.parent_category_id = parents.category_id

)

select * from final
