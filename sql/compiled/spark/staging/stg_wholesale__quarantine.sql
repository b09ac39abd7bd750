-- staging/stg_wholesale__quarantine (view)
with

source as (

    select
        `run_id`,
        `resource`,
        `page`,
        `index`,
        `reason`,
        `body`,
        `found_at`
    from declared_quarantine

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
