-- staging/stg_wholesale__price_observations (view)
with

source as (

    select
        case
        when length(`id`) = 36 and `id` = lower(`id`) then `id`
        when `id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `id`
    end as `id`,
        `_deleted_at`,
        `observed_at`,
        case
        when length(`price_list_id`) = 36 and `price_list_id` = lower(`price_list_id`) then `price_list_id`
        when `price_list_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`price_list_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `price_list_id`
    end as `price_list_id`,
        case
        when length(`variant_id`) = 36 and `variant_id` = lower(`variant_id`) then `variant_id`
        when `variant_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`variant_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `variant_id`
    end as `variant_id`,
        case
        when length(`item_id`) = 36 and `item_id` = lower(`item_id`) then `item_id`
        when `item_id` rlike '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$' then lower(regexp_replace(`item_id`, '^([Uu][Rr][Nn]:[Uu][Uu][Ii][Dd]:)?[{]?([0-9A-Fa-f]{8})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{4})-?([0-9A-Fa-f]{12})[}]?$', '$2-$3-$4-$5-$6'))
        else `item_id`
    end as `item_id`,
        `unit_price`
    from declared_prices__observations

),

renamed as (

    select
        -- keys
        id as price_id,
        price_list_id,
        variant_id,
        item_id,

        -- amounts
        case when unit_price between -(select build.largest_amount from build_settings as build) and (select build.largest_amount from build_settings as build) then unit_price end as unit_price,

        -- times
        observed_at,

        -- deletion
        _deleted_at is not null as is_deleted

    from source

)

select * from renamed
