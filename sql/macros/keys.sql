{# A key of several values, which may contain any character: each is preceded by its length, so that
different lists of values never give the same text. NULL and '' are different. #}
{% macro key_of(values) -%}
    md5(
        {%- for value in values %}
        coalesce(length({{ value }}) || ':' || {{ value }}, 'null') {{- " || ',' ||" if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

{# What tells apart whom or what others name: its id, or where that is missing its name, marked as
one, since an id may be the same text. NULL if there is neither. #}
{% macro identity(id, name) -%}
    coalesce(nullif({{ id }}, ''), 'name:' || nullif({{ name }}, ''))
{%- endmacro %}

{# A key that is only grouped by and counted, never shown: in DuckDB a digest of sixteen bytes, as
millions of longer texts would fill the memory. #}
{% macro compact(key) -%}
    {{- adapter.dispatch('compact', 'wholesale')(key) -}}
{%- endmacro %}

{% macro default__compact(key) -%}
    {{- key -}}
{%- endmacro %}

{% macro duckdb__compact(key) -%}
    md5_number({{ key }})
{%- endmacro %}

{# Whether a line says the item, SKU and variant id of a row of `int_named_products`; each may be NULL.
Only DuckDB joins quickly by values that may be NULL, so it needs no digest. #}
{% macro is_named(line, product) -%}
    {{- adapter.dispatch('is_named', 'wholesale')(line, product) -}}
{%- endmacro %}

{% macro default__is_named(line, product) -%}
    {{ key_of([line ~ '.item_id', line ~ '.sku', line ~ '.variant_id']) }} = {{ product }}.line_product_id
{%- endmacro %}

{% macro duckdb__is_named(line, product) -%}
    {%- for name in ['item_id', 'sku', 'variant_id'] %}
    ({{ line }}.{{ name }} is not distinct from {{ product }}.{{ name }}) {{- ' and' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
