/** Sales: how business is, and what moved. */
(() => {
  "use strict";

  const { controls, days, decimals, format, objects, orders, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Change, Section, Segments, Tile, Name, Link, OrderNumber, Icon, Empty } = wholesale.elements;
  const { courseOf, grainIn, longName, outliersOf, partsOf, spanOf } = wholesale.axes;
  const { Bars, Moved, Spark, widen } = wholesale.charts;
  const METRICS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const BY = { buyer: "Buyer", vendor: "Vendor", product: "Product", category: "Category", state: "State" };
  const OF_LINES = ["product", "category"];
  const WAYS = { buyer: "buyer", vendor: "vendor", product: "product", category: "category" };
  const LARGE = 0.4;

  const writeOf = (name) => (name === "average_order_value" ? format.amount : (value) => format.metric(name, value));

  /** The same page for one member alone; null if it cannot be counted so. */
  const onlyIn = (view, by) => ({ keys }) => (views.FILTERS.includes(by) ? views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } })) : null);

  /** What a row is of: a link to its page, or a way to count it alone. */
  function nameIn(view, by) {
    return (row) => {
      const { keys, names } = row;
      if (WAYS[by]) return h`<${Name} of=${WAYS[by]} id=${keys[by]} name=${names[by]} />`;
      if (by === "state") return h`<a class=${keys.state === null ? "name unknown" : "name"} href=${onlyIn(view, by)(row)}>${keys.state ?? "Not known"}</a>`;
      return objects.nameOf(keys[by], names[by]);
    };
  }

  /** The way back to the period of which these days are a part. */
  function Wider({ view }) {
    return view.own.whole ? h`<button type="button" class="quiet-button" onClick=${() => widen(view)}><${Icon} name="cross" /> Back to ${controls.periodName(view.own.whole).toLowerCase()}</button>` : null;
  }

  /** The order that makes a part of the period what it is, if one does. */
  async function cause({ where }, { first, last }, whole) {
    const found = await orders.first({ where, period: `${days.text(first)}..${days.text(last)}` });
    const most = found.filter((row) => row.is_sale && row.amount !== null).reduce((top, row) => (top && decimals.compare(top.amount, row.amount) >= 0 ? top : row), null);
    return most && Number(most.amount) >= LARGE * whole ? most : null;
  }

  /** What stands out of the chart, by name. */
  function Outlier({ view, part, metric, grain }) {
    const of = useLoaded(() => (metric === "sales" ? cause(view, part, part.now) : Promise.resolve(null)), JSON.stringify([part.day, grain, view.where]));
    if (of.value === undefined) return null;
    const row = of.value;
    return h`<li><i aria-hidden="true"></i>${longName(part, grain)} stands out, with ${format.metric(metric, String(part.now))}${row ? h`: order <${OrderNumber} number=${row.order_number} id=${row.order_id} /> of <${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} class="a" /> alone is ${format.amount(row.amount)}.` : "; no single order makes it."}</li>`;
  }

  function Main({ view, metric, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric], grain, period, compare, where });
    const isAdditive = !wholesale.meta.metrics[metric].parts && metric !== "active_buyers";
    return h`<${Section} title=${METRICS[metric]} more=${h`<span class="legend"><${Wider} view=${view} /><span><i class="swatch"></i>This period</span>${compare !== "none" && period !== "all_time" && h`<span><i class="swatch was"></i>${controls.COMPARED[compare]}</span>`}</span>`}>
      <${Loaded} of=${of}>${({ rows, span, before }) => {
        const own = spanOf(span);
        const dated = rows.filter(({ day }) => day !== null);
        if (!own || dated.length === 0) return h`<${Empty} title="No orders in this time">Nothing was sold like that. Choose other days, or fewer filters.<//>`;
        const byDay = new Map(dated.map((row) => [row.day, Number(row[metric] ?? 0)]));
        const parts = partsOf(own, grain).filter(({ first, last }) => first <= last).map((part) => ({ ...part, now: byDay.get(part.day) ?? 0 }));
        const odd = isAdditive ? outliersOf(parts.map(({ now }) => now)) : [];
        return h`<${Bars} rows=${dated} metric=${metric} grain=${grain} span=${own} before=${before} view=${view} />
          ${odd.length > 0 && h`<ul class="odd-note">${odd.map((place) => h`<${Outlier} key=${parts[place].day} view=${view} part=${parts[place]} metric=${metric} grain=${grain} />`)}</ul>`}`;
      }}<//><//>`;
  }

  /** The whole change, in words. */
  function movedText(total, metric, compare) {
    const by = decimals.units(total[metric] ?? "0") - decimals.units(total[`${metric}_before`] ?? "0");
    return by === 0n ? "" : `${format.compact(decimals.text(by < 0n ? -by : by))} ${by < 0n ? "less" : "more"} than ${controls.COMPARED[compare]}`;
  }

  function What({ view }) {
    const { period, compare, where, own } = view;
    const by = BY[own.by] ? own.by : "buyer";
    const metric = OF_LINES.includes(by) ? "product_sales" : "sales";
    const isCompared = compare !== "none" && period !== "all_time";
    const of = useFigures(isCompared ? { metrics: [metric], by: [by], period, compare, where } : null);
    if (!isCompared) return null;
    return h`<${Section} title="What moved" note=${of.value && !of.isOld && movedText(of.value.total, metric, compare)} more=${h`<${Segments} label="By" options=${Object.entries(BY)} value=${by} onChoose=${(chosen) => views.go(views.changed(view, { own: { by: chosen === "buyer" ? null : chosen } }))} />`}>
      <${Loaded} of=${of} key=${by}>${({ rows }) => h`<${Moved} rows=${rows} metric=${metric} nameOf=${nameIn(view, by)} onlyOf=${onlyIn(view, by)} />`}<//><//>`;
  }

  /** Vendors, or products: those that sold most, each with its course. */
  function Most({ view, title, by, metric, counted, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric, counted], by: [by], period, compare, where });
    const courses = useFigures({ metrics: [metric], by: [by], grain, period, where });
    const page = by === "vendor" ? "vendors" : "products";
    const only = onlyIn(view, by);
    const amount = (row) => (only(row) ? h`<a href=${only(row)} title="Only this">${format.compact(row[metric])}</a>` : format.compact(row[metric]));
    return h`<${Section} title=${title} more=${h`<${Link} to=${page} class="more">All<${Icon} name="right" /><//>`}>
      <${Loaded} of=${of}>${({ rows, before, span }) => {
        const byKey = Map.groupBy(courses.value?.rows ?? [], ({ keys }) => keys[by]);
        return h`<${wholesale.Table} caption=${title} sort=${metric} size=${8} file=${page} empty="Nothing was sold in this time."
          columns=${[
            { name: by, label: BY[by], value: ({ names, keys }) => names[by] ?? keys[by], show: nameIn(view, by) },
            { name: "course", label: "Course", type: "course", value: ({ keys }) => (courses.value ? courseOf(byKey.get(keys[by]) ?? [], metric, span, grain) : { values: [] }) },
            { name: metric, label: "Sales", type: "bar", before: before ? `${metric}_before` : undefined, show: amount },
            ...(before ? [{ name: metric, before: `${metric}_before`, label: "Change", type: "change" }] : []),
          ]} rows=${rows.filter((row) => Number(row[counted]) > 0)} />`;
      }}<//><//>`;
  }

  function Page({ view }) {
    const { period, compare, where, own } = view;
    const span = days.period(period, wholesale.meta.figures_up_to);
    const grain = grainIn(spanOf(span), null);
    const metric = METRICS[own.metric] ? own.metric : "sales";
    const names = Object.keys(METRICS);
    const of = useFigures({ metrics: names, period, compare, where });
    const parts = useFigures({ metrics: names, grain, period, where });
    return h`<div><${wholesale.Controls} view=${view} />
      <${Loaded} of=${of}>${({ total, before }) => h`<div class="tiles lined">${names.map((name) => h`<${Tile} key=${name} name=${name} label=${METRICS[name]}
        isChosen=${name === metric} onChoose=${() => views.go(views.changed(view, { own: { metric: name === "sales" ? null : name } }))}
        exact=${total[name]} figure=${writeOf(name)(total[name])}
        change=${before && h`<${Change} now=${total[name]} before=${total[`${name}_before`]} />`}
        note=${before && `${writeOf(name)(total[`${name}_before`])} ${controls.COMPARED[compare]}`}>
        ${parts.value && h`<${Spark} ...${courseOf(parts.value.rows, name, parts.value.span, grain)} />`}<//>`)}</div>`}<//>
      <${Main} view=${view} metric=${metric} grain=${grain} />
      <${What} view=${view} />
      <div class="halves">
        <${Most} view=${view} title="Products" by="product" metric="product_sales" counted="product_orders" grain=${grain} />
        <${Most} view=${view} title="Vendors" by="vendor" metric="sales" counted="orders" grain=${grain} />
      </div>
      ${of.value && h`<p class="foot-line"><i class=${wholesale.meta.verdict === "complete" ? "dot" : "dot partial"} aria-hidden="true"></i><span>${`${format.word(wholesale.meta.verdict)}. `}<${Link} to="orders" where=${where} class="a">${`The ${format.plural(of.value.total.orders, "order")} behind these figures`}<//></span></p>`}
    </div>`;
  }

  wholesale.pages.sales = { Page };
})();
