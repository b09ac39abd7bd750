{#- What a setting says of a word goes before what the word says itself. #}
{%- set fields = {
    'processing': 'order_processing_time', 'processed_on': 'order_processing_on',
    'cut_off': 'order_processing_cut_off_time', 'shipping': 'order_shipping_days'
} -%}
with

vendors as (

    select
        {%- for name, field in fields.items() %}
        cast({{ field }} as {{ sql_type('text') }}) as {{ name }}_text,
        {%- endfor %}
        vendor_id
    from {{ ref('dim_vendors') }}

),

keyed as (

    select
        {%- for name in fields %}
        {{ name }}_text,
        coalesce({{ terms_key(name ~ '_text') }}, '') as {{ name }}_key,
        {%- endfor %}
        vendor_id
    from vendors

),

{# Only of a time is it known what it means that there is none. #}
meant as (

    select
        {%- for name in fields %}
        keyed.{{ name }}_text,
        keyed.{{ name }}_key,
        case
            when {{ name }}_words.meaning is not null then {{ name }}_words.meaning
            when keyed.{{ name }}_key <> '' then {{ small_words('keyed.' ~ name ~ '_text') }}
        end as {{ name }}_words,
        {%- endfor %}
        keyed.vendor_id
    from keyed
    left join {{ processing() }} as processing_words
        on keyed.processing_key = processing_words.word
    {%- for name in ['processed_on', 'cut_off', 'shipping'] %}
    left join {{ processing() }} as {{ name }}_words
        on keyed.{{ name }}_key = nullif({{ name }}_words.word, '')
    {%- endfor %}

),

judged as (

    select
        *,
        {{ is_in_business_days('processing_words', 'processed_on_words') }} as is_in_business_days
    from meant

),

read_words as (

    select
        *,
        {{ days_in_processing('processing_words', 'is_in_business_days') }} as processing_days,
        {{ minute_in('cut_off_words') }} as cut_off_minute,
        {{ weekdays_in('shipping_words') }} as shipping_weekdays
    from judged

),

asked as (

    select
        *,
        case
            when processing_key = '' and processing_words is null then null
            when processing_days is null then 'order_processing_time'
            when is_in_business_days is null then 'order_processing_on'
            when cut_off_key <> '' and cut_off_minute is null then 'order_processing_cut_off_time'
            when shipping_key not in ('', '[]', 'null') and shipping_weekdays is null
                then 'order_shipping_days'
        end as unknown_field
    from read_words

),

final as (

    select
        vendor_id,
        processing_days,
        is_in_business_days,
        cut_off_minute,
        shipping_weekdays,
        unknown_field,
        case unknown_field
            {%- for name, field in fields.items() %}
            when '{{ field }}' then {{ name }}_key
            {%- endfor %}
        end as unknown_key,
        case unknown_field
            {%- for name, field in fields.items() %}
            when '{{ field }}' then {{ name }}_text
            {%- endfor %}
        end as unknown_text
    from asked

)

select * from final
