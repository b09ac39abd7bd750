-- staging/stg_wholesale__variant_options (view)
with

source as (

    select
        case
        when length("variant_id") = 36 and "variant_id" = lower("variant_id") then "variant_id"
        when "variant_id" ~ '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace("variant_id", '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '\2-\3-\4-\5-\6'))
        else "variant_id"
    end as "variant_id",
        "option_number",
        "name",
        "value",
        "_extra"
    from declared_variants__options

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
