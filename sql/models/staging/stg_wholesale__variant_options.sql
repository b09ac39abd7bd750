with

source as (

    {{ raw('variants__options') }}

),

renamed as (

    select
        -- keys
        variant_id || '-' || option_number as variant_option_id,
        variant_id,

        -- text
        name as option_name,
        value as option_value,

        -- numbers
        option_number

    from source

)

select * from renamed
