-- bi/rpt_reconciliation (table)
--   reconciliation_id text
--   check_name text
--   resource text
--   severity text
--   expected decimal(38, 9)
--   found decimal(38, 9)
--   difference decimal(38, 9)
--   difference_count bigint
--   set_aside_count bigint
--   is_reconciled boolean
with

raw_checks as (

    select * from int_raw_checks

),

arithmetic_checks as (

    select * from int_arithmetic_checks

),

product_checks as (

    select * from int_product_checks

),

service_checks as (

    select * from int_service_checks

),

checks as (

    select
        *,
        'error' as severity
    from raw_checks
    union all
    select
        *,
        cast(null as bigint) as set_aside_count,
        'error' as severity
    from arithmetic_checks
    union all
    select
        *,
        cast(null as bigint) as set_aside_count,
        'error' as severity
    from product_checks
    union all
    select
        *,
        cast(null as bigint) as set_aside_count,
        'warn' as severity
    from service_checks

),

final as (

    select
        check_name || ': ' || resource as reconciliation_id,
        check_name,
        resource,
        severity,
        cast(expected as decimal(38, 9)) as expected,
        cast(found as decimal(38, 9)) as found,
        cast(found - expected as decimal(38, 9)) as difference,
        cast(difference_count as bigint) as difference_count,
        set_aside_count,
        difference_count = 0 and found = expected as is_reconciled
    from checks

)

select * from final
