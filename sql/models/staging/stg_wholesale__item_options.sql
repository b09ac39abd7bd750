with

source as (

    {{ raw('items__options') }}

),

renamed as (

    select
        -- keys
        item_id || '-' || option_number as item_option_id,
        item_id,

        -- text
        name as option_name,

        -- numbers
        option_number,

        -- lists
        values as option_values

    from source

)

select * from renamed
