select
    'orders' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders as record
union all
select
    'orders__order_line_items' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__order_line_items as record
union all
select
    'orders__order_comments' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__order_comments as record
union all
select
    'orders__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_orders__observations as record
union all
select
    'vendors' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_vendors as record
union all
select
    'vendors__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_vendors__observations as record
union all
select
    'buyers' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_buyers as record
union all
select
    'buyer_users' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_buyer_users as record
union all
select
    'items' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_items as record
union all
select
    'items__options' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_items__options as record
union all
select
    'variants' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants as record
union all
select
    'variants__options' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants__options as record
union all
select
    'variants__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_variants__observations as record
union all
select
    'item_images' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_item_images as record
union all
select
    'price_lists' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_price_lists as record
union all
select
    'prices' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_prices as record
union all
select
    'prices__observations' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_prices__observations as record
union all
select
    'brands' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_brands as record
union all
select
    'categories' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_categories as record
union all
select
    'custom_fields' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_custom_fields as record
union all
select
    'extra_fields' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_extra_fields as record
union all
select
    'quarantine' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_quarantine as record
union all
select
    'sync_runs' as input_name,
    count(*) || ' ' || coalesce(sum(hashtextextended(row(record)::text, 0)), 0) as digest
from declared_sync_runs as record
