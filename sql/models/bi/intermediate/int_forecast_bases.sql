{# From each purchase on, the next one of this buyer is awaited: by the buyer's own gaps so far and
some that are as long as those of all buyers, and by its own amounts so far. #}
with

purchases as (

    select
        *,
        {{ month_of('ordered_date') }} as month_start,
        {{ age_of_buyer('purchase_number') }} as age,
        coalesce(sum(days_since_previous) over so_far, 0) as gap_days,
        sum(amount) over so_far as amount_so_far,
        count(amount) over so_far as amount_count
    from {{ ref('int_purchase_days') }}
    window so_far as (
        partition by buyer_id order by ordered_date
        rows between unbounded preceding and current row
    )

),

months as (

    select * from {{ ref('int_forecast_months') }}

),

usual as (

    select
        purchases.*,
        cast({{ ratio(
            'purchases.gap_days + ' ~ gaps_of_all() ~ ' * months.usual_gap',
            'purchases.purchase_number - 1 + ' ~ gaps_of_all()
        ) }} as decimal(12, 6)) as usual_days,
        {{ ratio('purchases.amount_so_far', 'purchases.amount_count') }} as usual_amount
    from purchases
    inner join months on purchases.month_start = months.month_start

),

final as (

    select
        buyer_id,
        ordered_date,
        month_start,
        purchase_number,
        age,
        usual_days,
        cast(usual_amount as decimal(38, 9)) as usual_amount,
        next_ordered_date,
        next_amount,
        is_known_then
    from usual

)

select * from final
