with

goals as (

    select * from {{ goals() }}

),

{# A vendor may be named by what it alone is called. #}
vendors as (

    select
        name_key,
        display_name,
        count(*) over (partition by display_name) as namesake_count
    from {{ ref('dim_names') }}
    where name_kind = 'vendor'

),

{# Where only a part of the account is built, the goals of that part are those of all that there
is. #}
final as (

    select
        {{ month_key('goals.month_start') }} || '-' || goals.goal_metric
        || '-' || coalesce(goals.goal_vendor, 'all')
        || '-' || coalesce(goals.account_manager_id, 'all') as goal_id,
        goals.month_start,
        goals.goal_metric,
        case when not goals.is_of_part then goals.goal_vendor end as goal_vendor,
        case
            when not goals.is_of_part then coalesce(vendors.name_key, named.name_key)
        end as vendor_key,
        case when not goals.is_of_part then goals.account_manager_id end as account_manager_id,
        goals.target
    from goals
    left join vendors on goals.goal_vendor = vendors.name_key
    left join vendors as named
        on goals.goal_vendor = named.display_name
        and named.namesake_count = 1
    where not goals.is_of_part
        or goals.goal_vendor is null
        or coalesce(vendors.name_key, named.name_key) is not null

)

select * from final
