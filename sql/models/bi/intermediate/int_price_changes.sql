{# The windows are whole days before and after the one on which a change was seen. That day is in
neither, as it may have had both prices. #}
{%- set window_days = setting('price_change_days') -%}
with

prices as (

    select
        'variant-' || variant_id as price_key,
        version_number,
        variant_id,
        cast(null as {{ sql_type('text') }}) as item_id,
        cast(null as {{ sql_type('text') }}) as price_list_id,
        false as is_of_list,
        unit_price,
        valid_from
    from {{ ref('fct_variant_prices') }}
    union all
    select
        'price-' || price_id as price_key,
        version_number,
        variant_id,
        item_id,
        price_list_id,
        true as is_of_list,
        unit_price,
        valid_from
    from {{ ref('fct_list_prices') }}

),

{# Versions without a price are left out: a price that was missing for a while has not changed. #}
versions as (

    select
        *,
        lag(unit_price) over (
            partition by price_key order by version_number
        ) as price_before
    from prices
    where unit_price is not null

),

changes as (

    select
        *,
        {{ business_date('valid_from') }} as observed_date
    from versions
    where unit_price <> price_before

),

measured as (

    select
        changes.*,
        {{ days_between(
            'lag(changes.observed_date) over versions', 'changes.observed_date'
        ) }} as days_after_other,
        {{ days_between(
            'changes.observed_date', 'lead(changes.observed_date) over versions'
        ) }} as days_before_other,
        {{ days_between('as_of.figures_from', 'changes.observed_date') }} as days_from,
        {{ days_between('changes.observed_date', 'as_of.figures_up_to') }} as days_since
    from changes
    cross join {{ ref('int_as_of') }} as as_of
    window versions as (partition by changes.price_key order by changes.version_number)

),

final as (

    select
        price_key || '-' || version_number as price_change_id,
        variant_id,
        item_id,
        price_list_id,
        is_of_list,
        valid_from as observed_at,
        observed_date,
        price_before,
        unit_price as price,
        {{ window_days }} as window_days,
        {# A window begins with the figures at the earliest, and ends with them at the latest. #}
        cast(case
            when days_from is null then 0
            else greatest(least({{ window_days }}, days_from) - greatest(-1 - days_since, 0), 0)
        end as bigint) as seen_days_before,
        cast(case
            when days_from is null then 0
            else greatest(least({{ window_days }}, days_since) - greatest(-1 - days_from, 0), 0)
        end as bigint) as seen_days_after,
        coalesce(days_after_other <= {{ window_days }}, false) as has_other_change_before,
        coalesce(days_before_other <= {{ window_days }}, false) as has_other_change_after
    from measured

)

select * from final
