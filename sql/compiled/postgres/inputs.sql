with

syncs as (

    select coalesce(max(ended_at), (select build.built_at from wholesale_build.settings as build)) as synced_at
    from declared_sync_runs
    where resource = 'orders'
        and not ended_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'

),

runs as (

    select
        *,
        row_number() over (partition by resource order by is_ahead, run_id desc) as recency
    from (
        select
            *,
            started_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes' as is_ahead
        from declared_sync_runs
    ) as judged

)

select
    'int_orders' as input_name,
    '' || (
        count(case when not (created_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and created_at <= synced_at + interval '1 day') then 1 end)
        + count(case when not (updated_at >= (select build.first_plausible_at from wholesale_build.settings as build)
    and updated_at <= synced_at + interval '1 day') then 1 end)
    ) as digest
from declared_orders
cross join syncs
union all
select
    'orders__observations ahead' as input_name,
    '' || count(*) as digest
from declared_orders__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'prices__observations ahead' as input_name,
    '' || count(*) as digest
from declared_prices__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'variants__observations ahead' as input_name,
    '' || count(*) as digest
from declared_variants__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
union all
select
    'vendors__observations ahead' as input_name,
    '' || count(*) as digest
from declared_vendors__observations
where observed_at > (select build.built_at from wholesale_build.settings as build) + interval '5 minutes'
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
