-- bi/rpt_currencies (table)
--   currency_id text
--   table_name text
--   currency text
--   record_count bigint
--   is_expected boolean
with

counted as (

    select * from int_currencies

),

settings as (

    select * from dim_settings

),

bounds as (

    select
        min(currency collate "C") as first_currency,
        max(currency collate "C") as last_currency
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
