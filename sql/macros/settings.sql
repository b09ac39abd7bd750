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

{# One row a field of orders and state: what the state means. The API does not say (§3). #}
{% macro states() -%}
    {{- adapter.dispatch('states', 'wholesale')() -}}
{%- endmacro %}

{% macro default__states() -%}
    wholesale_build.states
{%- endmacro %}

{% macro setting(name) -%}
    (select build.{{ name }} from {{ settings() }} as build)
{%- endmacro %}

{# When the build began. #}
{% macro now() -%}
    {{ setting('built_at') }}
{%- endmacro %}

{# For builds by dbt. The mark goes: `wholesale build` does not know what dbt made. #}
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
            cast({{ var('lapse_days') }} as bigint) as lapse_days,
            cast({{ var('late_percentile') }} as decimal(13, 12)) as late_percentile,
            cast({{ var('late_minimum_orders') }} as bigint) as late_minimum_orders,
            cast({{ text(var('is_discount_in_amounts')) }} as boolean) as is_discount_in_amounts,
            cast({{ var('largest_amount') }} as decimal(38, 9)) as largest_amount,
            cast({{ var('largest_quantity') }} as bigint) as largest_quantity,
            cast({{ text(var('first_plausible_day')) }} as date) as first_plausible_day,
            cast({{ text(var('first_plausible_day') ~ ' 00:00:00+00') }} as timestamptz)
                as first_plausible_at,
            {{ text(var('cancelled_order_statuses') | sort | join(', ')) }}
                as cancelled_order_statuses,
            {{ text(var('refunded_payment_statuses') | sort | join(', ')) }}
                as refunded_payment_statuses,
            'dbt' as build_key,
            cast({{ text(run_started_at) }} as timestamptz) as built_at;
        drop table if exists wholesale_build.states;
        create table wholesale_build.states (
            field_name text,
            state text,
            is_known boolean,
            is_cancelled boolean,
            is_settled boolean,
            is_refunded boolean,
            is_expected boolean
        );
        {% for field, cancelled, settled, refunded, known in [
            ('order_status', 'cancelled_order_statuses', none, none, 'known_order_statuses'),
            (
                'payment_status', none, 'settled_payment_statuses', 'refunded_payment_statuses',
                'known_payment_statuses'
            ),
        ] %}
        {% set of = {
            'cancelled': var(cancelled) if cancelled else [],
            'settled': var(settled) if settled else [],
            'refunded': var(refunded) if refunded else [],
        } %}
        {% for state in (
            of.cancelled + of.settled + of.refunded + var(known)
        ) | unique(case_sensitive=true) %}
        insert into wholesale_build.states values (
            '{{ field }}',
            {{ text(state) }},
            {{ state in of.cancelled + of.settled + var(known) }},
            {{ state in of.cancelled }},
            {{ state in of.settled }},
            {{ state in of.refunded }},
            false
        );
        {% endfor %}
        {% endfor %}
    {% endcall %}
    {% do adapter.commit() %}
{% endmacro %}
