with

raw_checks as (

    select * from {{ ref('int_raw_checks') }}

),

arithmetic_checks as (

    select * from {{ ref('int_arithmetic_checks') }}

),

product_checks as (

    select * from {{ ref('int_product_checks') }}

),

service_checks as (

    select * from {{ ref('int_service_checks') }}

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
