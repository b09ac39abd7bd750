{# A category that is above itself has none above the last that is new. #}
{%- set levels = 6 -%}

with

categories as (

    select * from {{ ref('stg_wholesale__categories') }}

),

level_0 as (

    select
        category_id,
        category_id as above_id,
        category_title as above_title,
        parent_category_id as next_id,
        coalesce(category_title, category_id) as category_path,
        '/' || category_id || '/' as ids,
        0 as level_count
    from categories

),

{%- for level in range(1, levels + 1) %}

level_{{ level }} as (

    select
        below.category_id,
        coalesce(above.category_id, below.above_id) as above_id,
        case when above.category_id is null then below.above_title else above.category_title end
            as above_title,
        above.parent_category_id as next_id,
        coalesce(coalesce(above.category_title, above.category_id) || ' > ', '')
        || below.category_path as category_path,
        below.ids || coalesce(above.category_id || '/', '') as ids,
        below.level_count + case when above.category_id is null then 0 else 1 end
            as level_count
    from level_{{ level - 1 }} as below
    left join categories as above
        on below.next_id = above.category_id
        and replace(below.ids, '/' || above.category_id || '/', '') = below.ids

),
{%- endfor %}

final as (

    select
        categories.category_id,
        categories.category_title,
        categories.parent_category_id,
        parents.category_title as parent_category_title,
        uppermost.above_id as top_category_id,
        uppermost.above_title as top_category_title,
        uppermost.category_path,
        cast(uppermost.level_count as bigint) as category_depth,
        categories.is_deleted,
        categories.created_at,
        categories.updated_at,
        categories.deleted_at
    from categories
    inner join level_{{ levels }} as uppermost on categories.category_id = uppermost.category_id
    left join categories as parents
        on categories.parent_category_id = parents.category_id

)

select * from final
