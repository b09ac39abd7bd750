-- staging/stg_wholesale__order_comments (view)
with

source as (

    select
        case
        when length(`order_id`) = 36 and `order_id` = lower(`order_id`) then `order_id`
        when `order_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`order_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `order_id`
    end as `order_id`,
        `comment_number`,
        `_extra`,
        `author`,
        `body`,
        `created_at`
    from declared_orders__order_comments

),

renamed as (

    select
        -- keys
        order_id || '-' || comment_number as order_comment_id,
        order_id,

        -- text
        author,
        body,

        -- numbers
        comment_number,

        -- times
        created_at as commented_at

    from source

)

select * from renamed
