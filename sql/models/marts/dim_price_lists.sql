with

price_lists as (

    select * from {{ ref('stg_wholesale__price_lists') }}

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
