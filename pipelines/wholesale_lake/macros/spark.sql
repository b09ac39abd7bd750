{# What Spark writes in its own way, of what the macros of the models dispatch; Sail is as Spark. #}

{% macro spark__sql_type(name) -%}
    {{- {'text': 'string', 'varchar': 'string', 'json': 'string', 'timestamptz': 'timestamp'}.get(name, name) -}}
{%- endmacro %}

{# Needs the setting `allowPrecisionLoss = false`: otherwise Spark would silently lose digits. #}
{% macro spark__ratio(numerator, denominator) -%}
    {{- wholesale.postgres__ratio(numerator, denominator) -}}
{%- endmacro %}

{# The time zone of the session is UTC. #}
{% macro spark__business_date(instant) -%}
    cast(from_utc_timestamp({{ instant }}, {{ setting('time_zone') }}) as date)
{%- endmacro %}

{% macro spark__business_minute(instant) -%}
    {%- set then = 'from_utc_timestamp(' ~ instant ~ ', ' ~ setting('time_zone') ~ ')' -%}
    cast(hour({{ then }}) * 60 + minute({{ then }}) as bigint)
{%- endmacro %}

{% macro spark__days_between(earlier, later) -%}
    cast(datediff({{ later }}, {{ earlier }}) as bigint)
{%- endmacro %}

{% macro spark__seconds_between(earlier, later) -%}
    cast(unix_micros({{ later }}) - unix_micros({{ earlier }}) as decimal(32, 0))
    * cast(0.000001 as decimal(6, 6))
{%- endmacro %}

{# Counted from a Monday, as `weekday` of Sail differs from that of Spark. #}
{% macro spark__weekday_of(date) -%}
    (pmod(datediff({{ date }}, date '1970-01-05'), 7) + 1)
{%- endmacro %}

{% macro spark__months_before(date, months) -%}
    add_months({{ date }}, -({{ months }}))
{%- endmacro %}

{# Sail divides with four more digits, for which there is no room. #}
{% macro spark__short_of_24_digits(number) -%}
    round({{ number }} * cast(0.000000000000000000000001 as decimal(24, 24)), 0)
{%- endmacro %}

{% macro spark__wide(number) -%}
    cast({{ number }} as decimal(38, 0))
{%- endmacro %}

{% macro spark__each_day(first, last) -%}
    explode(sequence(cast({{ first }} as date), cast({{ last }} as date), interval 1 day))
{%- endmacro %}

{% macro spark__row_hash(columns) -%}
    xxhash64({{ columns }})
{%- endmacro %}

{% macro spark__white_space() -%}
    '
    {%- for code in white_space_codes() -%}
        {{ '\\u%04x' | format(code) }}
    {%- endfor -%}
    '
{%- endmacro %}

{% macro spark__matches(text, pattern) -%}
    {{ text }} rlike '{{ pattern }}'
{%- endmacro %}

{% macro spark__group_sign() -%}
    $
{%- endmacro %}

{# These are tables beside the others, as a session has one database. #}
{% macro spark__settings() -%}
    build_settings
{%- endmacro %}

{% macro spark__states() -%}
    build_states
{%- endmacro %}

{% macro spark__terms() -%}
    build_terms
{%- endmacro %}

{% macro spark__named_places() -%}
    build_places
{%- endmacro %}

{% macro spark__processing() -%}
    build_processing
{%- endmacro %}

{% macro spark__goals() -%}
    build_goals
{%- endmacro %}
