/** Today: what is new, and what there is to do. */
(() => {
  "use strict";

  const {
    age,
    axes,
    charts,
    controls,
    days,
    decimals,
    format,
    goals,
    load,
    outlook,
    rowsOf,
    todo,
    view: views,
    Owed,
  } = wholesale;
  const { h, useLoaded, useFigures, Loaded, Icon, Name, OrderNumber, State, Change, Section, Segments, Tile } =
    wholesale.elements;
  const METRICS = ["sales", "orders", "active_buyers", "average_order_value"];
  const LABELS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const SINCE = { version: "Last version", yesterday: "Yesterday", week: "A week ago" };
  const readNews = () =>
    load("news").then((tables) => ({
      counts: rowsOf(tables.counts),
      latest: rowsOf(tables.latest),
      windows: rowsOf(tables.windows)[0] ?? {},
    }));

  /** What the news line says of each kind. */
  const NEWS = [
    [
      "cancelled",
      "cancelled",
      ({ amount }) => h`<span class=${Number(amount) < 0 ? "down" : "quiet"}>${format.compact(amount)}</span>`,
    ],
    [
      "edited",
      "edited",
      ({ amount }) =>
        h`<span class=${Number(amount) < 0 ? "down" : "up"}>${format.signed(format.compact)(amount)}</span>`,
    ],
    ["deleted", "deleted", ({ amount }) => h`<span class="down">${format.compact(amount)}</span>`],
    [
      "price",
      "prices changed",
      ({ event_count: all, rise_count: up }) =>
        h`<span class="quiet">${format.count(up)} up, ${format.count(all - up)} down</span>`,
    ],
    ["first", "first orders", ({ amount }) => h`<span class="quiet">${format.compact(amount)}</span>`],
    ["sent", null, ({ amount }) => h`<span class="quiet">${format.compact(amount)}</span>`],
    ["settled", null, ({ amount }) => h`<span class="quiet">${format.compact(amount)}</span>`],
  ];
  const became = (kind) => format.became(kind).toLowerCase();
  /** Told only if there are any. */
  const RARE = ["deleted", "first"];
  const ONE = { price: "price changed", first: "first order" };

  /** That none of these kinds happened, in words. */
  function nothing(kinds) {
    const done = kinds.filter(([kind]) => kind !== "price").map(([kind, text]) => text ?? became(kind));
    return `Nothing was ${done.slice(0, -1).join(", ")} or ${done.at(-1)}, and no price changed.`;
  }

  /** Whether a kind is known of the days since then: all but new orders only if they were looked at before. */
  function isKnown(kind, since, windows) {
    const { observed_since: seen, yesterday, week_ago: weekAgo } = windows;
    if (since === "version") return true;
    const isAfter = (day) => day !== null && day < (since === "week" ? weekAgo : yesterday);
    return kind === "first" ? isAfter(wholesale.meta.figures_from) : isAfter(seen);
  }

  function Hello({ view, counts, windows }) {
    const from = { yesterday: windows.yesterday, week: windows.week_ago };
    const options = Object.entries(SINCE)
      .filter(([key]) => key !== "version" || windows.version_before)
      .map(([key, text]) => [key, age.isOtherDay() && from[key] ? format.day(from[key]) : text]);
    const since =
      SINCE[view.own.since] && options.some(([key]) => key === view.own.since) ? view.own.since : options[0][0];
    const of = (kind) =>
      counts.find((row) => row.since === since && row.kind === kind) ?? { event_count: 0, rise_count: 0, amount: "0" };
    const to = (kind) => views.linkTo(view, { page: "changes", own: { since, kind }, where: {} });
    const { event_count: count, amount } = of("new");
    const worth =
      amount === null
        ? h`<span class="unknown">amount not known</span>.`
        : h`<span class="together">
          worth <a href=${to("new")} data-exact=${amount}>${format.amount(amount)}</a>.
        </span>`;
    const known = NEWS.filter(
      ([kind]) => isKnown(kind, since, windows) && (!RARE.includes(kind) || of(kind).event_count > 0),
    );
    const isQuiet = known.length > 2 && known.every(([kind]) => of(kind).event_count === 0);
    return h`<section class="hello" aria-label="New">
      <div class="since">
        <span class="wide">New since</span>
        <${Segments} label="New since" options=${options} value=${since}
            onChoose=${(key) => views.go(views.changed(view, { own: { since: key } }))} />
        <span class="quiet wide">
          ${since === "version" ? age.said(windows.version_before) : format.date(from[since])}
        </span>
      </div>
      <p class="sentence">
        ${
          count === 0
            ? wholesale.meta.last_ordered_date === null
              ? "There are no orders yet."
              : "No order came in."
            : h`<a href=${to("new")}>${format.plural(count, "order")}</a> came in, ${worth}`
        }
      </p>
      <div class="news">
        ${isQuiet && h`<span class="quiet">${nothing(known)}</span>`}
        ${(isQuiet ? [] : known).map(([kind, text, more]) => {
          const row = of(kind);
          const said = h`
            <b>${format.count(row.event_count)}</b>${" "}
            ${row.event_count === 1 ? (ONE[kind] ?? text ?? became(kind)) : (text ?? became(kind))}${" "}
            ${row.event_count > 0 && more(row)}
          `;
          return row.event_count > 0
            ? h`<a key=${kind} href=${to(kind)}>${said}</a>`
            : h`<span key=${kind} class="quiet">${said}</span>`;
        })}
        ${
          known.length < 3 &&
          wholesale.meta.last_ordered_date !== null &&
          h`<span class="quiet">What else changed since then is not known: nobody looked before.</span>`
        }
      </div>
    </section>`;
  }

  function SoFar({ view }) {
    const period = "this_month";
    const now = useFigures({ metrics: METRICS, period, compare: "period" });
    const course = useFigures({ metrics: METRICS, grain: "week", period: "last_90_days" });
    const whyOf = wholesale.why.useWhy({ metrics: METRICS, period, compare: "period" });
    const goalOf = goals.useGoals({});
    const goalIn = (metric) => goalOf(metric, goals.monthOf(period));
    const inTile = (metric, value) => (metric === "sales" ? format.dense : format.metric)(metric, value);
    return h`<${Loaded} of=${now}>
      ${({ total, span, before }) => {
        const name = format.longMonth(days.text(span.first));
        const note = span.isUnfinished ? `${span.last - span.first + 1} of ${span.whole - span.first + 1} days` : "";
        const then = before ? `by ${format.day(days.text(before.last))}` : "";
        return h`
          <${Section} title=${span.isUnfinished ? `${name.split(" ")[0]} so far` : name} note=${note}>
            <div class="tiles quad">
              ${METRICS.map(
                (metric) =>
                  h`<${Tile} key=${metric} name=${metric} label=${LABELS[metric]} exact=${total[metric]}
                      figure=${inTile(metric, total[metric])} isUnknown=${axes.isUnknown(metric, total, { period })}
                      href=${views.linkTo(view, { page: "sales", period, compare: "period", own: { metric } })}
                      change=${before && h`<${Change} now=${total[metric]} before=${total[`${metric}_before`]} />`}
                      note=${
                        before
                          ? `${inTile(metric, total[`${metric}_before`])} ${then}`
                          : controls.notCompared({ period, compare: "period" })
                      }>
                    <${wholesale.why.Told} goal=${goalIn(metric) && goals.lineOf(goalIn(metric))}
                        why=${before ? whyOf(metric) : null} />
                    ${
                      course.value &&
                      h`<${charts.Spark} ...${axes.courseOf(course.value.rows, metric, course.value.span, "week")} />`
                    }
                  <//>`,
              )}
            </div>
          <//>
          ${
            course.value?.span.last !== undefined &&
            h`<p class="quiet lines-note">Lines: the last 90 days, by week.</p>`
          }
          <${Running} key="running" span=${span} />
        `;
      }}
    <//>`;
  }

  /** Sales of each day from the first, added up. */
  function running({ rows }, { first, last }) {
    const byDay = new Map(rows.map((row) => [row.day, decimals.units(row.sales ?? "0")]));
    let sum = 0n;
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => {
      sum += byDay.get(days.text(first + place)) ?? 0n;
      return decimals.text(sum);
    });
  }

  function Running({ span }) {
    const eve = days.text(span.first - 1);
    const now = useFigures({ metrics: ["sales"], grain: "day", period: "this_month" });
    const then = useFigures({ metrics: ["sales"], grain: "day", period: eve.slice(0, 7) });
    const windowOf = outlook.useOutlook({});
    const isTold = (first) => days.isCovered({ first }, wholesale.meta.figures_from);
    if (!now.value || !then.value || !isTold(span.first) || now.value.total.sales === null) return null;
    const start = days.number(`${eve.slice(0, 7)}-01`);
    const isThenTold = isTold(start) && then.value.total.sales !== null;
    const before = isThenTold ? running(then.value, { first: start, last: span.first - 1 }) : [];
    const name = (day) => format.month(day).split(" ")[0];
    const longName = (day) => format.longMonth(day).split(" ")[0];
    const length = (span.whole ?? span.last) - span.first + 1;
    const may = span.isUnfinished ? windowOf(days.text(span.first)) : undefined;
    const sums = running(now.value, span);
    const figures = () => ({
      isOfNow: true,
      columns: [
        { name: "date", label: "Date", type: "date", show: (row) => format.day(row.date) },
        { name: "now", label: name(days.text(span.first)), type: "exact" },
        { name: "before", label: name(eve), type: "exact" },
      ],
      rows: sums.map((sum, place) => ({
        key: place,
        date: days.text(span.first + place),
        now: sum,
        before: before[place] ?? null,
      })),
    });
    return h`<${Section} title="Sales, running total">
      <${charts.Running} now=${sums} before=${before} length=${length} may=${may}
          labels=${{ now: name(days.text(span.first)), before: name(eve) }} />
      ${
        may &&
        h`<p class="quiet small">
          ${outlook.rightText(may)}${" "}
          <${wholesale.elements.Link} to="next" class="a">Where ${longName(may.month_start)} may end<//>
        </p>`
      }
      <${wholesale.parts.Behind} caption="Sales, running total" file="running-total" table=${figures} />
    <//>`;
  }

  const LATEST = [
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
      drop: 4,
      show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
    },
    { name: "order_status", label: "Status", show: (row) => h`<${State} code=${row.order_status} />` },
    { name: "unit_count", label: "Pieces", type: "count", drop: 1 },
    { name: "amount", label: "Amount", type: "amount" },
  ];

  function Page({ view }) {
    // Both are small, and nothing is moved by what comes later.
    const both = useLoaded(() => Promise.all([readNews(), todo.read()]), "today");
    const [news, tasks] = [0, 1].map((place) => ({ ...both, value: both.value?.[place] }));
    if (todo.LISTS[view.id]) return h`<${todo.List} kind=${view.id} />`;
    const hasFigures = wholesale.meta.figures_up_to !== null;
    if (!both.value) return h`<${Loaded} of=${both} />`;
    return h`
      <${Loaded} of=${news}>
        ${({ counts, windows }) => h`<${Hello} view=${view} counts=${counts} windows=${windows} />`}
      <//>
      <div class="main-and-side">
        <${Loaded} of=${tasks}>${(value) => h`<${todo.Todo} view=${view} tasks=${value} />`}<//>
        <aside>
          ${hasFigures && h`<${SoFar} view=${view} />`}
          <${Loaded} of=${tasks}>${({ receivables }) => h`<${Owed} view=${view} receivables=${receivables} />`}<//>
        </aside>
      </div>
      <${Loaded} of=${news}>
        ${({ latest }) =>
          h`<${Section} title="Latest orders"
              more=${h`<a class="more" href=${views.hashOf({ page: "orders", period: "all_time" })}>
                All orders <${Icon} name="right" />
              </a>`}>
            <${wholesale.Table} caption="Latest orders" columns=${LATEST} rows=${latest} empty="No orders yet." />
          <//>`}
      <//>
      <${wholesale.parts.Foot}>
        ${
          hasFigures
            ? `Figures go to the end of ${format.date(wholesale.meta.figures_up_to)}.`
            : "There are no orders yet."
        }
      <//>
    `;
  }

  wholesale.receive("pages/today", Page);
})();
