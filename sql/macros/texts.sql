{# Texts that people typed, as they are compared; they are stored as sent. #}

{# A state as the settings have it: in small letters, without white space around it. #}
{% macro state_name(column) -%}
    lower(trim(both {{ white_space() }} from {{ column }}))
{%- endmacro %}

{# Whether a text is one of those that a setting lists, compared without white space around it and
in small letters, as the setting has them. #}
{% macro is_named_by_setting(column, setting_name) -%}
    {%- set listed = "', ' || " ~ setting(setting_name) ~ " || ', '" -%}
    replace({{ listed }}, ', ' || {{ state_name(column) }} || ', ', '') <> {{ listed }}
{%- endmacro %}

{# A text in small letters, with a blank for each white space. #}
{% macro small_words(column) -%}
    lower(translate({{ column }}, {{ white_space() }}, repeat(' ', {{ white_space_codes() | length }})))
{%- endmacro %}

{# A stock keeping unit without white space and in small letters. #}
{% macro sku_key(column) -%}
    lower(translate({{ column }}, {{ white_space() }}, ''))
{%- endmacro %}

{# The code of a currency (ISO 4217), in capital letters; NULL if it is empty. #}
{% macro currency_code(column) -%}
    nullif(upper(trim(both {{ white_space() }} from {{ column }})), '')
{%- endmacro %}

{# What counts as white space in Unicode, and for `str.strip` of Python, by which settings are read.
Each engine has a list of its own for `trim` alone. #}
{% macro white_space() -%}
    {{- adapter.dispatch('white_space', 'wholesale')() -}}
{%- endmacro %}

{% macro white_space_codes() %}
    {{ return([
        9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197,
        8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288
    ]) }}
{% endmacro %}

{% macro default__white_space() -%}
    chr({{ white_space_codes() | join(') || chr(') }})
{%- endmacro %}

{# A text to be sorted by its code points; PostgreSQL would sort by the locale of the database. #}
{% macro by_code_points(text) -%}
    {{- adapter.dispatch('by_code_points', 'wholesale')(text) -}}
{%- endmacro %}

{% macro default__by_code_points(text) -%}
    {{- text -}}
{%- endmacro %}

{% macro postgres__by_code_points(text) -%}
    {{ text }} collate "C"
{%- endmacro %}
