{# Words of the reports' own, `all` for a sum and `unknown` or `none` for what is not told, and values
of the service that are the same words: these are put in quotation marks, as CSV would do it. #}
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

{# Where an order goes: country and state (`US-CA`), one of them alone where the other is not given
(`GB`, `unknown-CA`), or `unknown`. A country with a hyphen is quoted, so that no two places are
told alike. #}
{% macro shipped_to(orders) -%}
    {%- set country = "nullif(" ~ orders ~ ".shipping_country, '')" -%}
    {%- set state = "nullif(" ~ orders ~ ".shipping_state, '')" -%}
    case
        when {{ country }} like '%-%' then {{ quoted(country) }}
        else {{ told(country) }}
    end || coalesce('-' || {{ state }}, '')
{%- endmacro %}
