{# Processing: what vendors write of how they ship (§2.7), and the day on which they promise to. #}

{# The days that a processing time says: `2 days`, `1-3 business days` (the longest), `1 week`,
`48 hours`, `same day`; else NULL. A week has five business days. #}
{% macro days_in_processing(words, is_in_business_days) -%}
    {%- set begin = '^ *((with)?in *)?(([0-9]{1,3}) *(-|–|to) *)?' -%}
    {%- set kind = ' *-? *(business *|working *|calendar *|week)?' -%}
    {%- set end = ' *[.]? *$' -%}
    {%- set days = begin ~ '([0-9]{1,3})' ~ kind ~ '(days?|d)' ~ end -%}
    {%- set weeks = begin ~ '([0-9]{1,2}) *-? *(weeks?|wks?)' ~ end -%}
    {%- set hours = begin ~ '(24|48|72|96|120) *-? *(hours?|hrs?|h)' ~ end -%}
    {%- set same = '^ *same *-? *(business *|working *)?day' ~ end -%}
    {%- set next = '^ *next *-? *(business *|working *)?day' ~ end -%}
    case
        when {{ matches(words, days) }} then {{ longest_of(words, days) }}
        when {{ matches(words, weeks) }}
            then {{ longest_of(words, weeks) }} * case when {{ is_in_business_days }} then 5 else 7 end
        when {{ matches(words, hours) }}
            then cast(floor({{ longest_of(words, hours) }} / 24) as bigint)
        when {{ matches(words, same) }} then cast(0 as bigint)
        when {{ matches(words, next) }} then cast(1 as bigint)
    end
{%- endmacro %}

{% macro longest_of(words, pattern) -%}
    greatest(
        cast(coalesce(nullif({{ groups_of(words, pattern, [4], '') }}, ''), '0') as bigint),
        cast({{ groups_of(words, pattern, [6], '') }} as bigint)
    )
{%- endmacro %}

{# Whether its days are business days, Monday to Friday: as the time says, or else the days on which
the vendor processes orders. Without a word on either, days are days; NULL for other words. #}
{% macro is_in_business_days(words, processed_on) -%}
    case
        when {{ matches(words, '^.*(business|working|week) *days?.*$') }} then true
        when {{ matches(words, '^.*calendar *days?.*$') }} then false
        when {{ processed_on }} is null then false
        when {{ matches(processed_on, '^ *(business|working|week)[ _-]*days?( *only)? *$') }} then true
        when {{ matches(processed_on, '^ *mon(day)? *(-|–|to) *fri(day)? *$') }} then true
        when {{ matches(processed_on, '^ *((calendar|all|every)[ _-]*days?|daily) *$') }} then false
        when {{ matches(processed_on, '^ *mon(day)? *(-|–|to) *sun(day)? *$') }} then false
    end
{%- endmacro %}

{# The minute of the day of a time such as `14:30` or `2 PM`; else NULL. #}
{% macro minute_in(words) -%}
    {%- set exact = '^ *([01]?[0-9]|2[0-3]):([0-5][0-9])(:00)? *$' -%}
    {%- set of_half_a_day = '^ *(0?[1-9]|1[0-2])(:([0-5][0-9]))? *([ap])[.]?m[.]? *$' -%}
    case
        when {{ matches(words, exact) }}
            then
                cast({{ groups_of(words, exact, [1], '') }} as bigint) * 60
                + cast({{ groups_of(words, exact, [2], '') }} as bigint)
        when {{ matches(words, of_half_a_day) }}
            then
                cast({{ groups_of(words, of_half_a_day, [1], '') }} as bigint) % 12 * 60
                + cast(
                    coalesce(nullif({{ groups_of(words, of_half_a_day, [3], '') }}, ''), '0')
                    as bigint
                )
                + case {{ groups_of(words, of_half_a_day, [4], '') }} when 'p' then 720 else 0 end
    end
{%- endmacro %}

{# Days of the week as seven digits, from Monday on, 1 for each that is among them: of a list such as
`["monday", "friday"]`, of `Mon-Fri` or `weekdays`; else NULL. #}
{% macro weekdays_in(words) -%}
    {%- set listed = 'lower(translate(' ~ words ~ ', ' ~ white_space() ~ " || '[]\"', ''))" -%}
    {%- set names = [
        'mon(day)?s?', 'tue(s|sday)?s?', 'wed(nesday)?s?', 'thu(r|rs|rsday)?s?', 'fri(day)?s?',
        'sat(urday)?s?', 'sun(day)?s?'
    ] -%}
    {%- set any = '(' ~ names | join('|') ~ ')' -%}
    case
        when {{ matches(listed, '^(mon(day)?(-|–|to)fri(day)?|(week|business|working)days?)$') }}
            then '1111100'
        when {{ matches(listed, '^(mon(day)?(-|–|to)sun(day)?|everyday|daily)$') }} then '1111111'
        when {{ matches(listed, '^' ~ any ~ '(,' ~ any ~ ')*$') }}
            then
                {%- for name in names %}
                case when {{ matches(listed, '^(.*,)?' ~ name ~ '(,.*)?$') }} then '1' else '0' end
                {{- ' ||' if not loop.last }}
                {%- endfor %}
    end
{%- endmacro %}

{# The day so many days after another one: all days count, or those from Monday to Friday, of which
the first is one. #}
{% macro day_after(date, days, is_in_business_days) -%}
    {{ date }} + cast(
        {{ days }}
        + case
            when {{ is_in_business_days }}
                then 2 * floor(({{ weekday_of(date) }} - 1 + {{ days }}) / 5)
            else 0
        end as integer
    )
{%- endmacro %}

{# How many days it is to the first of these days of the week; 0 if there are none. #}
{% macro days_to_weekday(date, weekdays) -%}
    {%- set twice = weekdays ~ ' || ' ~ weekdays -%}
    case
        {%- for days in range(7) %}
        when substr({{ twice }}, cast({{ weekday_of(date) }} as integer) + {{ days }}, 1) = '1' then {{ days }}
        {%- endfor %}
        else 0
    end
{%- endmacro %}
