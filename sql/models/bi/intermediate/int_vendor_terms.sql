{# What a setting says of terms goes before what they say themselves. #}
with

vendors as (

    select
        vendor_id,
        order_terms,
        coalesce({{ terms_key('order_terms') }}, '') as terms_key,
        {{ days_in_terms('order_terms') }} as days_in_terms
    from {{ ref('dim_vendors') }}

),

final as (

    select
        vendors.vendor_id,
        vendors.order_terms,
        vendors.terms_key,
        coalesce(terms.days, vendors.days_in_terms) as terms_days
    from vendors
    left join {{ terms() }} as terms on vendors.terms_key = terms.term

)

select * from final
