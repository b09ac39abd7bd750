{# Everything that is written differently in DuckDB and PostgreSQL. What plugs in writes it in macros of
its own, in which `<dialect>__` stands before the name. #}

{# A type, by its name in DuckDB and PostgreSQL. #}
{% macro sql_type(name) -%}
    {{- adapter.dispatch('sql_type', 'wholesale')(name) -}}
{%- endmacro %}

{% macro default__sql_type(name) -%}
    {{- name -}}
{%- endmacro %}

{# An exact quotient of decimals or integers, rounded to six decimals, halves away from zero; NULL if
the denominator is NULL or 0. #}
{% macro ratio(numerator, denominator) -%}
    {{- adapter.dispatch('ratio', 'wholesale')(numerator, denominator) -}}
{%- endmacro %}

{% macro postgres__ratio(numerator, denominator) -%}
    cast(
        round(
            cast({{ numerator }} as decimal(38, 9))
            / nullif(cast({{ denominator }} as decimal(38, 9)), 0),
            6
        ) as decimal(38, 6)
    )
{%- endmacro %}

{# DuckDB divides decimals as floats, which is twenty times as fast as dividing wide integers. Two
casts, a division and two products of floats are off by less than 2^-48 of the quotient. So if the
quotient made a ten-trillionth (10^-13) smaller and larger is rounded to the same number, that is the
exact result. Otherwise integers are divided: both sides in billionths, to half millionths, and an odd
number of these is rounded away from zero. #}
{% macro duckdb__ratio(numerator, denominator) -%}
    {%- set quotient = as_double(numerator) ~ ' / nullif(' ~ as_double(denominator) ~ ', 0)' -%}
    {%- set below = 'round(' ~ quotient ~ ' * cast(999999.9999999 as double))' -%}
    {%- set above = 'round(' ~ quotient ~ ' * cast(1000000.0000001 as double))' -%}
    cast(
        case
            when {{ below }} = {{ above }} then {{ wide(below) }}
            else (
                2000000 * {{ in_billionths(numerator) }}
                // nullif({{ in_billionths(denominator) }}, 0)
                + sign({{ numerator }}) * sign({{ denominator }})
            ) // 2
        end as decimal(38, 0)
    ) * cast(0.000001 as decimal(7, 6))
{%- endmacro %}

{% macro as_double(amount) -%}
    cast(cast({{ amount }} as decimal(38, 9)) as double)
{%- endmacro %}

{% macro in_billionths(amount) -%}
    {{- wide('cast(' ~ amount ~ ' as decimal(38, 9)) * 1000000000') -}}
{%- endmacro %}

{# The natural logarithm of a quotient of numbers above 0, to 18 decimals. Sums of such are exact,
whatever their order. Floats are divided, as Sail divides decimals to thirteen decimals alone, which
a product of many quotients adds up. #}
{% macro log_of_quotient(numerator, denominator) -%}
    {{- adapter.dispatch('log_of_quotient', 'wholesale')(numerator, denominator) -}}
{%- endmacro %}

{% macro default__log_of_quotient(numerator, denominator) -%}
    cast(ln({{ as_double(numerator) }} / {{ as_double(denominator) }}) as decimal(38, 18))
{%- endmacro %}

{% macro postgres__log_of_quotient(numerator, denominator) -%}
    cast(
        ln(
            cast({{ numerator }} as decimal(38, 9)) / cast({{ denominator }} as decimal(38, 9))
        ) as decimal(38, 18)
    )
{%- endmacro %}

{# A value as a literal. #}
{% macro text(value) -%}
    '{{ value | string | replace("'", "''") }}'
{%- endmacro %}

{# Whether a text matches a pattern that is anchored at both ends; and groups of the match. #}
{% macro matches(text, pattern) -%}
    {{- adapter.dispatch('matches', 'wholesale')(text, pattern) -}}
{%- endmacro %}

{% macro default__matches(text, pattern) -%}
    {{ text }} ~ '{{ pattern }}'
{%- endmacro %}

{% macro groups_of(text, pattern, numbers, between) -%}
    {%- set sign = group_sign() -%}
    regexp_replace({{ text }}, '{{ pattern }}', '{{ sign }}{{ numbers | join(between ~ sign) }}')
{%- endmacro %}

{# What stands before the number of a group. #}
{% macro group_sign() -%}
    {{- adapter.dispatch('group_sign', 'wholesale')() -}}
{%- endmacro %}

{% macro default__group_sign() -%}
    \
{%- endmacro %}

{# The day in the time zone of the business. #}
{% macro business_date(instant) -%}
    {{- adapter.dispatch('business_date', 'wholesale')(instant) -}}
{%- endmacro %}

{% macro default__business_date(instant) -%}
    cast({{ instant }} at time zone {{ setting('time_zone') }} as date)
{%- endmacro %}

{# The minute of that day, from 0. #}
{% macro business_minute(instant) -%}
    {{- adapter.dispatch('business_minute', 'wholesale')(instant) -}}
{%- endmacro %}

{% macro default__business_minute(instant) -%}
    {%- set then = instant ~ ' at time zone ' ~ setting('time_zone') -%}
    cast(extract(hour from {{ then }}) * 60 + extract(minute from {{ then }}) as bigint)
{%- endmacro %}

{# Whole days from one day to another; seconds with fractions from one moment to another, and those
that are over. #}
{% macro days_between(earlier, later) -%}
    {{- adapter.dispatch('days_between', 'wholesale')(earlier, later) -}}
{%- endmacro %}

{% macro default__days_between(earlier, later) -%}
    ({{ later }} - {{ earlier }})
{%- endmacro %}

{% macro seconds_between(earlier, later) -%}
    {{- adapter.dispatch('seconds_between', 'wholesale')(earlier, later) -}}
{%- endmacro %}

{% macro whole_seconds_between(earlier, later) -%}
    cast(floor({{ seconds_between(earlier, later) }}) as bigint)
{%- endmacro %}

{% macro default__seconds_between(earlier, later) -%}
    extract(epoch from {{ later }} - {{ earlier }})
{%- endmacro %}

{% macro month_of(date) -%}
    cast(date_trunc('month', {{ date }}) as date)
{%- endmacro %}

{# The month as a part of a key; what is in no month is counted under `none`. #}
{% macro month_key(month) -%}
    coalesce(cast({{ month }} as {{ sql_type('varchar') }}), 'none')
{%- endmacro %}

{# 1 is Monday, 7 is Sunday (ISO 8601). #}
{% macro weekday_of(date) -%}
    {{- adapter.dispatch('weekday_of', 'wholesale')(date) -}}
{%- endmacro %}

{% macro default__weekday_of(date) -%}
    extract(isodow from {{ date }})
{%- endmacro %}

{% macro year_of(date) -%}
    cast(date_trunc('year', {{ date }}) as date)
{%- endmacro %}

{# The same day so many months earlier, or the last day of that month if it has no such day. #}
{% macro months_before(date, months) -%}
    {{- adapter.dispatch('months_before', 'wholesale')(date, months) -}}
{%- endmacro %}

{% macro default__months_before(date, months) -%}
    cast({{ date }} - {{ months }} * interval '1 month' as date)
{%- endmacro %}

{# The Herfindahl-Hirschman index: the sum of the squares of shares in a whole, to twelve decimals,
from shares of at least eighteen decimals. No amount is below zero or above the whole; if that is
zero, the index is NULL. #}
{% macro herfindahl(amount, whole) -%}
    {{- adapter.dispatch('herfindahl', 'wholesale')(amount, whole) -}}
{%- endmacro %}

{% macro postgres__herfindahl(amount, whole) -%}
    cast(round(sum(
        case
            when {{ whole }} > 0
                then power({{ amount }} / {{ whole }}, 2)
        end
    ), 12) as decimal(38, 12))
{%- endmacro %}

{# Floats give the first six digits of a share, the last of which may be off by one. The exact rest
gives twelve more digits, again by floats, which are off by less than 2^-50 of the rest. #}
{% macro default__herfindahl(amount, whole) -%}
    {%- set d = 'nullif(greatest(' ~ whole ~ ', 0), 0)' -%}
    {%- set first = 'cast(floor(1000000 * ' ~ as_double(amount) ~ ' / ' ~ as_double(d) ~ ') as bigint)' -%}
    {%- set rest = as_double(amount ~ ' * 1000000 - ' ~ first ~ ' * ' ~ d) ~ ' / ' ~ as_double(d) -%}
    {%- set share = wide(first ~ ' * 1000000000000 + cast(round(1000000000000 * ' ~ rest ~ ') as bigint)') -%}
    cast({{ short_of_24_digits('sum(' ~ share ~ ' * ' ~ share ~ ')') }} as decimal(38, 0))
    * cast(0.000000000001 as decimal(13, 12))
{%- endmacro %}

{# A wide integer without its last 24 digits, rounded half up. #}
{% macro short_of_24_digits(number) -%}
    {{- adapter.dispatch('short_of_24_digits', 'wholesale')(number) -}}
{%- endmacro %}

{% macro default__short_of_24_digits(number) -%}
    ({{ number }} + {{ wide('5e23') }}) // {{ wide('1e24') }}
{%- endmacro %}

{# An integer of up to 38 digits. #}
{% macro wide(number) -%}
    {{- adapter.dispatch('wide', 'wholesale')(number) -}}
{%- endmacro %}

{% macro default__wide(number) -%}
    cast({{ number }} as hugeint)
{%- endmacro %}

{# The same day a year earlier; for the last day of a month the last day of that month, so that a
whole February is compared with a whole one. #}
{% macro year_before(date) -%}
    greatest({{ months_before(date, 12) }}, {{ months_before('(' ~ date ~ ' + 1)', 12) }} - 1)
{%- endmacro %}

{% macro month_name(number) -%}
    case {{ number }}
        {%- for name in [
            'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August',
            'September', 'October', 'November', 'December'
        ] %}
        when {{ loop.index }} then '{{ name }}'
        {%- endfor %}
    end
{%- endmacro %}

{# Whole months from one first of a month to another. #}
{% macro months_between(earlier, later) -%}
    cast(
        12 * (extract(year from {{ later }}) - extract(year from {{ earlier }}))
        + extract(month from {{ later }}) - extract(month from {{ earlier }})
        as bigint
    )
{%- endmacro %}

{# One row a day from `first` to `last`, both columns of the relation that the query reads. #}
{% macro each_day(first, last) -%}
    {{- adapter.dispatch('each_day', 'wholesale')(first, last) -}}
{%- endmacro %}

{% macro postgres__each_day(first, last) -%}
    cast(generate_series({{ first }}, {{ last }}, interval '1 day') as date)
{%- endmacro %}

{% macro duckdb__each_day(first, last) -%}
    cast(unnest(generate_series({{ first }}, {{ last }}, interval '1 day')) as date)
{%- endmacro %}

{# A hash of these columns, or of all columns of a row; only to be compared within one engine. Hashes
of several rows may be added up: the same change in two rows changes their hashes by different
amounts. #}
{% macro row_hash(columns) -%}
    {{- adapter.dispatch('row_hash', 'wholesale')(columns) -}}
{%- endmacro %}

{% macro duckdb__row_hash(columns) -%}
    {#- Hashed twice, as DuckDB's hash of a row includes the last column by XOR, unmixed. #}
    hash(hash({{ columns }}))
{%- endmacro %}

{% macro postgres__row_hash(columns) -%}
    hashtextextended(row({{ columns }})::text, 0)
{%- endmacro %}
