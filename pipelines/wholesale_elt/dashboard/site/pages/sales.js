/** Sales: how business is, and what moved. */
(() => {
  "use strict";

  const { controls, days, format, objects, view: views } = wholesale;
  const { h, useFigures, Loaded, Change, Section, Segments, Tile, Name, Link } = wholesale.elements;
  const { Bars, Moved, Spark, partsOf } = wholesale.charts;
  const METRICS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const BY = { buyer: "Buyer", vendor: "Vendor", product: "Product", category: "Category", state: "State" };
  const OF_LINES = ["product", "category"];
  const WAYS = { buyer: "buyer", vendor: "vendor", category: "category" };

  /** What a row is of: a link to its page, or a way to count it alone. */
  function nameIn(view, by) {
    return ({ keys, names }) => {
      if (WAYS[by]) return h`<${Name} of=${WAYS[by]} id=${keys[by]} name=${names[by]} />`;
      if (by === "state") return h`<a class="name" href=${views.hashOf(views.changed(view, { where: { state: [keys.state] } }))}>${keys.state ?? "Not known"}</a>`;
      return h`<${Link} to="products" own=${{ item: keys[by] }} class="name">${objects.nameOf(keys[by], names[by])}<//>`;
    };
  }

  function Main({ view, metric, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric], grain, period, compare, where });
    return h`<${Section} title=${METRICS[metric]} more=${h`<span class="legend"><span><i class="swatch"></i>This period</span>${compare !== "none" && h`<span><i class="swatch was"></i>${controls.COMPARED[compare]}</span>`}</span>`}>
      <${Loaded} of=${of}>${({ rows, span, before }) => (span.first === undefined && rows.length === 0
        ? h`<${wholesale.elements.Empty} title="No orders." />`
        : h`<${Bars} rows=${rows.filter(({ day }) => day !== null)} metric=${metric} grain=${grain} span=${spanOf(span, rows)} before=${before} view=${view} />`)}<//><//>`;
  }

  /** All time begins with its first day. */
  function spanOf(span, rows) {
    if (span.first !== undefined) return span;
    const dated = rows.filter(({ day }) => day !== null).map(({ day }) => days.number(day));
    return { first: Math.min(...dated), last: days.number(wholesale.meta.figures_up_to) };
  }

  function What({ view }) {
    const { period, compare, where, own } = view;
    const by = BY[own.by] ? own.by : "buyer";
    const metric = OF_LINES.includes(by) ? "product_sales" : "sales";
    const of = useFigures(compare === "none" || period === "all_time" ? null : { metrics: [metric], by: [by], period, compare, where });
    if (compare === "none" || period === "all_time") return null;
    return h`<${Section} title="What moved" more=${h`<${Segments} label="By" options=${Object.entries(BY)} value=${by} onChoose=${(chosen) => views.go(views.changed(view, { own: { by: chosen === "buyer" ? null : chosen } }))} />`}>
      <${Loaded} of=${of}>${({ rows }) => h`<${Moved} rows=${rows} metric=${metric} nameOf=${nameIn(view, by)} />`}<//><//>`;
  }

  /** Vendors, or products: those that sold most, each with its course. */
  function Most({ view, title, by, metric, counted, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric, counted], by: [by], period, compare, where });
    const courses = useFigures({ metrics: [metric], by: [by], grain, period, where });
    const page = by === "vendor" ? "vendors" : "products";
    return h`<${Section} title=${title} more=${h`<${Link} to=${page} class="more">All<//>`}>
      <${Loaded} of=${of}>${({ rows, before, span }) => h`<${wholesale.Table} caption=${title} sort=${metric} size=${8} file=${page}
        columns=${[
          { name: by, label: BY[by], value: ({ names, keys }) => names[by] ?? keys[by], show: nameIn(view, by) },
          { name: "course", label: "Course", type: "course", isUnfinished: span.isUnfinished, value: ({ keys }) => course(courses.value, by, keys[by], span, grain) },
          { name: metric, label: "Sales", type: "bar", before: before ? `${metric}_before` : undefined },
          ...(before ? [{ name: metric, before: `${metric}_before`, label: "Change", type: "change" }] : []),
        ]} rows=${rows.filter((row) => Number(row[counted]) > 0)} />`}<//><//>`;
  }

  /** The values of one member over the parts of the span. */
  function course(answer, by, key, span, grain) {
    if (!answer) return [];
    const found = new Map(answer.rows.filter(({ keys }) => keys[by] === key).map((row) => [row.day, Object.entries(row).find(([name]) => !["day", "keys", "names"].includes(name))[1]]));
    return partsOf(spanOf(span, answer.rows), grain).filter(({ first, last }) => first <= last).map(({ day }) => found.get(day) ?? 0);
  }

  function Page({ view }) {
    const { period, compare, where, own } = view;
    const span = days.period(period, wholesale.meta.figures_up_to);
    const first = wholesale.meta.first_ordered_date;
    const grain = span.first !== undefined ? days.grainOf(span.first, span.last) : first ? days.grainOf(days.number(first), days.number(wholesale.meta.figures_up_to)) : "month";
    const metric = METRICS[own.metric] ? own.metric : "sales";
    const names = Object.keys(METRICS);
    const of = useFigures({ metrics: names, period, compare, where });
    const parts = useFigures({ metrics: names, grain, period, where });
    return h`<div><${wholesale.Controls} view=${view} />
      <${Loaded} of=${of}>${({ total, before }) => h`<div class="tiles lined">${names.map((name) => h`<${Tile} key=${name} name=${name} label=${METRICS[name]}
        isChosen=${name === metric} onChoose=${() => views.go(views.changed(view, { own: { metric: name === "sales" ? null : name } }))}
        exact=${total[name]} figure=${name === "average_order_value" ? format.amount(total[name]) : format.metric(name, total[name])}
        change=${before && h`<${Change} now=${total[name]} before=${total[`${name}_before`]} />`}
        note=${before && `${format.metric(name, total[`${name}_before`])} ${controls.COMPARED[compare]}`}>
        ${parts.value && parts.value.rows.length > 1 && h`<${Spark} values=${parts.value.rows.filter(({ day }) => day !== null).map((row) => row[name])} isUnfinished=${Boolean(span.isUnfinished)} />`}<//>`)}</div>`}<//>
      <${Main} view=${view} metric=${metric} grain=${grain} />
      <${What} view=${view} />
      <div class="halves">
        <${Most} view=${view} title="Products" by="product" metric="product_sales" counted="product_orders" grain=${grain} />
        <${Most} view=${view} title="Vendors" by="vendor" metric="sales" counted="orders" grain=${grain} />
      </div>
      ${of.value && h`<p class="foot-line"><i class="dot" aria-hidden="true"></i><span>${`${format.word(wholesale.meta.verdict)}. `}<${Link} to="orders" where=${where} class="a">${`The ${format.plural(of.value.total.orders, "order")} behind these figures`}<//></span></p>`}
    </div>`;
  }

  wholesale.pages.sales = { Page };
})();
