with

vendor_terms as (

    select
        terms_key,
        max({{ by_code_points('order_terms') }}) as order_terms,
        max(terms_days) as terms_days,
        count(*) as vendor_count
    from {{ ref('int_vendor_terms') }}
    group by terms_key

),

meanings as (

    select * from {{ terms() }}

),

named as (

    select
        coalesce(vendor_terms.terms_key, meanings.term) as terms_key,
        nullif(coalesce(vendor_terms.order_terms, meanings.term), '') as order_terms,
        coalesce(meanings.days, vendor_terms.terms_days) as terms_days,
        case
            when meanings.term is not null then 'set'
            when vendor_terms.terms_days is not null then 'read'
            else 'unknown'
        end as meaning,
        coalesce(vendor_terms.vendor_count, 0) as vendor_count
    from vendor_terms
    full join meanings on vendor_terms.terms_key = meanings.term

),

unpaid as (

    select
        due_days.terms_key,
        count(*) as order_count,
        sum(receivables.total) as amount
    from {{ ref('rpt_receivables') }} as receivables
    inner join {{ ref('int_due_days') }} as due_days on receivables.order_id = due_days.order_id
    group by due_days.terms_key

),

final as (

    select
        'terms-' || coalesce(named.terms_key, unpaid.terms_key) as order_terms_id,
        named.order_terms,
        named.terms_days,
        coalesce(named.meaning, 'unknown') as meaning,
        coalesce(named.vendor_count, 0) as vendor_count,
        coalesce(unpaid.order_count, 0) as order_count,
        case when unpaid.order_count > 0 then unpaid.amount else 0 end as amount
    from named
    full join unpaid on named.terms_key = unpaid.terms_key

)

select * from final
