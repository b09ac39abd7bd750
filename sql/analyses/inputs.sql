{# What a build is made from besides the rows of raw tables, with a digest of each: for a model that
depends on the clock or on the times and counts of syncs, exactly what it takes from them. So a sync
that brings nothing changes the digest of `sync_runs` alone. #}

with

syncs as (

    select coalesce(max(ended_at), {{ now() }}) as synced_at
    from declared_sync_runs
    where resource = 'orders'
        and not {{ is_ahead('ended_at') }}

),

readings as (

    select {{ business_date("coalesce(max(started_at), " ~ now() ~ ")") }} as last_read_date
    from declared_sync_runs
    where resource = 'orders'
        and not {{ is_ahead('started_at') }}

),

moments as (

    select
        max(
            case
                when {{ is_plausible_moment('orders.created_at', 'syncs.synced_at') }}
                    then orders.created_at
            end
        ) as last_ordered_at,
        max(
            case
                when {{ is_plausible_moment('orders.updated_at', 'syncs.synced_at') }}
                    then orders.updated_at
            end
        ) as last_changed_at
    from declared_orders as orders
    cross join syncs
    where orders._deleted_at is null

),

runs as (

    {{ runs_by_recency('declared_sync_runs') }}

)

select
    'int_orders' as input_name,
    '' || (
        count(case when not ({{ is_plausible_moment('created_at', 'synced_at') }}) then 1 end)
        + count(case when not ({{ is_plausible_moment('updated_at', 'synced_at') }}) then 1 end)
    ) as digest
from declared_orders
cross join syncs
union all
select
    'int_as_of' as input_name,
    cast(
        case
            when {{ business_date('greatest(moments.last_ordered_at, moments.last_changed_at)') }}
                >= readings.last_read_date
                then readings.last_read_date
        end as {{ sql_type("varchar") }}
    ) as digest
from moments
cross join readings
{%- for table in [
    'orders__observations', 'prices__observations', 'variants__observations',
    'vendors__observations'
] %}
union all
select
    '{{ table }} ahead' as input_name,
    '' || count(*) as digest
from declared_{{ table }}
where {{ is_ahead('observed_at') }}
{%- endfor %}
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
