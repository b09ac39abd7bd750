{# What became of orders, from one row of the past to the next one. #}
with

versions as (

    select * from {{ ref('int_order_versions') }}

),

changed_lines as (

    select * from {{ ref('int_changed_lines') }}

),

{# An order whose lines alone are others has one row before and after. #}
pairs as (

    select
        versions.order_id,
        versions.valid_from as changed_at,
        versions.version_number - 1 as number_before,
        versions.version_number as number_after,
        case
            when versions.version_number > 1 then coalesce(changed_lines.line_count, 0)
            else 0
        end as line_count
    from versions
    left join changed_lines
        on versions.order_id = changed_lines.order_id
        and versions.valid_from = changed_lines.changed_at
    union all
    select
        changed_lines.order_id,
        changed_lines.changed_at,
        versions.version_number as number_before,
        versions.version_number as number_after,
        changed_lines.line_count
    from changed_lines
    inner join versions
        on changed_lines.order_id = versions.order_id
        and (versions.valid_from is null or changed_lines.changed_at > versions.valid_from)
        and (versions.valid_to is null or changed_lines.changed_at < versions.valid_to)

),

classified as (

    select
        pairs.order_id || '-' || row_number() over (
            partition by pairs.order_id
            order by pairs.number_after asc, pairs.changed_at asc nulls first
        ) as order_event_id,
        pairs.order_id,
        {{ event_kind(
            'earlier', 'later', 'later.known_until',
            '(earlier.states_hash <> later.states_hash)',
            '(earlier.contents_hash <> later.contents_hash or pairs.line_count > 0)'
        ) }} as event_kind,
        pairs.changed_at as observed_at,
        pairs.line_count as changed_line_count,
        {% for name in ['order_status', 'order_standing', 'payment_status', 'payment_standing'] -%}
        earlier.{{ name }} as {{ name }}_before,
        later.{{ name }} as {{ name }}_after,
        {% endfor -%}
        case when coalesce(earlier.is_counted, false) then earlier.sub_total else 0 end
            as amount_before,
        case when later.is_counted then later.sub_total else 0 end as amount_after,
        {% for name, what in {'sale': 'order_id', 'told': 'sub_total'}.items() -%}
        case when later.is_counted and later.{{ what }} is not null then 1 else 0 end
        - case when earlier.is_counted and earlier.{{ what }} is not null then 1 else 0 end
            as {{ name }}_effect,
        {% endfor -%}
        later.total as total_after
    from pairs
    inner join versions as later
        on pairs.order_id = later.order_id
        and pairs.number_after = later.version_number
    left join versions as earlier
        on pairs.order_id = earlier.order_id
        and pairs.number_before = earlier.version_number

),

{# What an order without an amount added is not known. #}
final as (

    select
        order_event_id,
        order_id,
        event_kind,
        observed_at,
        changed_line_count,
        order_status_before,
        order_status_after,
        order_standing_before,
        order_standing_after,
        payment_status_before,
        payment_status_after,
        payment_standing_before,
        payment_standing_after,
        amount_before,
        amount_after,
        case
            when amount_before <> 0 or amount_after <> 0
                then coalesce(amount_after, 0) - coalesce(amount_before, 0)
            else amount_after - amount_before
        end as amount_effect,
        sale_effect,
        told_effect,
        total_after
    from classified
    where event_kind is not null

)

select * from final
