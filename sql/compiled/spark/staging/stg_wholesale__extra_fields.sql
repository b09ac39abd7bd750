-- staging/stg_wholesale__extra_fields (view)
with

source as (

    select
        `table_name`,
        case
        when length(`record_id`) = 36 and `record_id` = lower(`record_id`) then `record_id`
        when `record_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`record_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `record_id`
    end as `record_id`,
        `field_name`,
        `field_value`
    from declared_extra_fields

),

renamed as (

    select
        -- keys
        table_name || '-' || record_id || '-' || field_name as extra_field_id,
        record_id,

        -- text
        table_name as record_kind,
        field_name,
        field_value

    from source

)

select * from renamed
