{# Metrics that a goal can be of. #}
{%- set metrics = [
    'sales', 'net_sales', 'billed', 'orders', 'units', 'active_buyers', 'new_buyers'
] -%}

with

as_of as (

    select * from {{ ref('int_as_of') }}

),

goals as (

    select
        *,
        cast({{ days_between('month_start', months_before('month_start', -1)) }} as bigint)
            as day_count,
        greatest({{ seen_days_of('month_start') }}, 0) as seen_day_count,
        goal_vendor is null or vendor_key is not null as is_vendor_known
    from {{ ref('fct_goals') }}

),

buyers as (

    select * from {{ ref('dim_buyers') }}

),

managers as (

    select distinct account_manager_id
    from buyers
    where account_manager_id is not null

),

{# What goals are of: a month, of a vendor or all of them, of a manager or all of them. #}
scopes as (

    select distinct
        month_start,
        vendor_key as of_vendor,
        account_manager_id as of_manager
    from goals
    where is_vendor_known

),

orders as (

    select
        orders.*,
        buyers.account_manager_id,
        {{ known_month_of('orders.ordered_date') }} as month_start
    from {{ ref('fct_orders') }} as orders
    left join buyers on orders.buyer_id = buyers.buyer_id

),

scoped as (

    select
        orders.*,
        scopes.of_vendor,
        scopes.of_manager
    from orders
    inner join scopes
        on orders.month_start = scopes.month_start
        and (scopes.of_vendor is null or orders.vendor_key = scopes.of_vendor)
        and (scopes.of_manager is null or orders.account_manager_id = scopes.of_manager)

),

counted as (

    select
        {%- for name in metrics %}
        cast({{ metric(name) }} as decimal(38, 9)) as {{ name }},
        {%- endfor %}
        month_start,
        of_vendor,
        of_manager
    from scoped
    group by
        month_start,
        of_vendor,
        of_manager

),

reached as (

    select
        goals.*,
        as_of.figures_up_to,
        case
            when not goals.is_vendor_known or goals.seen_day_count = 0 then null
            when goals.account_manager_id is not null and managers.account_manager_id is null
                then null
            when as_of.figures_from is null
                or {{ months_before('goals.month_start', -1) }} <= as_of.figures_from
                then null
            when counted.month_start is null then 0
            {% for name in metrics -%}
            when goals.goal_metric = '{{ name }}' then counted.{{ name }}
            {% endfor -%}
        end as so_far
    from goals
    cross join as_of
    left join managers on goals.account_manager_id = managers.account_manager_id
    left join counted
        on goals.month_start = counted.month_start
        and goals.vendor_key is not distinct from counted.of_vendor
        and goals.account_manager_id is not distinct from counted.of_manager

),

shares as (

    select
        *,
        {{ ratio('so_far', 'target') }} as target_share,
        {{ ratio('seen_day_count', 'day_count') }} as month_share
    from reached

),

final as (

    select
        shares.goal_id,
        shares.month_start,
        shares.goal_metric,
        shares.vendor_key,
        coalesce(vendor_names.display_name, shares.goal_vendor) as vendor_name,
        shares.account_manager_id,
        shares.target,
        cast(shares.so_far as decimal(38, 9)) as so_far,
        shares.day_count,
        shares.seen_day_count,
        shares.target_share,
        shares.month_share,
        {{ ratio('shares.target_share', 'shares.month_share') }} as pace_rate
    from shares
    left join {{ ref('dim_names') }} as vendor_names
        on vendor_names.name_kind = 'vendor' and shares.vendor_key = vendor_names.name_key

)

select * from final
