with

counted as (

    select * from {{ ref('int_currencies') }}

),

settings as (

    select * from {{ ref('dim_settings') }}

),

bounds as (

    select
        min({{ by_code_points('currency') }}) as first_currency,
        max({{ by_code_points('currency') }}) as last_currency
    from counted

),

final as (

    select
        counted.table_name || '-' || counted.currency as currency_id,
        counted.table_name,
        counted.currency,
        counted.record_count,
        case
            when settings.currency = 'XXX' then bounds.first_currency = bounds.last_currency
            else counted.currency = settings.currency
        end as is_expected
    from counted
    cross join bounds
    cross join settings

)

select * from final
