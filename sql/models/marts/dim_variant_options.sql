with

variant_options as (

    select * from {{ ref('stg_wholesale__variant_options') }}

),

final as (

    select
        variant_option_id,
        variant_id,
        option_number,
        option_name,
        option_value
    from variant_options

)

select * from final
