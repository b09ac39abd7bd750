with

source as (

    {{ raw('quarantine') }}

),

renamed as (

    select
        -- keys
        run_id,
        resource,
        page as page_number,
        index as record_index,

        -- text
        reason,

        -- times
        found_at

    from source

)

select * from renamed
