with

syncs as (

    select coalesce(max(ended_at), (select build.built_at from wholesale_build.settings as build)) as synced_at
    from declared_sync_runs
    where resource = 'orders'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

readings as (

    select cast(coalesce(max(started_at), (select build.built_at from wholesale_build.settings as build)) at time zone (select build.time_zone from wholesale_build.settings as build) as date) as last_read_date
    from declared_sync_runs
    where resource = 'orders'
        and not started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

moments as (

    select
        max(
            case
                when orders.created_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and orders.created_at <= syncs.synced_at + interval '1 day'
                    then orders.created_at
            end
        ) as last_ordered_at,
        max(
            case
                when orders.updated_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and orders.updated_at <= syncs.synced_at + interval '1 day'
                    then orders.updated_at
            end
        ) as last_changed_at
    from declared_orders as orders
    cross join syncs
    where orders._deleted_at is null

),

runs as (

    select
        *,
        row_number() over (partition by resource order by is_ahead, run_id collate "C" desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes' as is_ahead
        from declared_sync_runs
    ) as judged

)

select
    'orders' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders as record
union all
select
    'orders__order_line_items' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__order_line_items as record
union all
select
    'orders__order_comments' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__order_comments as record
union all
select
    'orders__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__observations as record
union all
select
    'vendors' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_vendors as record
union all
select
    'vendors__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_vendors__observations as record
union all
select
    'buyers' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_buyers as record
union all
select
    'buyer_users' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_buyer_users as record
union all
select
    'items' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_items as record
union all
select
    'items__options' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_items__options as record
union all
select
    'variants' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants as record
union all
select
    'variants__options' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants__options as record
union all
select
    'variants__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants__observations as record
union all
select
    'item_images' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_item_images as record
union all
select
    'price_lists' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_price_lists as record
union all
select
    'prices' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_prices as record
union all
select
    'prices__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_prices__observations as record
union all
select
    'brands' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_brands as record
union all
select
    'categories' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_categories as record
union all
select
    'custom_fields' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_custom_fields as record
union all
select
    'quarantine' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_quarantine as record
union all
select
    'sync_runs' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_sync_runs as record
union all
select
    'int_orders' as input_name,
    cast(
        count(case when not (created_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and created_at <= synced_at + interval '1 day') then 1 end)
        + count(case when not (updated_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and updated_at <= synced_at + interval '1 day') then 1 end)
        as varchar
    ) as digest
from declared_orders
cross join syncs
union all
select
    'int_as_of' as input_name,
    cast(
        case
            when cast(greatest(moments.last_ordered_at, moments.last_changed_at) at time zone (select build.time_zone from wholesale_build.settings as build) as date)
                >= readings.last_read_date
                then readings.last_read_date
        end as varchar
    ) as digest
from moments
cross join readings
union all
select
    'orders__observations ahead' as input_name,
    cast(count(*) as varchar) as digest
from declared_orders__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'prices__observations ahead' as input_name,
    cast(count(*) as varchar) as digest
from declared_prices__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'variants__observations ahead' as input_name,
    cast(count(*) as varchar) as digest
from declared_variants__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'vendors__observations ahead' as input_name,
    cast(count(*) as varchar) as digest
from declared_vendors__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'int_service_checks' as input_name,
    string_agg(
        concat_ws(
            ' ',
            resource,
            coalesce(cast(last_total_count as varchar), '-'),
            coalesce(cast(alive as varchar), '-'),
            proof
        ), ', ' order by resource
    ) as digest
from runs
where recency = 1
