/** Buyer: one buyer: its rhythm, what it buys, what is open, and what to do. */
(() => {
  "use strict";

  const { age, days, decimals, format, controls, objects, parts, view: views } = wholesale;
  const { h, useState, useFigures, useLoaded, Loaded, Icon, Section, Tile, Change, Empty } = wholesale.elements;
  const { Products, Baskets, Vendors } = wholesale.pieces.buyer;
  const { Unknown } = parts;
  const { called, gapText } = wholesale.silence;
  const BASKETS = 3;
  const LATELY = 8;

  const daysAgo = (date) => age.today() - days.number(date);

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
      unknown > 0 ? `${format.plural(unknown, "order")}${untold} not known` : "",
    ]
      .filter(Boolean)
      .join("; ");
    return h`<${Tile} label="Shipped and unpaid" name="open" isUnknown=${isUnknown} href=${href} note=${note}
        figure=${format.amount(amount ?? 0)} exact=${isUnknown ? undefined : (amount ?? "0")} />`;
  }

  /** When a purchase was or is to come, so many days before the day that days are counted to. */
  function expectedText(ago) {
    if (ago > 0) return `${format.plural(ago, "day")} ${age.ago()}`;
    return ago === 0 && !age.isOtherDay() ? "today" : `in ${format.plural(-ago, "day")}`;
  }

  const onAverage = ({ average_order_value: amount }) =>
    amount === null ? "" : `, ${format.amount(amount)} on average`;

  function Tiles({ view, buyer }) {
    const { period, compare } = view;
    const where = { ...view.where, buyer: [buyer.buyer_id] };
    const of = useFigures({ metrics: ["sales", "orders", "average_order_value"], period, compare, where });
    const whyOf = wholesale.why.useWhy({ metrics: ["sales"], period, compare, where });
    const every = buyer.median_days_between_orders;
    const expected = buyer.expected_next_order_date;
    const silent = buyer.days_since_last_order;
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
            <${wholesale.why.Told} why=${before ? whyOf("sales") : null} />
          <//>`}
      <//>
      <${Tile} label="Rhythm" name="rhythm"
          figure=${
            every === null ? format.NONE : every === 0 ? "several a day" : `every ${format.plural(every, "day")}`
          }
          note=${every === null ? "it needs two purchases" : gapText(buyer)} />
      <${Tile} label="Expected" name="expected"
          figure=${
            expected === null
              ? format.NONE
              : h`<span class=${buyer.is_late ? "down" : ""}>${format.day(expected)}</span>`
          }
          note=${
            expected === null
              ? "no rhythm yet"
              : `${expectedText(daysAgo(expected))}; silent for ${format.count(silent)}${age.counted()}`
          } />
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

  /** Every purchase of a buyer, over all time. */
  function Purchases({ rows, buyer }) {
    const { Rhythm } = wholesale.charts;
    const bought = rows.filter((row) => row.is_sale && row.date !== null).toReversed();
    if (!bought.length) return h`<${Section} title="Every purchase"><${Empty} title="It has not bought yet." /><//>`;
    const months = days.monthsOf(days.number(bought[0].date), age.today()).length;
    return h`<${Section} title="Every purchase"
        note=${`${format.plural(months, "month")}, all time; the height is the basket`}>
      <${Rhythm} purchases=${byDay(bought, buyer)} expected=${buyer.expected_next_order_date} isLate=${buyer.is_late}
          until=${age.day()} />
    <//>`;
  }

  /** What was otherwise in the version before, an order or a line a row. */
  function Lately({ buyer }) {
    const of = useLoaded(() => parts.changesOf(({ buyer_id: id }) => id === buyer.buyer_id), buyer.buyer_id);
    return h`<${Section} title="What changed" note="since the version before">
      <${Loaded} of=${of}>
        ${({ changes, fields }) =>
          changes.length
            ? h`
              <${parts.History} entries=${parts.entriesOf({ changes, fields, isOfMany: true }).slice(0, LATELY)} />
              ${
                changes.length > LATELY &&
                h`<p class="quiet small">
                  ${format.plural(changes.length - LATELY, "more change")}:${" "}
                  <a class="a" href=${views.hashOf({ page: "changes" })}>all that changed</a>
                </p>`
              }
            `
            : h`<${Empty} title="Nothing of its orders changed." />`}
      <//>
    <//>`;
  }

  /** Marks in this browser that somebody called, until the next version. */
  function Called({ id }) {
    const [at, set] = useState(called.at(id));
    const press = () => {
      called.set(id, at === null);
      set(called.at(id));
    };
    return h`<button type="button" class="pick" aria-pressed=${at !== null} onClick=${press}>
      <${Icon} name="phone" />
      ${at === null ? "Called" : `Called ${format.ownDay(at)}`}
    </button>`;
  }

  function OneBuyer({ view, buyer }) {
    const where = { buyer: [buyer.buyer_id] };
    const { rows, error, isWhole } = parts.useOrders({ where }, buyer.buyer_id, { isBrief: true });
    const newest = parts.useOrders({ where }, buyer.buyer_id, { most: 12 });
    const bought = newest.rows.filter((row) => row.is_sale).slice(0, BASKETS);
    const uncounted = rows.filter((row) => !row.is_sale).length;
    const doNot = uncounted === 1 ? "one does not" : "ones do not";
    return h`
      <${wholesale.Controls} view=${view} filters=${views.FILTERS.filter((name) => name !== "buyer")} />
      <${parts.Head} title=${objects.buyerName(buyer)} badge=${badgeOf(buyer)}
          facts=${[
            parts.place(buyer) || h`<${Unknown}>place not known<//>`,
            buyer.price_list_title && `${buyer.price_list_title} prices`,
            buyer.first_ordered_date ? `buyer since ${format.date(buyer.first_ordered_date)}` : "no purchase yet",
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
          actions=${h`<${Called} id=${buyer.buyer_id} />`} />
      <${Tiles} view=${view} buyer=${buyer} />
      ${
        error
          ? h`<p class="failure" role="alert">${error.message}</p>`
          : isWhole
            ? h`<${Purchases} rows=${rows} buyer=${buyer} />`
            : h`<div class="waiting" aria-hidden="true"></div>`
      }
      <${parts.Beside}
          side=${h`
            ${(bought.length > 0 || newest.isRead) && h`<${Baskets} rows=${bought} />`}
            <${Vendors} view=${view} buyer=${buyer} />
            <${Lately} buyer=${buyer} />
          `}>
        <${Products} view=${view} buyer=${buyer} />
        <${parts.NewestOrders} view=${view} where=${where} read=${newest} count=${isWhole ? rows.length : null}
            without=${["buyer"]} />
      <//>
      ${
        isWhole &&
        h`<${parts.Foot}>
          All ${format.count(rows.length)} orders of this buyer are here
          ${uncounted ? `; ${format.count(uncounted)} cancelled or deleted ${doNot} count` : ""}.
        <//>`
      }
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
