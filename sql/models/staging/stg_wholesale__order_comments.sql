with

source as (

    {{ raw('orders__order_comments') }}

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
