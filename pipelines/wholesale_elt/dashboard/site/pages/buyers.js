/** Buyers: who buys, and who is about to be lost. */
(() => {
  "use strict";

  const { age, days, decimals, format, controls, objects, parts, view: views } = wholesale;
  const { h, useState, useEffect, useFigures, useLoaded, Loaded, Icon, Name, Section, Tile, Change, Segments } =
    wholesale.elements;
  const { Concentration, Cohorts } = wholesale.pieces.buyers;
  const { called, reasonOf } = wholesale.silence;
  const TO_CALL = 8;

  const isSilent = ({ is_late: isLate, is_lapsed: isLost }) => isLate && !isLost;
  const isLost = ({ is_late: isLate, is_lapsed: isLapsed }) => isLate && isLapsed;

  /** Whether a buyer passes the filters that are about buyers themselves. */
  function passes(buyer, where) {
    return (
      (!where.buyer || where.buyer.includes(buyer.buyer_id)) &&
      (!where.account_manager || where.account_manager.includes(buyer.account_manager_id))
    );
  }

  /** Whether filters are about orders: the list then has the buyers of such orders alone, silence is told of all. */
  const isOfOrders = (where) => Object.keys(where).some((name) => !["account_manager", "buyer"].includes(name));
  const whose = (where) => (isOfOrders(where) ? ", whatever orders are chosen" : "");

  /** What some buyers spent a month, as far as that is known. */
  function monthly(buyers) {
    const known = buyers.filter(({ monthly_amount: amount }) => amount !== null);
    if (known.length === 0 && buyers.length > 0) return "an amount not known";
    return format.compact(decimals.text(known.reduce((sum, buyer) => sum + decimals.units(buyer.monthly_amount), 0n)));
  }

  /** What silent buyers spend, and how many others are lost. */
  function lostText(silent, lost) {
    const are = `${format.count(lost)}${silent.length ? " more" : ""} ${lost === 1 ? "is" : "are"} lost`;
    return silent.length ? `${monthly(silent)} a month; ${are}` : are;
  }

  function Tiles({ view, silent, lost }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: ["active_buyers", "sales"], period, compare, where });
    const kinds = useFigures({ metrics: ["active_buyers"], by: ["buyer_kind"], period, compare, where });
    const whyOf = wholesale.why.useWhy({ metrics: ["active_buyers"], period, compare, where });
    const fresh = ({ rows }) =>
      rows.find(({ keys }) => keys.buyer_kind === "new") ?? { active_buyers: 0, active_buyers_before: 0 };
    // Who buys again after a first purchase in the same days is of both kinds: all others had bought before.
    const others = ({ total, ...answer }) => ({
      active_buyers: total.active_buyers - fresh(answer).active_buyers,
      active_buyers_before: total.active_buyers_before - (fresh(answer).active_buyers_before ?? 0),
    });
    // Who bought before the first day that is known is not known: a buyer is new only if as many days before are.
    const isTold = (span) => days.isCovered(days.compared(span, "period") ?? span, wholesale.meta.figures_from);
    const tile = (
      label,
      name,
      row,
      before,
      note,
      { isUnknown = false, why } = {},
    ) => h`<${Tile} label=${label} name=${name}
        isUnknown=${isUnknown} figure=${format.count(row.active_buyers)}
        exact=${isUnknown ? undefined : row.active_buyers}
        change=${before && h`<${Change} now=${row.active_buyers} before=${row.active_buyers_before} />`}
        note=${before ? `${format.count(row.active_buyers_before)} ${controls.COMPARED[compare]}` : note}>
      <${wholesale.why.Told} why=${why} />
    <//>`;
    const begin = () => `data begin ${format.date(wholesale.meta.figures_from)}`;
    const kindTile = (label, name, rowOf, note) =>
      h`<${Loaded} of=${kinds}>
        ${(answer) =>
          isTold(answer.span)
            ? tile(label, name, rowOf(answer), answer.before && isTold(answer.before) && answer.before, note)
            : tile(label, name, rowOf(answer), null, begin(), { isUnknown: true })}
      <//>`;
    return h`<div class="tiles">
      <${Loaded} of=${of}>
        ${({ total, before }) =>
          tile("Buyers with an order", "active_buyers", total, before, controls.notCompared(view), {
            why: before ? whyOf("active_buyers") : null,
          })}
      <//>
      ${kindTile("Bought for the first time", "new_buyers", fresh, "first order in this period")}
      ${kindTile("Had bought before", "earlier_buyers", others, "first order earlier")}
      <${Tile} label="Silent beyond their rhythm" name="silent"
          figure=${
            silent === null
              ? format.NONE
              : h`<span class=${silent.length ? "down" : ""}>${format.count(silent.length)}</span>`
          }
          exact=${silent?.length}
          note=${silent === null ? "" : `${lostText(silent, lost)}${whose(where)}`} />
    </div>`;
  }

  function ToCall({ view, silent }) {
    const [most, showMore] = wholesale.useCount("to-call.rows", TO_CALL, 24);
    const [, again] = useState(0);
    useEffect(() => {
      const follow = () => again((number) => number + 1);
      return wholesale.todo.watch(follow);
    }, []);
    const sorted = silent.toSorted((left, right) => decimals.compare(right.monthly_amount, left.monthly_amount));
    return h`<${Section} title="Buyers to call"
        note=${`silent beyond their rhythm${whose(view.where)}; who spends most comes first`}
        more=${
          sorted.length > 0 &&
          h`<a class="more" href=${views.hashOf({ page: "calls" })}>Call sheet <${Icon} name="right" /></a>`
        }>
      <ul class="reasons">
        ${sorted.slice(0, most).map((buyer) => {
          const at = called.at(buyer);
          return h`<li key=${buyer.buyer_id} class=${at ? "done" : ""}>
            <${Icon} name="phone" />
            <${Name} of="buyer" id=${buyer.buyer_id} name=${objects.buyerName(buyer)} />
            <span class="money">${format.compact(buyer.monthly_amount)}</span>
            <span class="reason">
              ${at ? `Called ${format.ownDay(at)}. ` : ""}${reasonOf(buyer)}
              ${buyer.owed_amount ? ` Owes ${format.amount(buyer.owed_amount)}.` : ""} Last purchase${" "}
              <a href=${views.hashOf({ page: "orders", period: "all_time", where: { buyer: [buyer.buyer_id] } })}>
                ${format.recent(buyer.last_ordered_date)}
              </a>
              .
            </span>
            <small>a month</small>
          </li>`;
        })}
      </ul>
      ${
        sorted.length > most &&
        h`<button type="button" class="quiet-button" onClick=${showMore}>
          ${format.count(sorted.length - most)} more silent buyers
        </button>`
      }
      ${
        sorted.length === 0 &&
        h`<${wholesale.elements.Empty} title="Nobody to call.">
          No buyer has been silent for longer than usual.
        <//>`
      }
    <//>`;
  }

  /** All buyers, those without a sale in the period too, unless a filter is about orders. */
  function merged({ rows, total }, buyers, where) {
    const none = total.orders === null ? null : 0;
    const sold = new Map(rows.map((row) => [row.keys.buyer, row]));
    const listed = [...buyers.values()].filter(
      (buyer) => sold.has(buyer.buyer_id) || (!isOfOrders(where) && passes(buyer, where)),
    );
    const found = listed.map((buyer) => ({
      ...buyer,
      key: buyer.buyer_id,
      sales: none,
      orders: none,
      ...sold.get(buyer.buyer_id),
      name: objects.buyerName(buyer),
    }));
    for (const [key, row] of sold)
      if (key !== null && !buyers.has(key))
        found.push({
          ...row,
          key,
          buyer_id: key,
          name: row.names.buyer ?? key,
          city: null,
          state: null,
          country: null,
        });
    return found.toSorted((left, right) => decimals.compare(right.sales, left.sales));
  }

  const isOwing = ({ open_order_count: open }) => open > 0;
  const isUntold = ({ unknown_order_count: unknown }) => unknown > 0;
  const SHOWN = {
    all: () => true,
    active: ({ orders: count }) => count > 0,
    silent: isSilent,
    lost: isLost,
    open: (buyer) => isOwing(buyer) || isUntold(buyer),
  };

  /** What a buyer owes, in its list. */
  function owedBy({ owed_amount: amount, open_order_count: open, unknown_order_count: unknown, buyer_id: id }) {
    if (!(open > 0) && !(unknown > 0)) return format.NONE;
    const isKnown = open > 0 && amount !== null;
    const own = { payment: open > 0 ? "owed" : "unknown" };
    const to = views.hashOf({ page: "orders", period: "all_time", where: { buyer: [id] }, own });
    const text = isKnown ? `${unknown > 0 ? "at least " : ""}${format.amount(amount)}` : "Not known";
    return h`<a class=${isKnown ? "name" : "name unknown"} href=${to}>${text}</a>`;
  }

  const isThere = (value) => value !== null && value !== undefined;

  /** Columns of all buyers; the change is among them where there is something before. */
  function columnsOf(view, before) {
    const ordersOf = (row) => views.linkTo(view, { page: "orders", where: { ...view.where, buyer: [row.buyer_id] } });
    return [
      { name: "name", label: "Buyer", show: (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.name} />` },
      { name: "place", label: "Place", drop: 2, value: parts.place },
      {
        name: "orders",
        label: "Orders",
        type: "count",
        drop: 3,
        show: (row) => h`<a class="name" href=${ordersOf(row)}>${format.count(row.orders)}</a>`,
      },
      { name: "last_ordered_date", label: "Last order", type: "date", drop: 1 },
      {
        name: "median_days_between_orders",
        label: "Buys every",
        type: "number",
        drop: 4,
        measure: "days",
        term: "rhythm",
        show: ({ median_days_between_orders: every }) => (isThere(every) ? format.plural(every, "day") : format.NONE),
      },
      {
        name: "days_since_last_order",
        label: "Silent for",
        type: "number",
        measure: "days",
        term: "late-buyer",
        show: (row) =>
          isThere(row.days_since_last_order)
            ? h`<span class=${isSilent(row) ? "down" : ""}>${format.plural(row.days_since_last_order, "day")}</span>`
            : format.NONE,
      },
      { name: "owed_amount", label: "Owes", type: "exact", drop: 5, term: "open_amount", show: owedBy },
      before && { name: "sales", before: "sales_before", label: "Change", type: "change" },
      { name: "sales", label: "Sales", type: "bar", before: before ? "sales_before" : undefined },
    ].filter(Boolean);
  }

  /** Which buyers are listed, each choice with how many they are. */
  function Kinds({ view, rows, total, kind }) {
    const counts = Object.fromEntries(Object.entries(SHOWN).map(([name, is]) => [name, rows.filter(is).length]));
    const isOpenKnown = rows.some(isOwing) || !rows.some(isUntold);
    return h`<div class="choices-line">
      <${Segments} label="Which buyers" value=${kind}
          onChoose=${(show) => views.go(views.changed(view, { own: { show: show === "active" ? null : show } }))}
          options=${[
            ["active", "With an order", total.orders === null ? "not known" : format.count(counts.active)],
            ["silent", "Silent", format.count(counts.silent)],
            ["lost", "Lost", format.count(counts.lost)],
            ["open", "Shipped and unpaid", isOpenKnown ? format.count(counts.open) : "not known"],
            ["all", "All", format.count(counts.all)],
          ]} />
    </div>`;
  }

  function AllBuyers({ view, of, buyers }) {
    const [text, type] = wholesale.useTyped("buyers.find");
    const kind = SHOWN[view.own.show] ? view.own.show : "active";
    const wanted = text.trim().toLowerCase();
    const isWanted = ({ name, city }) =>
      !wanted || name.toLowerCase().includes(wanted) || (city ?? "").toLowerCase().includes(wanted);
    return h`<${Loaded} of=${of} rows=${25}>
      ${(answer) => {
        const rows = merged(answer, buyers, view.where);
        const shown = rows.filter(SHOWN[kind]).filter(isWanted);
        return h`<${Section} title=${isOfOrders(view.where) ? "Buyers with such orders" : "All buyers"}
            note=${controls.periodName(view.period)}
            more=${h`<input class="filter-field" type="search" placeholder="Name or place"
                aria-label="Buyers by name or place" value=${text} onInput=${(event) => type(event.target.value)} />`}>
          <${Kinds} view=${view} rows=${rows} total=${answer.total} kind=${kind} />
          <${wholesale.Table} key=${`${kind}/${wanted}`} caption="Buyers" by="buyer" sort="sales" size=${25}
              file="buyers" rows=${shown} empty="No buyers here." columns=${columnsOf(view, answer.before)} />
        <//>`;
      }}
    <//>`;
  }

  function Page({ view }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: ["sales", "orders"], by: ["buyer"], period, compare, where });
    const buyers = useLoaded(() => objects.all("buyers"), "buyers");
    const late = buyers.value
      ? [...buyers.value.values()].filter((buyer) => buyer.is_late && passes(buyer, where))
      : null;
    const silent = late && late.filter(isSilent);
    return h`<div>
      <${wholesale.Controls} view=${view} />
      <${Tiles} view=${view} silent=${silent} lost=${late && late.length - silent.length} />
      <${parts.Beside} side=${h`<${Concentration} of=${of} />`}>
        ${silent && h`<${ToCall} view=${view} silent=${silent} />`}
      <//>
      <${Loaded} of=${buyers}>${(known) => h`<${AllBuyers} view=${view} of=${of} buyers=${known} />`}<//>
      <${Cohorts} />
      <${parts.Foot}>
        Silence is counted up to ${format.date(age.day())}, the last known day, whatever the period.
      <//>
    </div>`;
  }

  wholesale.receive("pages/buyers", Page);
})();
