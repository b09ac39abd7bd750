/** Today: what is new, and what there is to do. */
(() => {
  "use strict";

  const { age, axes, charts, controls, days, decimals, format, load, rowsOf, todo, trends, view: views } = wholesale;
  const {
    h,
    useState,
    useEffect,
    useRef,
    useLoaded,
    useFigures,
    Loaded,
    Icon,
    Link,
    Name,
    OrderNumber,
    State,
    Change,
    Section,
    Segments,
    Tile,
    Empty,
  } = wholesale.elements;
  const METRICS = ["sales", "orders", "active_buyers", "average_order_value"];
  const LABELS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const SINCE = { version: "Last version", yesterday: "Yesterday", week: "A week ago" };
  const AGES = {
    up_to_30: "Ordered up to 30 days ago",
    up_to_60: "31 to 60 days ago",
    over_60: "Over 60 days ago",
    undated: "Day not known",
  };
  const TONES = { up_to_30: "pine", up_to_60: "amber", over_60: "clay", undated: "grey" };

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
      .map(([key, text]) => [key, age.isOld() && from[key] ? format.day(from[key]) : text]);
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
    return h`<section class="hello" aria-label="New">
      <div class="since">
        <span class="wide">New since</span>
        <${Segments} label="New since" options=${options} value=${since}
            onChoose=${(key) => views.go(views.changed(view, { own: { since: key } }))} />
        <span class="quiet wide">
          ${since === "version" ? format.moment(windows.version_before) : format.date(from[since])}
        </span>
      </div>
      <p class="sentence">
        ${
          count === 0
            ? "No order came in."
            : h`<a href=${to("new")}>${format.plural(count, "order")}</a> came in, ${worth}`
        }
      </p>
      <div class="news">
        ${known.map(([kind, text, more]) => {
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
        ${known.length < 3 && h`<span class="quiet">So far only new orders are known of these days.</span>`}
      </div>
    </section>`;
  }

  /** Whether a key is meant for the list, and not for a field or a menu. */
  function isForList(event) {
    return (
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable], .panel, dialog")
    );
  }

  /** That nothing waits, which is not known of orders without a state. */
  function Nothing({ isOfKind, stateless }) {
    if (isOfKind || !(stateless > 0))
      return h`<${Empty} title="Nothing is waiting for you">
        ${isOfKind ? "Nothing of this kind." : "No silent buyer, no order that waits too long, no old bill."}
      <//>`;
    const [told, wait] = stateless === 1 ? ["tells", "it waits"] : ["tell", "they wait"];
    return h`<${Empty} title=${`${format.plural(stateless, "order")} ${told} no state`}>
      Whether ${wait} is not known. Nothing else is waiting for you.
    <//>`;
  }

  function Todo({ view, tasks }) {
    const [ticked, setTicked] = useState(() => todo.ticks(tasks.kinds));
    const [here, move] = useState(-1);
    const [isKept] = useState(todo.isKept);
    const root = useRef(null);
    const group = todo.GROUPS[view.own.show] ? view.own.show : "all";
    const all = todo.linesOf(tasks).map((line) => ({ ...line, at: todo.tickedAt(ticked, line) }));
    const open = all.filter((line) => !line.at);
    const lines = [...open, ...all.filter((line) => line.at)].filter((line) => group === "all" || line.group === group);
    const choose = (line) => setTicked(todo.tick(tasks.kinds, line, !line.at));
    useEffect(() => todo.watch(() => setTicked(todo.ticks(tasks.kinds))), [tasks]);
    const counts = Object.entries(todo.GROUPS).map(([key, text]) => [
      key,
      text,
      open.filter((line) => line.group === key).length,
    ]);
    useEffect(() => {
      const press = (event) => {
        if (!isForList(event) || lines.length === 0) return;
        const links = root.current.querySelectorAll(".task-title a");
        if (event.key === "j" || event.key === "k") {
          const next = Math.min(lines.length - 1, Math.max(0, here + (event.key === "j" ? 1 : -1)));
          move(next);
          links[next].focus();
        } else if (event.key === "x" && lines[here]) choose(lines[here]);
        else if (event.key === "Enter" && lines[here] && event.target === document.body) links[here].click();
        else return;
        event.preventDefault();
      };
      document.addEventListener("keydown", press);
      return () => document.removeEventListener("keydown", press);
    });
    return h`<${Section} title="To do" note=${open.length > 0 && `${format.count(open.length)} open`}
        more=${
          all.length > 0 &&
          h`<${Segments} label="Kind" value=${group}
              options=${[["all", "All"], ...counts.filter(([key, , count]) => count > 0 || key === group)]}
              onChoose=${(key) => views.go(views.changed(view, { own: { show: key === "all" ? null : key } }))} />`
        }>
      ${
        lines.length === 0
          ? h`<${Nothing} isOfKind=${all.length > 0} stateless=${tasks.usual.stateless_count} />`
          : h`
            <ul class="tasks" ref=${root}>
              ${lines.map(
                (line, place) =>
                  h`<li key=${line.key} data-kind=${line.kind}
                      class=${`${["", "soon", "late"][line.urgency]} ${line.at ? "done" : ""}`}
                      data-here=${place === here ? "" : undefined} onFocusIn=${() => move(place)}>
                    <input type="checkbox" class="tick" checked=${Boolean(line.at)} aria-label=${`Done: ${line.title}`}
                        onChange=${() => choose(line)} />
                    <${Icon} name=${line.icon} />
                    <p class="task-title"><a href=${line.href} dir="auto">${line.title}</a></p>
                    <p class="why">${line.at ? `Ticked ${format.moment(line.at)}.` : line.reason}</p>
                    <p class="money" data-exact=${line.money}>
                      ${line.money === null ? h`<span class="unknown">Not known</span>` : format.compact(line.money)}
                      <small>${line.unit}</small>
                    </p>
                  </li>`,
              )}
            </ul>
            <p class="keys">
              <kbd>j</kbd> <kbd>k</kbd> move <kbd>x</kbd> done <kbd>↵</kbd> open ·${" "}
              ${
                isKept
                  ? "A tick stays in this browser until the reason is gone."
                  : "This browser keeps no ticks: they go when the page is closed."
              }
            </p>
          `
      }
      ${lines.length > 0 && open.length === 0 && h`<p class="note">All done. The next version looks again.</p>`}
    <//>`;
  }

  function SoFar({ view }) {
    const period = "this_month";
    const now = useFigures({ metrics: METRICS, period, compare: "period" });
    const course = useFigures({ metrics: METRICS, grain: "week", period: "last_90_days" });
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
                      figure=${inTile(metric, total[metric])} isUnknown=${trends.isUnknown(metric, total, { period })}
                      href=${views.linkTo(view, { page: "sales", period, compare: "period", own: { metric } })}
                      change=${before && h`<${Change} now=${total[metric]} before=${total[`${metric}_before`]} />`}
                      note=${
                        before
                          ? `${inTile(metric, total[`${metric}_before`])} ${then}`
                          : controls.notCompared({ period, compare: "period" })
                      }>
                    ${
                      course.value &&
                      h`<${charts.Spark} ...${axes.courseOf(course.value.rows, metric, course.value.span, "week")} />`
                    }
                  <//>`,
              )}
            </div>
          <//>
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
    const isTold = (first) => days.isCovered({ first }, wholesale.meta.figures_from);
    if (!now.value || !then.value || !isTold(span.first) || now.value.total.sales === null) return null;
    const start = days.number(`${eve.slice(0, 7)}-01`);
    const isThenTold = isTold(start) && then.value.total.sales !== null;
    const before = isThenTold ? running(then.value, { first: start, last: span.first - 1 }) : [];
    const name = (day) => format.month(day).split(" ")[0];
    return h`<${Section} title="Sales, running total">
      <${charts.Pace} now=${running(now.value, span)} before=${before}
          length=${(span.whole ?? span.last) - span.first + 1}
          labels=${{ now: name(days.text(span.first)), before: name(eve) }} />
    <//>`;
  }

  /** The amount of some orders: at least what is known of it, and nothing where none is known. */
  function amountOf({ amount, order_count: count, known_count: known }) {
    if (known === 0) return "amount not known";
    return `${known < count ? "at least " : ""}${format.compact(amount)}`;
  }

  function Unpaid({ view, receivables }) {
    if (receivables.length === 0) return null;
    const unknown = receivables.find(({ age: old }) => old === "unknown");
    const owed = receivables.filter((row) => row !== unknown);
    const summed = (name) => owed.reduce((sum, row) => sum + row[name], 0);
    const all = {
      order_count: summed("order_count"),
      known_count: summed("known_count"),
      amount: decimals.text(owed.reduce((sum, row) => sum + decimals.units(row.amount), 0n)),
    };
    const to = (row) =>
      views.linkTo(view, {
        page: "orders",
        period: `${row.first_day}..${row.last_day}`,
        where: {},
        own: { payment: "owed" },
      });
    const choices = { where: {}, own: { payment: "unknown" } };
    const toUnknown = views.linkTo(view, { page: "orders", period: "all_time", ...choices });
    const note = owed.length > 0 ? `${amountOf(all)}, ${format.plural(all.order_count, "order")}${age.counted()}` : "";
    return h`<${Section} title="Shipped and unpaid" note=${note}>
      ${
        owed.length > 0 &&
        h`<${charts.Stacked}
            parts=${owed.map((row) => ({
              label: AGES[row.age],
              value: row.amount ?? 0,
              tone: TONES[row.age],
              href: row.first_day && to(row),
              text: `${amountOf(row)}, ${format.count(row.order_count)}`,
            }))} />`
      }
      ${
        unknown &&
        h`<p class="small">
          <a class="unknown" href=${toUnknown}>Not known whether owed</a>:${" "}
          ${format.plural(unknown.order_count, "order")}, ${amountOf(unknown)}.
        </p>`
      }
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
      show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
    },
    { name: "order_status", label: "Status", show: (row) => h`<${State} code=${row.order_status} />` },
    { name: "unit_count", label: "Pieces", type: "count" },
    { name: "amount", label: "Amount", type: "amount" },
  ];

  /** The whole list of one kind of task. */
  function List({ kind }) {
    const of = useLoaded(todo.read, "tasks");
    const { title, note, columns, sort } = todo.LISTS[kind];
    const each = kind === "silent" ? " a month" : "";
    return h`<${Loaded} of=${of}>
      ${({ kinds }) =>
        h`<${Section} title=${title}
            note=${`${format.count(kinds[kind].row_count)}, ${format.amount(kinds[kind].amount)}${each}`}>
          <p class="lead">${note()}</p>
          <${wholesale.Table} caption=${title} columns=${columns} rows=${kinds[kind].rows}
              total=${kinds[kind].row_count} sort=${sort} file=${kind} size=${50} empty="Nothing is waiting here." />
        <//>`}
    <//>`;
  }

  function Page({ view }) {
    const news = useLoaded(readNews, "news");
    const tasks = useLoaded(todo.read, "tasks");
    if (todo.LISTS[view.id]) return h`<${List} kind=${view.id} />`;
    const hasFigures = wholesale.meta.figures_up_to !== null;
    return h`
      <${Loaded} of=${news}>
        ${({ counts, windows }) => h`<${Hello} view=${view} counts=${counts} windows=${windows} />`}
      <//>
      <div class="main-and-side">
        <${Loaded} of=${tasks}>${(value) => h`<${Todo} view=${view} tasks=${value} />`}<//>
        <aside>
          ${hasFigures && h`<${SoFar} view=${view} />`}
          <${Loaded} of=${tasks}>${({ receivables }) => h`<${Unpaid} view=${view} receivables=${receivables} />`}<//>
        </aside>
      </div>
      <${Loaded} of=${news}>
        ${({ latest }) =>
          h`<${Section} title="Latest orders"
              more=${h`<${Link} to="orders" class="more">All orders <${Icon} name="right" /><//>`}>
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
