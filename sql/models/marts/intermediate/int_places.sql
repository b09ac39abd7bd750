with

orders as (

    select
        shipping_country,
        shipping_state,
        billing_country,
        billing_state
    from {{ ref('stg_wholesale__orders') }}
    group by
        shipping_country,
        shipping_state,
        billing_country,
        billing_state

),

written as (

    select
        shipping_country as country,
        shipping_state as state
    from orders
    union
    select
        billing_country as country,
        billing_state as state
    from orders
    union
    select
        country,
        state
    from {{ ref('stg_wholesale__buyers') }}
    union
    select
        country,
        state
    from {{ ref('stg_wholesale__vendors') }}

),

addresses as (

    select
        coalesce(country, '') as written_country,
        coalesce(state, '') as written_state
    from written
    group by
        coalesce(country, ''),
        coalesce(state, '')

),

final as (

    select
        addresses.written_country,
        addresses.written_state,
        countries.country,
        states.state
    from addresses
    inner join {{ named_places() }} as countries
        on {{ place_key('addresses.written_country') }} = countries.place_key
        and countries.state is null
    left join {{ named_places() }} as states
        on countries.country = states.country
        and {{ place_key('addresses.written_state') }} = states.place_key
        and states.state is not null

)

select * from final
