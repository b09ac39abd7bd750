{# Made by `poe generate`: edit pipelines/wholesale_elt/past/kinds.py, not this file. #}

{# What became of an order, by the row `before` and the row `after`, which differ in anything. #}
{% macro event_kind(before, after, complete_as_of, has_other_state, has_other_content) -%}
    case
        when {{ before }}.order_id is null
            and not {{ after }}.is_deleted
            and {{ after }}.ordered_at <= {{ complete_as_of }}
            then 'found late'
        when {{ before }}.order_id is null
            and not {{ after }}.is_deleted
            then 'new'
        when not {{ before }}.is_deleted
            and {{ after }}.is_deleted
            then 'deleted'
        when {{ before }}.is_deleted
            and not {{ after }}.is_deleted
            then 'reappeared'
        when not {{ after }}.is_deleted
            and {{ after }}.is_cancelled
            and not {{ before }}.is_cancelled
            and ({{ before }}.order_status is null or {{ before }}.order_status <> {{ after }}.order_status)
            then 'cancelled'
        when not {{ after }}.is_deleted
            and {{ has_other_state }}
            and not {{ has_other_content }}
            then 'state changed'
        when not {{ after }}.is_deleted
            then 'edited'
    end
{%- endmacro %}

{# Columns of a raw order that are more than a state and what goes with it. #}
{% macro order_contents() %}
    {{ return([
        "order_number",
        "sub_total",
        "total",
        "vendor_id",
        "vendor_name",
        "vendor_minimum_order_value",
        "buyer_id",
        "buyer_user_id",
        "buyer_company_name",
        "transaction_fee",
        "po_number",
        "order_line_items_discount_amount",
        "shipping_name",
        "shipping_email",
        "shipping_company",
        "shipping_phone",
        "shipping_address1",
        "shipping_address2",
        "shipping_city",
        "shipping_state",
        "shipping_country",
        "shipping_zip",
        "billing_name",
        "billing_email",
        "billing_company",
        "billing_phone",
        "billing_address1",
        "billing_address2",
        "billing_city",
        "billing_state",
        "billing_country",
        "billing_zip",
        "billing_payment_method_type",
        "billing_payment_method_instruction_pay_to",
        "billing_payment_method_instruction_send_to_address",
        "billing_payment_method_instruction_memo",
        "billing_payment_method_instruction_other",
        "created_at",
        "_extra",
    ]) }}
{% endmacro %}
