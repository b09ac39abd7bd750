{# Settings are rows of two tables, so that the SQL is the same for all of them. `wholesale build`
writes them from the section `build` of its configuration, the hook below from the variables of
dbt. #}

{# One row: a column for each setting, and when the build began. #}
{% macro settings() -%}
    {{- adapter.dispatch('settings', 'wholesale')() -}}
{%- endmacro %}

{% macro default__settings() -%}
    wholesale_build.settings
{%- endmacro %}

{# One row a field of orders and state: what the state means. The API does not say (§3). Those that
are past mean nothing for orders any more, and still tell what their earlier states meant. #}
{% macro states() -%}
    {{- adapter.dispatch('states', 'wholesale')() -}}
{%- endmacro %}

{% macro default__states() -%}
    wholesale_build.states
{%- endmacro %}

{# One row for each term of payment that the settings name: after how many days it is due. #}
{% macro terms() -%}
    {{- adapter.dispatch('terms', 'wholesale')() -}}
{%- endmacro %}

{% macro default__terms() -%}
    wholesale_build.terms
{%- endmacro %}

{# One row for each code and name of a country, and of a state within it: by what key it is found,
and what it is called (`wholesale_elt.places`). #}
{% macro named_places() -%}
    {{- adapter.dispatch('named_places', 'wholesale')() -}}
{%- endmacro %}

{% macro default__named_places() -%}
    wholesale_build.places
{%- endmacro %}

{# One row for each word of a vendor on its processing that the settings name: what it means, in words
that are read. #}
{% macro processing() -%}
    {{- adapter.dispatch('processing', 'wholesale')() -}}
{%- endmacro %}

{% macro default__processing() -%}
    wholesale_build.processing
{%- endmacro %}

{# One row a goal of the file that the settings name. #}
{% macro goals() -%}
    {{- adapter.dispatch('goals', 'wholesale')() -}}
{%- endmacro %}

{% macro default__goals() -%}
    wholesale_build.goals
{%- endmacro %}

{% macro setting(name) -%}
    (select build.{{ name }} from {{ settings() }} as build)
{%- endmacro %}

{# When the build began. #}
{% macro now() -%}
    {{ setting('built_at') }}
{%- endmacro %}

{# For builds by dbt. The mark goes: `wholesale build` does not know what dbt made. Countries and
states have the names that the last `wholesale build` knew, and goals are those that it read; without
one there are none, and names stay as written. #}
{% macro write_settings() %}
    {% if not execute or flags.WHICH not in ['build', 'run', 'test'] %}{{ return('') }}{% endif %}
    {% call statement('settings') %}
        create schema if not exists wholesale_build;
        drop table if exists wholesale_build.mark;
        drop table if exists wholesale_build.settings;
        create table wholesale_build.settings as
        select
            {{ text(var('time_zone')) }} as time_zone,
            {{ text(var('currency')) }} as currency,
            cast({{ var('near_miss_share') }} as decimal(13, 12)) as near_miss_share,
            cast({{ var('late_percentile') }} as decimal(13, 12)) as late_percentile,
            {% for name in [
                'lapse_days', 'late_minimum_orders', 'confirm_days', 'confirm_minimum_orders',
                'old_order_days', 'overdue_days', 'recent_days', 'spending_days', 'done_days',
                'price_change_days', 'pair_minimum_orders'
            ] -%}
            cast({{ var(name) }} as bigint) as {{ name }},
            {% endfor -%}
            '{% for term, days in var('terms') | dictsort -%}
            {{ ', ' if not loop.first }}"{{ term | replace("'", "''") }}" = {{ days }}
            {%- endfor %}' as terms,
            '{% for word, meaning in var('processing') | dictsort -%}
            {{ ', ' if not loop.first }}"{{ word | replace("'", "''") }}" = "{{ meaning }}"
            {%- endfor %}' as processing,
            cast({{ text(var('is_discount_in_amounts')) }} as boolean) as is_discount_in_amounts,
            cast({{ var('largest_amount') }} as decimal(38, 9)) as largest_amount,
            cast({{ var('largest_quantity') }} as bigint) as largest_quantity,
            cast({{ text(var('first_plausible_day')) }} as date) as first_plausible_day,
            cast({{ text(var('first_plausible_day') ~ ' 00:00:00+00') }} as timestamptz)
                as first_plausible_at,
            {% for name in ['color_options', 'size_options'] -%}
            {{ text(var(name) | sort | join(', ')) }} as {{ name }},
            {% endfor -%}
            {% for names in standings().values() -%}
            {% for name in names.values() -%}
            {{ text(var(name) | sort | join(', ')) }} as {{ name }},
            {% endfor -%}
            {% endfor -%}
            'dbt' as build_key,
            cast({{ text(run_started_at) }} as timestamptz) as built_at;
        drop table if exists wholesale_build.states;
        create table wholesale_build.states (
            field_name text,
            state text,
            standing text,
            is_expected boolean,
            is_past boolean
        );
        {% for field, names in standings().items() %}
        {% set seen = [] %}
        {% for standing, name in names.items() %}
        {% for state in var(name) if state not in seen %}
        {% do seen.append(state) %}
        insert into wholesale_build.states values (
            '{{ field }}', {{ text(state) }}, '{{ standing }}', false, false
        );
        {% endfor %}
        {% endfor %}
        {% endfor %}
        drop table if exists wholesale_build.terms;
        create table wholesale_build.terms (term text, days bigint);
        {% for term, days in var('terms').items() %}
        insert into wholesale_build.terms values ({{ text(term) }}, {{ days }});
        {% endfor %}
        create table if not exists wholesale_build.goals (
            month_start date,
            goal_metric text,
            goal_vendor text,
            account_manager_id text,
            target decimal(38, 9),
            is_of_part boolean
        );
        create table if not exists wholesale_build.places (
            country text, state text, place_key text, made_of text
        );
        drop table if exists wholesale_build.processing;
        create table wholesale_build.processing (word text, meaning text);
        {% for word, meaning in var('processing').items() %}
        insert into wholesale_build.processing values ({{ text(word) }}, {{ text(meaning) }});
        {% endfor %}
    {% endcall %}
    {% do adapter.commit() %}
{% endmacro %}

{# The standings by field of an order, each with the setting that names its states: of a state that
several name the first counts. #}
{% macro standings() %}
    {{ return({
        'order_status': {
            'cancelled': 'cancelled_order_statuses',
            'returned': 'returned_order_statuses',
            'done': 'done_order_statuses',
            'sent': 'sent_order_statuses',
            'accepted': 'accepted_order_statuses',
            'waiting': 'waiting_order_statuses',
        },
        'payment_status': {
            'refunded': 'refunded_payment_statuses',
            'settled': 'settled_payment_statuses',
            'open': 'open_payment_statuses',
        },
    }) }}
{% endmacro %}
