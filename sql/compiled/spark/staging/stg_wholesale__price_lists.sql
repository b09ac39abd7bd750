-- staging/stg_wholesale__price_lists (view)
with

source as (

    select
        case
        when length(`id`) = 36 and `id` = lower(`id`) then `id`
        when `id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `id`
    end as `id`,
        `_extra`,
        `_deleted_at`,
        `title`,
        `description`,
        `created_at`,
        `updated_at`
    from declared_price_lists

),

renamed as (

    select
        -- keys
        id as price_list_id,

        -- text
        title as price_list_title,
        description,

        -- times
        created_at,
        updated_at,

        -- deletion
        _deleted_at is not null as is_deleted,
        _deleted_at as deleted_at

    from source

)

select * from renamed
