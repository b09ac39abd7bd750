/** Changes: why a figure moved, the orders behind each cause, and what changed in them. */
(() => {
  "use strict";

  const { age, charts, format, load, rowsOf, view: views } = wholesale;
  const { h, useLoaded, Loaded, Icon, Section, Segments, Empty } = wholesale.elements;
  const { UNTOLD, fieldNames, causeName, FromTo, MonthBefore, ORDER, BUYER, VENDOR } = wholesale.pieces.changes;
  const { fieldName } = wholesale.parts;
  const COMPARED = {
    version_before: "Last version",
    day_before: "Yesterday",
    week_before: "A week ago",
    oldest_version: "Oldest version",
  };
  /** The first page's choices, which are offered here too, and what they compare with. */
  const OF_TODAY = { version: "version_before", yesterday: "day_before", week: "week_before" };
  const METRICS = { sales: "Sales", orders: "Orders", average_order_value: "Average order", active_buyers: "Buyers" };
  const PARTS = { orders_with_an_amount: "number of orders" };
  const PERIODS = { all_time: "All time", this_month: "This month", last_month: "Last month" };
  const KINDS = {
    new: "New orders",
    first: "First orders of buyers",
    cancelled: "Cancelled orders",
    edited: "Edited orders",
    price: "Prices changed",
    deleted: "Deleted orders",
    reappeared: "Orders that came back",
  };
  const STEPS = ["accepted", "sent", "done", "settled"];
  const kindName = (kind) => (STEPS.includes(kind) ? format.became(kind) : KINDS[kind]);
  const SINCE = { version: "since the last version", yesterday: "since yesterday", week: "since a week ago" };
  const BACK = { day_before: 1, week_before: 7, yesterday: 1, week: 7 };

  /** A day that is so far back, by its date where that is not so far back for the reader. */
  const dayOf = (key, text, before = "") =>
    BACK[key] && age.isOtherDay() ? `${before}${format.day(wholesale.days.text(age.today() - BACK[key]))}` : text;

  const tables = (read) => Object.fromEntries(Object.entries(read).map(([name, table]) => [name, rowsOf(table)]));
  const read = () => load("changes").then(tables);
  const readEvents = () => load("events").then(tables);

  const chosen = (options, value, otherwise) => (Object.hasOwn(options, value ?? "") ? value : otherwise);
  const choose = (view, own) => views.go(views.changed(view, { own: { cause: null, ...own } }));

  /** What is new of one kind, as the first page counts it. */
  function Events({ view, news }) {
    const since = chosen(SINCE, view.own.since, "yesterday");
    const { kind } = view.own;
    const rows = news.events.filter((row) => row.since === since && row.kind === kind);
    const total = news.counts.find((row) => row.since === since && row.kind === kind)?.event_count;
    const isPrice = kind === "price";
    const signed = ["edited", "cancelled", "price", "deleted"].includes(kind);
    return h`<${Section} title=${kindName(kind)} note=${dayOf(since, SINCE[since], "since ")}
        more=${h`<a class="more" href=${views.linkTo(view, { page: "changes" })}>
          All changes <${Icon} name="right" />
        </a>`}>
      <${wholesale.Table} caption=${kindName(kind)} file=${kind} size=${30} total=${total} rows=${rows}
          empty="None of these."
          columns=${[
            isPrice ? { ...ORDER, name: "title", label: "Product", style: "" } : ORDER,
            ...(isPrice ? [] : [BUYER]),
            VENDOR,
            { name: "day", label: "Day", type: "date", drop: 5, phrase: "{}" },
            ...(rows.some((row) => row.value_after !== null)
              ? [
                  {
                    name: "value_after",
                    label: "From and to",
                    show: (row) => h`<${FromTo} fields=${[{ ...row, field: isPrice ? "unit_price" : "status" }]} />`,
                  },
                ]
              : []),
            {
              name: "amount",
              label: isPrice ? "By" : "Amount",
              type: isPrice ? "exact" : "amount",
              ...(signed && {
                show: (row) =>
                  h`<span class=${Number(row.amount) < 0 ? "down" : "up"}>
                    ${format.signed(isPrice ? format.exact : format.amount)(row.amount)}
                  </span>`,
              }),
            },
          ]} />
    <//>`;
  }

  function label({ cause, fields, part, metric }) {
    const through = part === metric ? "" : `, by ${(METRICS[part] ?? PARTS[part] ?? format.word(part)).toLowerCase()}`;
    const named = cause === "edited" || cause === "state changed" ? fieldNames(fields) : "";
    return `${causeName(cause)}${named ? `: ${named}` : ""}${through}`;
  }

  function CauseOrders({ cause, orders }) {
    const rows = orders.filter(
      (row) =>
        row.compared_with === cause.compared_with &&
        row.period === cause.period &&
        row.metric === cause.part &&
        row.cause === cause.cause &&
        row.fields === cause.fields,
    );
    const written = wholesale.meta.metrics[cause.part].unit === "amount" ? format.amount : format.count;
    const largest = rows.length < cause.order_count ? `, the largest ${format.count(rows.length)} of them here` : "";
    return h`<${Section} title=${label(cause)}
        note=${`${format.plural(cause.order_count, "order")}${largest}`}>
      <${wholesale.Table} caption=${label(cause)} file="cause" size=${30} rows=${rows} total=${cause.order_count}
          empty="No order here."
          columns=${[
            ORDER,
            BUYER,
            { name: "ordered_date", label: "Ordered", type: "date", drop: 5 },
            ...(cause.part === "active_buyers"
              ? []
              : [
                  {
                    name: "amount",
                    label: METRICS[cause.part] ?? "Orders",
                    type: "amount",
                    show: (row) =>
                      h`<span class=${Number(row.amount) < 0 ? "down" : "up"}>
                        ${format.signed(written)(row.amount)}
                      </span>`,
                  },
                ]),
          ]} />
    <//>`;
  }

  /** What is chosen of the comparisons that there are, and what is known of it. */
  function asked({ own }, { totals = [], causes = [] }, known) {
    const isThere = ([key]) => totals.some((row) => row.compared_with === key);
    const first = known.find(isThere)[0];
    const compared = chosen(Object.fromEntries(known), own.from ?? OF_TODAY[own.since], first);
    const metric = chosen(METRICS, own.metric, "sales");
    const spans = Object.entries(PERIODS).filter(([key]) =>
      totals.some((row) => row.compared_with === compared && row.period === key),
    );
    const period = chosen(Object.fromEntries(spans), own.span, "all_time");
    const is = (row) => row.compared_with === compared && row.metric === metric && row.period === period;
    const steps = causes.filter(is);
    const isFirst = compared === first && period === "all_time";
    const cause = steps.find((row) => String(row.cause_number) === own.cause) ?? (isFirst ? undefined : steps[0]);
    return { compared, metric, spans, period, total: totals.find(is), steps, isFirst, cause };
  }

  /** By how much a figure moved, in a sentence, and its causes as steps from then to now. */
  function Moved({ view, metric, period, total, steps, oldest }) {
    const write = (value) => format.metric(metric, value);
    if (!total)
      return h`<${Empty} title="Not known">
        No version from then is kept${oldest && `; the oldest is of ${format.moment(oldest)}`}.
      <//>`;
    if (total.difference === null)
      return h`<${Empty} title="Not known">One of the two versions does not have this figure.<//>`;
    if (steps.length === 0)
      return h`<${Empty} title="Nothing moved">
        ${METRICS[metric]}, ${PERIODS[period].toLowerCase()}: ${write(total.value_after)}, as before.
      <//>`;
    const hasFallen = Number(total.difference) < 0;
    const to = (row) => views.linkTo(view, { page: "changes", own: { ...view.own, cause: row.cause_number } });
    return h`
      <p class="sentence">
        ${METRICS[metric]} ${hasFallen ? "fell" : "rose"} by${" "}
        <span class=${hasFallen ? "down" : "up"} data-exact=${total.difference}>
          ${write(total.difference.replace("-", ""))}
        </span>
        .
      </p>
      <p class="lead">${PERIODS[period]}: from ${write(total.value_before)} to ${write(total.value_after)}.</p>
      <${charts.Waterfall} metric=${metric} from=${{ label: "Then", value: total.value_before }}
          to=${{ label: "Now", value: total.value_after }}
          steps=${steps.map((row) => ({
            label: label(row),
            amount: row.amount ?? "0",
            href: to(row),
            note: format.plural(row.order_count, "order"),
          }))} />
    `;
  }

  function Why({ view, differences }) {
    const { totals = [], orders = [] } = differences;
    const isKnown = (key) => totals.some((row) => row.compared_with === key);
    const known = Object.entries(COMPARED).filter(([key]) => isKnown(key) || /^(day|week)_/.test(key));
    if (totals.length === 0) {
      return h`
        <${Section} title="Why figures moved">
          <${Empty} title="Nothing to compare with yet">
            This is the first version. From the next one on, this page tells what moved, and why.
          <//>
        <//>
        <${Changed} differences=${differences} />
      `;
    }
    const { compared, metric, spans, period, total, steps, isFirst, cause } = asked(view, differences, known);
    return h`
      <${Section} title="Why figures moved" note=${total?.from_as_of ? `since ${format.moment(total.from_as_of)}` : ""}>
        <div class="choices">
          <${Segments} label="Compared with" value=${compared}
              options=${known.map(([key, text]) => [key, dayOf(key, text)])}
              onChoose=${(from) => choose(view, { from })} />
          <${Segments} label="Figure" value=${metric} options=${Object.entries(METRICS)}
              onChoose=${(key) => choose(view, { metric: key })} />
          <${Segments} label="Period" value=${period} options=${spans} onChoose=${(span) => choose(view, { span })} />
        </div>
        <${Moved} view=${view} metric=${metric} period=${period} total=${total} steps=${steps}
            oldest=${totals.find((row) => row.compared_with === "oldest_version")?.from_as_of} />
        <${MonthBefore} view=${view} metric=${metric} period=${period} />
      <//>
      ${
        cause &&
        h`<${CauseOrders} key=${`${compared} ${metric} ${period} ${cause.cause_number}`} cause=${cause}
            orders=${orders} />`
      }
      ${isFirst && h`<${Changed} differences=${differences} />`}
    `;
  }

  /** What changed, an order or a line a row, with each value from and to. */
  function Changed({ differences }) {
    const { changes = [], fields = [], counted = [] } = differences;
    const keyOf = ({ order_id: order, line_number: line }) => `${order}/${line ?? ""}`;
    const byKey = Map.groupBy(fields, keyOf);
    const rows = changes
      .map((row) => ({ ...row, told: (byKey.get(keyOf(row)) ?? []).filter(({ field }) => !UNTOLD.has(field)) }))
      .filter(({ kind, told, line_number: line }) => kind !== "edited" || told.length > 0 || line !== null)
      .toSorted((one, other) => (one.kind === "new") - (other.kind === "new"));
    return h`<${Section} title="What changed"
        note=${
          rows.length > 0
            ? `since the last version, seen ${format.moment(rows[0].changed_at)}`
            : "since the last version"
        }>
      <${wholesale.Table} caption="What changed" file="changes" size=${30} rows=${rows}
          total=${rows.length + Math.max(0, (counted[0]?.change_count ?? 0) - changes.length)}
          empty="No order changed."
          columns=${[
            ORDER,
            BUYER,
            {
              name: "kind",
              label: "Change",
              show: (row) =>
                h`
                  ${
                    row.line_number === null
                      ? causeName(row.kind).replace(" orders", "")
                      : `Line ${row.line_number}: ${row.kind}`
                  }
                  ${row.sku && h` <span class="quiet" dir="auto">${row.sku}</span>`}
                `,
            },
            {
              name: "fields",
              label: "From and to",
              show: (row) => row.told.length > 0 && h`<${FromTo} fields=${row.told} />`,
              value: (row) =>
                row.told
                  .map(
                    ({ field, value_before: before, value_after: after }) =>
                      `${fieldName(field)}: ${before ?? ""} → ${after ?? ""}`,
                  )
                  .join("; "),
            },
            {
              name: "amount_effect",
              label: "Effect",
              type: "amount",
              show: (row) =>
                Number(row.amount_effect) === 0
                  ? ""
                  : h`<span class=${Number(row.amount_effect) < 0 ? "down" : "up"}>
                    ${format.signed(format.amount)(row.amount_effect)}
                  </span>`,
            },
          ]} />
    <//>`;
  }

  function Page({ view }) {
    const differences = useLoaded(read, "changes");
    const events = useLoaded(readEvents, "events");
    return h`<div class="changes">
      ${
        kindName(view.own.kind) &&
        h`<${Loaded} of=${events}>
          ${(value) => h`<${Events} key=${`${view.own.kind} ${view.own.since}`} view=${view} news=${value} />`}
        <//>`
      }
      <${Loaded} of=${differences}>${(value) => h`<${Why} view=${view} differences=${value} />`}<//>
    </div>`;
  }

  wholesale.receive("pages/changes", Page);
})();
