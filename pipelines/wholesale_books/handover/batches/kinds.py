"""Kinds: what became of each order since the receiver was told of it last.

`new`, `changed`, `cancelled`, `gone` (deleted at the service) and `returned`; `entered` and `left`
where the filter changed, or the order moved into it or out of it. `why` says what another reason
than the order's own content had: `columns` (a release publishes other columns), `policy` (another
privacy policy), `missing` (the version has no such order at all), or which part of the filter it
was, `filter …` if that changed.
"""

from collections.abc import Sequence

from wholesale_books.handover.batches.content import Content, among, digests, literal, names
from wholesale_books.handover.batches.state import About
from wholesale_books.handover.settings import KINDS, Filter

WITHOUT_CONTENT = "kind = 'left' or coalesce(why = 'missing', false)"
"""SQL: of which records only the key is handed over: what is the receiver's no more, and what is
not known."""
COLUMN = {"vendor": "vendor_id", "state": "lower(trim(order_status))"}

FOLLOWED = """
    select
        order_id,
        coalesce(before.number, 0) as number,
        now.order_id is not null as is_there,
        now.rule, now.whole, now.plain, now.is_cancelled, now.ordered_at,
        before.standing as before_standing,
        before.rule as before_rule,
        before.whole as before_whole,
        before.is_cancelled as before_is_cancelled,
        case
            when before.standing is null then case
                when not now.is_deleted and now.rule is null then 'new' end
            when before.standing = 'outside' then case
                when not now.is_deleted and now.rule is null then 'entered' end
            when now.order_id is null then case when before.standing = 'held' then 'gone' end
            when now.rule is not null then 'left'
            when now.is_deleted then case
                when before.standing = 'held' or now.whole <> before.whole then 'gone' end
            when before.standing = 'gone' then 'returned'
            when now.whole <> before.whole then case
                when now.is_cancelled and not before.is_cancelled then 'cancelled'
                else 'changed' end
        end as kind,
        case
            when kind = 'gone' and now.order_id is null then 'missing'
            when kind = 'entered' then case
                when {is_filter_changed} and now.rule_before is not null then 'filter '
                else '' end || before.rule
            when kind = 'left' then case
                when {is_filter_changed} and now.rule_before is null then 'filter '
                else '' end || now.rule
            when kind = 'changed' or (kind = 'gone' and before.standing = 'gone') then {why}
        end as why,
        now.is_deleted
    from now full join before using (order_id)
"""
STATE = """
    select
        order_id,
        case
            when kind = 'gone' then 'gone'
            when kind = 'left' then 'outside'
            when kind is not null then 'held'
            when before_standing is not null then before_standing
            else 'outside'
        end as standing,
        case
            when kind is not null and kind <> 'left' then null
            when is_there then coalesce(rule, before_rule)
            else before_rule
        end as rule,
        case when kind is not null and is_there then whole else before_whole end as whole,
        case when kind is not null and is_there then plain end as plain_now,
        coalesce(is_cancelled, before_is_cancelled) as is_cancelled,
        case when kind is not null then {number} else number end as number
    from followed
    where kind is not null
        or (before_standing is null and not is_deleted)
        or (before_standing = 'outside' and is_there)
        or before_standing in ('held', 'gone')
"""


def rule_of(filter_: Filter) -> str:
    """SQL: the first part of the filter that an order fails; NULL if it passes."""
    failed = []
    for kind in KINDS:
        if wanted := getattr(filter_, kind):
            listed = ", ".join(map(literal, wanted))
            failed.append(f"when not coalesce({COLUMN[kind]} in ({listed}), false) then '{kind}'")
    return f"case {' '.join(failed)} end" if failed else "cast(null as varchar)"


def statements(
    content: Content,
    relations: dict[str, str],
    before: str,
    last: About | None,
    filter_: Filter,
    number: int,
) -> Sequence[str]:
    """SQL that makes, in this order, the temporary tables `now`, `followed` and `records`; and the
    view `state_after` of the state once batch `number` is made."""
    plain = content.plain()
    has_personal = bool(content.personal)
    is_other = last is not None and any(
        set(names(plain)[part]) != set(last.columns[part]) for part in plain
    )
    kept = among(plain, last.columns) if last and is_other else None
    wanted = {"whole": content.columns}
    if has_personal:
        wanted["plain"] = plain
    if kept:
        wanted["former"] = kept
    made = [
        f"create temp table digests_{name} as {digests(relations, columns, name)}"
        for name, columns in wanted.items()
    ]
    joined = " ".join(f"join digests_{name} using (order_id)" for name in wanted if name != "whole")
    made.append(
        "create temp table now as select order_id, digests_whole.whole,"
        f" {'plain' if has_personal else 'whole'} as plain,"
        f" {'former' if kept else 'cast(null as uuid)'} as former,"
        " is_cancelled, is_deleted, ordered_at,"
        f" {rule_of(filter_)} as rule, {rule_of(last.filter if last else filter_)} as rule_before"
        f" from digests_whole {joined} join {relations['orders']} using (order_id)"
    )
    made.append(f"create temp view before as select * from {before}")
    made.append(
        "create temp table followed as "
        + FOLLOWED.format(
            is_filter_changed="true" if last and last.filter != filter_ else "false",
            why=_why(content, last, is_other=is_other, is_comparable=kept is not None),
        )
    )
    made.append(
        "create temp table records as select"
        " row_number() over (order by ordered_at nulls last, order_id) as position,"
        " order_id, kind, why from followed where kind is not null order by position"
    )
    made.append(
        "create temp view state_after as select next.* exclude (plain_now),"
        f" coalesce(next.plain_now, before.plain) as plain from ({STATE.format(number=number)})"
        " as next left join before using (order_id)"
    )
    return made


def _why(content: Content, last: About | None, *, is_other: bool, is_comparable: bool) -> str:
    """SQL: why the digest of an order changed; NULL for its content."""
    cases = []
    if last and set(last.personal) != content.personal:
        cases.append("when now.plain = before.plain then 'policy'")
        if is_comparable:
            cases.append("when now.former = before.plain then 'policy'")
    if is_other:
        same = "now.former = before.plain" if is_comparable else "true"
        cases.append(f"when {same} then 'columns'")
    return f"case {' '.join(cases)} end" if cases else "cast(null as varchar)"
