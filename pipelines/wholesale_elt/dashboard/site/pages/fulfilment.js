/** Fulfilment: where orders stand, which wait, and how long each step takes. */
(() => {
  "use strict";

  const { age, charts, days, decimals, format, load, rowsOf, view: views } = wholesale;
  const { h, useLoaded, useFigures, Loaded, Name, OrderNumber, State, Section, Tile } = wholesale.elements;
  const COURSE = ["waiting", "accepted", "sent", "done"];
  const WAITING = new Set(["waiting", "accepted"]);
  const STEPS = { accepted: "Days to confirm", sent: "Days to ship", done: "Days to deliver", settled: "Days to pay" };
  const LISTS = {
    accepted: "Orders seen to be confirmed",
    sent: "Orders seen to be shipped",
    done: "Orders seen to be delivered",
    settled: "Orders seen to be paid",
  };

  const read = () =>
    load("fulfilment").then((tables) =>
      Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOf(table)])),
    );

  const aged = (median) => (median === null ? format.NONE : format.plural(median, "day"));

  const orders = (view, states, period = "all_time") =>
    views.linkTo(view, { page: "orders", period, where: { order_status: states } });

  /** The states that orders pass, then any others; what was done long ago is no news. */
  function courseOf(states) {
    const place = (row) => {
      const found = COURSE.indexOf(row.standing);
      return found < 0 ? COURSE.length : found;
    };
    return states
      .toSorted((one, other) => place(one) - place(other))
      .map((row) =>
        place(row) === COURSE.length - 1
          ? {
              ...row,
              isRecent: true,
              order_count: row.recent_count,
              amount: row.recent_amount,
              median_days: row.recent_median_days,
              first_day: row.first_recent_day,
              old_count: 0,
            }
          : row,
      )
      .filter((row) => row.order_count > 0);
  }

  /** How many orders wait: those of two states. */
  function waitingIn(states) {
    const waiting = states.filter(({ standing }) => WAITING.has(standing));
    return waiting.reduce((sum, row) => sum + row.order_count, 0);
  }

  function Course({ view, states }) {
    const lastDays = `, last ${format.count(wholesale.meta.done_days)} days`;
    const rows = courseOf(states).map((row) => ({
      ...row,
      href: row.first_day
        ? orders(view, [row.order_status], row.isRecent ? `${row.first_day}..${row.last_day}` : "all_time")
        : null,
      old:
        row.old_count > 0 && row.first_day && orders(view, [row.order_status], `${row.first_day}..${row.last_old_day}`),
    }));
    return h`
      ${
        rows.length > 0 &&
        h`<${charts.Funnel}
            steps=${rows.map((row) => ({
              label: `${format.word(row.order_status)}${row.isRecent ? lastDays : ""}`,
              count: row.order_count,
              amount: row.amount,
              href: row.href,
              note:
                row.isRecent || row.median_days === null
                  ? ""
                  : `typically ${format.plural(row.median_days, "day")} old`,
            }))} />`
      }
      <${Table} rows=${rows} />
    `;
  }

  function Table({ rows }) {
    return h`<${wholesale.Table} caption="Orders by state" rows=${rows} empty="No orders."
        columns=${[
          {
            name: "order_status",
            label: "Status",
            show: (row) =>
              h`<a class="name" href=${row.href}>
                <${State} code=${row.order_status} />
                ${row.isRecent && h`<span class="quiet"> in ${format.count(wholesale.meta.done_days)} days</span>`}
              </a>`,
          },
          {
            name: "order_count",
            label: "Orders",
            type: "count",
            drop: 4,
            show: (row) => h`<a href=${row.href}>${format.count(row.order_count)}</a>`,
          },
          { name: "amount", label: "Amount", type: "amount" },
          {
            name: "median_days",
            label: "Typical age",
            type: "count",
            drop: 3,
            phrase: "typically {} old",
            show: ({ median_days: median }) => aged(median),
          },
          {
            name: "old_count",
            label: `Over ${format.count(wholesale.meta.old_order_days)} days`,
            type: "count",
            show: (row) =>
              row.old
                ? h`<a class="a down" href=${row.old}>${format.count(row.old_count)}</a>`
                : row.isRecent
                  ? ""
                  : "0",
          },
          {
            name: "old_amount",
            label: `Amount over ${format.count(wholesale.meta.old_order_days)} days`,
            type: "amount",
            drop: 5,
            phrase: "{}",
            show: (row) => (row.isRecent ? "" : format.amount(row.old_amount)),
          },
        ]} />`;
  }

  function Steps({ view, steps }) {
    return h`<div class="tiles">
      ${Object.entries(STEPS).map(([step, label]) => {
        const row = steps.find((one) => one.step === step);
        if (!row) return h`<${Tile} key=${step} label=${label} isUnknown note="not seen of any order yet" />`;
        return h`<${Tile} key=${step} name=${step} label=${label}
            href=${views.linkTo(view, { page: "fulfilment", id: step })} figure=${format.count(row.median_days)}
            note=${format.within(row)} />`;
      })}
    </div>`;
  }

  /** What was cancelled of the orders of the period, and of as many days before. */
  function Cancelled({ view, cancelled }) {
    const of = useFigures({ metrics: ["orders", "sales"], period: view.period, compare: view.compare });
    return h`<${Loaded} of=${of}>
      ${({ total, span, before }) => {
        const within = (range) =>
          cancelled.filter(
            ({ ordered_date: day }) =>
              !range ||
              range.first === undefined ||
              (days.number(day) >= range.first && days.number(day) <= range.last),
          );
        const summed = (rows) => ({
          count: rows.reduce((sum, row) => sum + row.order_count, 0),
          amount:
            rows.length > 0 && rows.every(({ amount }) => amount === null)
              ? null
              : decimals.text(rows.reduce((sum, row) => sum + decimals.units(row.amount), 0n)),
        });
        const [now, was] = [summed(within(span)), before && summed(within(before))];
        const states = [...new Set(cancelled.map((row) => row.order_status))];
        const share = (one, all) => (one + all > 0 ? one / (one + all) : null);
        const then = wholesale.controls.COMPARED[view.compare];
        const isBefore = wholesale.trends.isBefore(view);
        const href = states.length ? orders(view, states, view.period) : undefined;
        return h`<div class="tiles">
          <${Tile} label="Cancelled orders" isUnknown=${isBefore} href=${href} exact=${now.count}
              figure=${format.count(now.count)} note=${was && `${format.count(was.count)} ${then}`} />
          <${Tile} label="Cancelled amount" isUnknown=${isBefore || now.amount === null} href=${href}
              exact=${now.amount} figure=${format.amount(now.amount)}
              note=${was && `${format.amount(was.amount)} ${then}`} />
          <${Tile} label="Share of all orders" href=${href} figure=${format.share(share(now.count, total.orders))}
              note=${was && `${format.share(share(was.count, total.orders_before))} ${then}`} />
        </div>`;
      }}
    <//>`;
  }

  const COLUMNS = [
    {
      name: "order_number",
      label: "Order",
      style: "narrow",
      show: (row) => h`<${OrderNumber} number=${row.order_number} id=${row.order_id} />`,
    },
    {
      name: "buyer_name",
      label: "Buyer",
      show: (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} />`,
    },
    {
      name: "vendor_name",
      label: "Vendor",
      drop: 3,
      show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
    },
    { name: "order_status", label: "Status", show: (row) => h`<${State} code=${row.order_status} />` },
    { name: "ordered_date", label: "Ordered", type: "date", drop: 4 },
  ];

  function List({ step, steps, taken }) {
    return h`<${Section} title=${LISTS[step]}>
      <p class="lead">Days from the order to the first reading that found it so.</p>
      <${wholesale.Table} caption=${LISTS[step]} file=${step} size=${50} sort="day"
          rows=${taken.filter((row) => row.step === step)} total=${steps.find((row) => row.step === step)?.order_count}
          columns=${[
            ...COLUMNS,
            { name: "day", label: "Seen", type: "date", drop: 5 },
            { name: "days", label: "Took", type: "count", phrase: "took {}", show: ({ days: took }) => aged(took) },
            { name: "amount", label: "Amount", type: "amount" },
          ]} />
    <//>`;
  }

  function Page({ view }) {
    const of = useLoaded(read, "fulfilment");
    return h`<${Loaded} of=${of}>
      ${({ states, waiting, cancelled, steps, taken }) =>
        LISTS[view.id]
          ? h`<${List} step=${view.id} steps=${steps} taken=${taken} />`
          : h`
            <${wholesale.Controls} view=${view} filters=${[]} />
            <${Section} title="Where orders stand"
                note=${`${age.now()}, whatever the period`}>
              <${Course} view=${view} states=${states} />
            <//>
            <${Section} title="Cancelled"
                note=${`by the day they were ordered, ${wholesale.trends.inWords(view.period)}`}>
              <${Cancelled} view=${view} cancelled=${cancelled} />
            <//>
            <${Section} title="How long it takes" note="days from the order, as far as seen: half take longer">
              <${Steps} view=${view} steps=${steps} />
              ${
                steps.length === 0 &&
                h`<p class="lead">
                  The service tells how an order stands, not since when. Each reading finds what changed since the${" "}
                  one before, so these figures come with the second reading.
                </p>`
              }
            <//>
            <${Section} title="Waiting longest" note="not sent yet">
              <${wholesale.Table} caption="Waiting longest" file="waiting" isOfNow rows=${waiting}
                  total=${waitingIn(states)} sort="waiting_days" empty="No orders are waiting."
                  columns=${[
                    ...COLUMNS,
                    {
                      name: "waiting_days",
                      label: "Age",
                      type: "count",
                      phrase: "{} old",
                      show: ({ waiting_days: waited }) => aged(waited),
                    },
                    { name: "amount", label: "Amount", type: "amount" },
                  ]} />
            <//>
          `}
    <//>`;
  }

  wholesale.receive("pages/fulfilment", Page);
})();
