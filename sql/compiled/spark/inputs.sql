with

syncs as (

    select coalesce(max(ended_at), (select build.built_at from build_settings as build)) as synced_at
    from declared_sync_runs
    where resource = 'orders'
        and not ended_at > (select build.built_at from build_settings as build) + interval '5 minutes'

),

readings as (

    select cast(from_utc_timestamp(coalesce(max(started_at), (select build.built_at from build_settings as build)), (select build.time_zone from build_settings as build)) as date) as last_read_date
    from declared_sync_runs
    where resource = 'orders'
        and not started_at > (select build.built_at from build_settings as build) + interval '5 minutes'

),

moments as (

    select
        max(
            case
                when orders.created_at >= (select build.first_plausible_at from build_settings as build)
    and orders.created_at <= syncs.synced_at + interval '1 day'
                    then orders.created_at
            end
        ) as last_ordered_at,
        max(
            case
                when orders.updated_at >= (select build.first_plausible_at from build_settings as build)
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
        row_number() over (partition by resource order by is_ahead, run_id desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from build_settings as build) + interval '5 minutes' as is_ahead
        from declared_sync_runs
    ) as judged

)

select
    'int_orders' as input_name,
    '' || (
        count(case when not (created_at >= (select build.first_plausible_at from build_settings as build)
    and created_at <= synced_at + interval '1 day') then 1 end)
        + count(case when not (updated_at >= (select build.first_plausible_at from build_settings as build)
    and updated_at <= synced_at + interval '1 day') then 1 end)
    ) as digest
from declared_orders
cross join syncs
union all
select
    'int_as_of' as input_name,
    cast(
        case
            when cast(from_utc_timestamp(greatest(moments.last_ordered_at, moments.last_changed_at), (select build.time_zone from build_settings as build)) as date)
                >= readings.last_read_date
                then readings.last_read_date
        end as string
    ) as digest
from moments
cross join readings
union all
select
    'orders__observations ahead' as input_name,
    '' || count(*) as digest
from declared_orders__observations
where observed_at > (select build.built_at from build_settings as build) + interval '5 minutes'
union all
select
    'prices__observations ahead' as input_name,
    '' || count(*) as digest
from declared_prices__observations
where observed_at > (select build.built_at from build_settings as build) + interval '5 minutes'
union all
select
    'variants__observations ahead' as input_name,
    '' || count(*) as digest
from declared_variants__observations
where observed_at > (select build.built_at from build_settings as build) + interval '5 minutes'
union all
select
    'vendors__observations ahead' as input_name,
    '' || count(*) as digest
from declared_vendors__observations
where observed_at > (select build.built_at from build_settings as build) + interval '5 minutes'
union all
select
    'int_service_checks ' || resource as input_name,
    concat_ws(
        ' ',
        coalesce('' || last_total_count, '-'),
        coalesce('' || alive, '-'),
        proof
    ) as digest
from runs
where recency = 1
