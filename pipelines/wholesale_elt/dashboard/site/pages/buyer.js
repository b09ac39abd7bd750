/** Buyer: one buyer: its rhythm, what it buys, what is open, and what to do. */
(() => {
  "use strict";

  const { age, days, decimals, format, controls, objects, parts, windows, view: views } = wholesale;
  const { h, useState, useFigures, useLoaded, Loaded, Icon, Section, Tile, Change, Empty } = wholesale.elements;
  const { counted, Products, Baskets, Vendors, Lately, Receivables, People } = wholesale.pieces.buyer;
  const { Unknown } = parts;
  const { called, gapText, everyText, silentText } = wholesale.silence;

  const callSheet = ({ buyer_id: id }) => views.hashOf({ page: "calls", own: { at: id } });

  function badgeOf(buyer) {
    if (buyer.is_deleted) return { text: "Deleted", tone: "gone" };
    const silent = format.plural(buyer.days_since_last_order, "day");
    if (buyer.is_lapsed) return { text: `No order for ${silent}${age.counted()}`, tone: "late" };
    if (buyer.is_late) return { text: "Silent beyond its rhythm", tone: "late" };
    return null;
  }

  /** What a buyer owes; not known where that is not told of what was sent, or it has no amount. */
  function Open({ buyer }) {
    const { owed_amount: amount, open_order_count: open = 0, unknown_order_count: unknown = 0 } = buyer;
    const isUnknown = open > 0 ? amount === null : unknown > 0;
    const where = { buyer: [buyer.buyer_id] };
    const to = (payment) => views.hashOf({ page: "orders", period: "all_time", where, own: { payment } });
    const href = open || unknown ? to(open ? "owed" : "unknown") : undefined;
    const untold = buyer.unknown_amount === null ? "" : `, ${format.amount(buyer.unknown_amount)}`;
    const note = [
      open > 0 ? `in ${format.plural(open, "order")}` : unknown > 0 ? "" : "nothing",
      unknown > 0 ? `${format.plural(unknown, "order")}${untold}, not known` : "",
    ]
      .filter(Boolean)
      .join("; ");
    return h`<${Tile} label="Shipped and unpaid" name="open" isUnknown=${isUnknown} href=${href} note=${note}
        figure=${format.amount(amount ?? 0)} exact=${isUnknown ? undefined : (amount ?? "0")} />`;
  }

  /** When the next order is awaited, and how often that was right; or why nothing is told. */
  function NextOrder({ buyer }) {
    const silent = buyer.days_since_last_order;
    const upTo = wholesale.meta.figures_up_to;
    const isOld = upTo === null || age.isOutdated(upTo);
    const isTold = windows.isTold(buyer) && !isOld;
    const said = isTold
      ? `${buyer.standing === "passed" ? `the last one on ${format.day(windows.lastDay(buyer))}` : "8 of 10"}, ` +
        windows.rightText(buyer)
      : buyer.standing
        ? isOld
          ? "no window: the figures are too old"
          : windows.withoutText(buyer)
        : "no purchase yet";
    const figure = !isTold
      ? format.NONE
      : buyer.standing === "passed"
        ? h`<span class="down">All windows passed</span>`
        : windows.span(buyer, 80);
    const more = typeof silent === "number" ? `; ${silentText(silent)}` : "";
    return h`<${Tile} label="Next order" name="next_order" figure=${figure} note=${`${said}${more}`} />`;
  }

  const onAverage = ({ average_order_value: amount }) =>
    amount === null ? "" : `, ${format.amount(amount)} on average`;

  function Tiles({ view, buyer, data }) {
    const { period, compare } = view;
    const isWhole = counted.isWhole(view);
    const metrics = ["sales", "orders", "average_order_value"];
    const where = { ...view.where, buyer: [buyer.buyer_id] };
    const found = useFigures(isWhole ? null : { metrics, period, compare, where });
    const of = isWhole ? { value: counted.totals(data, view) } : found;
    const whyOf = wholesale.why.useWhy(isWhole ? null : { metrics: ["sales"], period, compare, where });
    const why = () =>
      isWhole ? wholesale.why.lineOf("sales", counted.byVendor(data, view), "vendor") : whyOf("sales");
    const every = buyer.median_days_between_orders;
    return h`<div class="tiles object-tiles">
      <${Loaded} of=${of}>
        ${({ total, before }) =>
          h`<${Tile} label=${controls.periodName(period)} name="sales" figure=${format.amount(total.sales)}
              exact=${total.sales}
              change=${
                before &&
                (Number(total.sales_before) === 0
                  ? h`<span class="quiet">nothing ${compare === "year" ? "a year before" : "before"}</span>`
                  : h`<${Change} now=${total.sales} before=${total.sales_before} />`)
              }
              note=${`${format.plural(total.orders, "order")}${onAverage(total)}`}>
            <${wholesale.why.Told} why=${before ? why() : null} />
          <//>`}
      <//>
      <${Tile} label="Rhythm" name="rhythm"
          figure=${every === null ? format.NONE : every === 0 ? "several a day" : `every ${everyText(every)}`}
          note=${every === null ? "it takes two orders to tell" : gapText(buyer)} />
      <${NextOrder} buyer=${buyer} />
      <${Open} buyer=${buyer} />
    </div>`;
  }

  /** What was bought on each day, the oldest first. */
  function byDay(bought, buyer) {
    const sums = new Map();
    for (const { date, amount } of bought) sums.set(date, (sums.get(date) ?? 0n) + decimals.units(amount ?? "0"));
    return [...sums].map(([day, sum]) => ({
      day,
      amount: decimals.text(sum),
      label: `${format.date(day)}: ${format.amount(decimals.text(sum))}`,
      href: views.hashOf({ page: "orders", period: day, where: { buyer: [buyer.buyer_id] } }),
    }));
  }

  /** What the marks mean. */
  function Legend({ buyer }) {
    const awaited = windows.band(buyer);
    return h`<span class="legend">
      <span><i class="swatch stick"></i>Purchase</span>
      ${
        awaited !== null &&
        awaited.first < age.day() &&
        h`<span><i class="swatch awaited"></i>Next order awaited, 8 of 10</span>`
      }
      ${buyer.is_late && h`<span><i class="swatch silent"></i>Silent</span>`}
    </span>`;
  }

  /** Every purchase of a buyer, over all time. */
  function Purchases({ rows, buyer }) {
    const { Rhythm } = wholesale.charts;
    const bought = rows.filter((row) => row.is_sale && row.date !== null).toReversed();
    if (!bought.length) return h`<${Section} title="Every purchase"><${Empty} title="No orders yet." /><//>`;
    const months = days.monthsOf(days.number(bought[0].date), age.today()).length;
    return h`<${Section} title="Every purchase"
        note=${`${format.plural(months, "month")}, all time; the taller, the larger the order`}
        more=${h`<${Legend} buyer=${buyer} />`}>
      <${Rhythm} purchases=${byDay(bought, buyer)} awaited=${windows.band(buyer)} isLate=${buyer.is_late}
          until=${age.day()} />
    <//>`;
  }

  /** Marks in this browser that somebody called, as the tick of its task does. */
  function Called({ buyer }) {
    const [at, set] = useState(called.at(buyer));
    const press = () => {
      called.set(buyer, at === null);
      set(called.at(buyer));
    };
    return h`<button type="button" class="pick" aria-pressed=${at !== null} onClick=${press}>
      <${Icon} name="phone" />
      ${at === null ? "Called" : `Called ${format.ownDay(at)}`}
    </button>`;
  }

  /** All that is told of a buyer by its own orders. */
  function Found({ view, buyer, data, where }) {
    const rows = data.orders;
    const uncounted = rows.filter((row) => !row.is_sale).length;
    const doNot = uncounted === 1 ? "one does not" : "ones do not";
    return h`
      <${Tiles} view=${view} buyer=${buyer} data=${data} />
      <${Purchases} rows=${rows} buyer=${buyer} />
      <${parts.Beside}
          side=${h`
            <${Baskets} buyer=${buyer} data=${data} />
            <${Receivables} buyer=${buyer} data=${data} />
            <${Vendors} view=${view} buyer=${buyer} data=${data} />
            <${Lately} buyer=${buyer} data=${data} />
            <${People} users=${data.users} />
          `}>
        <${Products} view=${view} buyer=${buyer} data=${data} />
        <${parts.NewestOrders} view=${view} where=${where} read=${{ rows, isRead: true }} count=${rows.length}
            without=${["buyer"]} />
      <//>
      <${parts.Foot}>
        ${
          rows.length === 1
            ? "The only order of this buyer is here"
            : `All ${format.count(rows.length)} orders of this buyer are here`
        }${uncounted ? `; ${format.count(uncounted)} cancelled or deleted ${doNot} count` : ""}.
      <//>
    `;
  }

  function OneBuyer({ view, buyer }) {
    const where = { buyer: [buyer.buyer_id] };
    const of = useLoaded(() => objects.ofBuyer(buyer), buyer.buyer_id);
    return h`
      <${wholesale.Controls} view=${view} filters=${views.FILTERS.filter((name) => name !== "buyer")} />
      <${parts.Head} title=${objects.buyerName(buyer)} badge=${badgeOf(buyer)}
          facts=${[
            parts.place(buyer) || h`<${Unknown}>place not known<//>`,
            buyer.price_list_title && `price list ${buyer.price_list_title}`,
            buyer.first_ordered_date ? `buyer since ${format.date(buyer.first_ordered_date)}` : "no orders yet",
            buyer.order_count > 0 &&
              `${format.plural(buyer.order_count, "order")} from ${format.plural(buyer.vendor_count, "vendor")}`,
            buyer.account_manager_id &&
              h`
                looked after by${" "}
                <a href=${views.hashOf({ page: "buyers", where: { account_manager: [buyer.account_manager_id] } })}>
                  ${
                    wholesale.meta.people[buyer.account_manager_id] ??
                    `account manager ${buyer.account_manager_id.slice(0, 8)}`
                  }
                </a>
              `,
          ]}
          actions=${h`
            ${buyer.is_late && !buyer.is_lapsed && h`<a class="pick" href=${callSheet(buyer)}>Call sheet</a>`}
            <${Called} buyer=${buyer} />
          `} />
      <${Loaded} of=${of.isOld ? {} : of}>
        ${(data) => h`<${Found} view=${view} buyer=${buyer} data=${data} where=${where} />`}
      <//>
    `;
  }

  function Page({ view }) {
    const of = parts.useObject("buyers", "buyer", view.id, objects.buyerName);
    return h`<${Loaded} of=${of.isOld ? {} : of}>
      ${(buyer) =>
        buyer
          ? h`<${OneBuyer} view=${view} buyer=${buyer} />`
          : h`<${parts.NotHere} what="buyer" id=${view.id}>
            <a class="more" href=${views.hashOf({ page: "buyers" })}>All buyers</a>
          <//>`}
    <//>`;
  }

  wholesale.receive("pages/buyer", Page);
})();
