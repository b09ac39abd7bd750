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

{# Where an order is shipped to: country and state (`US-CA`), only one of them if the other is not
given (`GB`, `unknown-CA`), or `unknown`. A country with a hyphen is quoted, so that no two places
have the same text. #}
{% macro shipped_to(orders) -%}
    {%- set country = "nullif(" ~ orders ~ ".shipping_country, '')" -%}
    {%- set state = "nullif(" ~ orders ~ ".shipping_state, '')" -%}
    case
        when {{ country }} like '%-%' then {{ quoted(country) }}
        else {{ told(country) }}
    end || coalesce('-' || {{ state }}, '')
{%- endmacro %}
