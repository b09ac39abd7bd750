-- staging/stg_wholesale__order_observations (view)
with

source as (

    select
        case
        when length(`id`) = 36 and `id` = lower(`id`) then `id`
        when `id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `id`
    end as `id`,
        `status`,
        `invoice_status`,
        `payment_status`,
        `_deleted_at`,
        `observed_at`
    from declared_orders__observations

),

renamed as (

    select
        -- keys
        id as order_id,

        -- text
        lower(trim(status)) as order_status,
        lower(trim(payment_status)) as payment_status,
        lower(trim(invoice_status)) as invoice_status,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
