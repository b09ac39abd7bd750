{# Reports use three words of their own: `all` for a sum, `unknown` and `none` for a missing value. A
value of the service that is one of these words is put in quotation marks, as in CSV. #}
{% macro quoted(value) -%}
    '"' || replace({{ value }}, '"', '""') || '"'
{%- endmacro %}

{% macro as_told(value) -%}
    case
        when {{ value }} in ('all', 'unknown', 'none') or {{ value }} like '"%' then {{ quoted(value) }}
        else {{ value }}
    end
{%- endmacro %}

{% macro told(value, otherwise='unknown') -%}
    coalesce({{ as_told(value) }}, '{{ otherwise }}')
{%- endmacro %}

{# The name of a vendor in a report that has sums over all of them. #}
{% macro vendor_name_or_all(vendor_name, vendor_id) -%}
    coalesce({{ vendor_name }}, case when {{ vendor_id }} = 'all' then 'all' end)
{%- endmacro %}

{# Where an order is shipped to: country and state (`United States-California`), only one of them if
the other is not given (`United Kingdom`, `unknown-CA`), or `unknown`. A country with a hyphen is
quoted, so that no two places have the same text. #}
{% macro shipped_to(orders) -%}
    {%- set country = "nullif(" ~ orders ~ ".shipping_country, '')" -%}
    {%- set state = "nullif(" ~ orders ~ ".shipping_state, '')" -%}
    case
        when {{ country }} like '%-%' then {{ quoted(country) }}
        else {{ told(country) }}
    end || coalesce('-' || {{ state }}, '')
{%- endmacro %}

{# A country or state as it is compared: small letters without accents, blanks and signs, `&` as
`and`. `place_key` of `wholesale_elt.places` is this in Python. #}
{% macro place_key(text) -%}
    replace(
        lower(translate(
            {{ text }},
            '{{ place_letters().values() | join }}
            {%- for code in place_signs() %}{{ '%c' | format(code) }}{% endfor %}' || chr(39) || {{ white_space() }},
            '{% for letter, written in place_letters().items() %}{{ letter * (written | length) }}{% endfor %}'
        )),
        '&',
        'and'
    )
{%- endmacro %}

{% macro place_letters() %}
    {{ return({
        'a': 'ÀÁÂÃÄÅàáâãäåĀāĂăĄąǍǎ',
        'c': 'ÇçĆćĈĉĊċČč',
        'd': 'ĎďĐđ',
        'e': 'ÈÉÊËèéêëĒēĔĕĖėĘęĚě',
        'g': 'ĜĝĞğĠġĢģ',
        'h': 'ĤĥĦħ',
        'i': 'ÌÍÎÏìíîïĨĩĪīĬĭĮįİıǏǐ',
        'j': 'Ĵĵ',
        'k': 'Ķķ',
        'l': 'ĹĺĻļĽľŁł',
        'n': 'ÑñŃńŅņŇň',
        'o': 'ÒÓÔÕÖØòóôõöøŌōŎŏŐőƠơǑǒ',
        'r': 'ŔŕŖŗŘř',
        's': 'ŚśŜŝŞşŠšȘș',
        't': 'ŢţŤťȚț',
        'u': 'ÙÚÛÜùúûüŨũŪūŬŭŮůŰűŲųƯưǓǔ',
        'w': 'Ŵŵ',
        'y': 'ÝýÿŶŷŸ',
        'z': 'ŹźŻżŽž',
    }) }}
{% endmacro %}

{# Signs besides `'`: `.,()` and other apostrophes, and accents that are characters of their own. #}
{% macro place_signs() %}
    {{ return([46, 44, 40, 41, 8216, 8217, 699, 700] + range(768, 816) | list) }}
{% endmacro %}

{# What a country or state is called; else as it is written, without white space around it, and NULL
if nothing is left. #}
{% macro place_name(name, text) -%}
    coalesce({{ name }}, nullif(trim(both {{ white_space() }} from {{ text }}), ''))
{%- endmacro %}

{# Whether a row of `int_places` is that of a country and a state as the service has them. #}
{% macro is_place(places, country, state) -%}
    coalesce({{ country }}, '') = {{ places }}.written_country
    and coalesce({{ state }}, '') = {{ places }}.written_state
{%- endmacro %}
