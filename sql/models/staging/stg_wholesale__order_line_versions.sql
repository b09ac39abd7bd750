with

standing as (

    {{ raw('orders__order_line_items') }}

),

past as (

    {{ raw('orders__order_line_items__past') }}

),

versions as (

    select
        order_id,
        line_number,
        valid_from,
        cast(null as {{ sql_type('timestamptz') }}) as valid_to
    from standing
    union all
    select
        order_id,
        line_number,
        valid_from,
        valid_to
    from past

),

keyed as (

    select
        order_id || '-' || line_number
        || ' ' || coalesce(cast(valid_from as {{ sql_type('varchar') }}), '')
        || ' ' || coalesce(cast(valid_to as {{ sql_type('varchar') }}), '')
            as order_line_version_id,
        order_id,
        line_number,
        valid_from,
        valid_to
    from versions

)

select * from keyed
