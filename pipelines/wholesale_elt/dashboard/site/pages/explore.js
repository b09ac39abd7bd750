/** Explore: any figure by anything. */
(() => {
  "use strict";

  const { controls, days, facts, format, objects, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Change, Section, Segments, Tile, Name, Menu, Icon } = wholesale.elements;
  const { Bars, Lines, Moved, partsOf } = wholesale.charts;
  const MOST_LINES = 6;
  const MEASURED = ["fct_orders", "fct_order_lines"];
  const LABELS = {
    ...controls.LABELS, product: "Product", sku: "SKU", category: "Category", brand: "Brand", product_id: "Variant",
    invoice_status: "Invoice", payment_method: "Payment method", city: "City", weekday: "Weekday",
  };
  const PAGES = { vendor: "vendor", buyer: "buyer", category: "category", product_id: "product" };

  /** What can be asked for of a fact. */
  function dimensionsOf({ fileOf }, fact) {
    const names = [...fileOf[facts.ORDERS].keys(), ...(fact === facts.LINES ? fileOf[facts.LINES].keys() : [])];
    return [...new Set(names)].filter((name) => LABELS[name]);
  }

  function Choice({ label, options, value, onChoose }) {
    const chosen = options.find(([key]) => key === value);
    return h`<${Menu} label=${label} text=${h`<span class="quiet">${label}</span> ${chosen?.[1] ?? value}<${Icon} name="down" />`}>${(close) => options.map(([key, text]) =>
      h`<button type="button" key=${key} aria-pressed=${key === value} onClick=${() => (close(), onChoose(key))}>${text}</button>`)}<//>`;
  }

  function named(view, by) {
    return ({ keys, names }) => {
      if (PAGES[by]) return h`<${Name} of=${PAGES[by]} id=${keys[by]} name=${names[by]} />`;
      const text = keys[by] === null ? "Not known" : objects.nameOf(keys[by], names[by]);
      return views.FILTERS.includes(by)
        ? h`<a class="name" dir="auto" href=${views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } }))}>${text}</a>` : h`<span dir="auto">${text}</span>`;
    };
  }

  /** Lines of the largest members, over the parts of the period. */
  function Courses({ view, metric, by, grain, span, rows }) {
    const { period, where } = view;
    const of = useFigures({ metrics: [metric], by: [by], grain, period, where });
    if (span.first === undefined) return null;
    const parts = partsOf(span, grain).filter(({ first, last }) => first <= last);
    return h`<${Loaded} of=${of}>${(answer) => {
      const found = new Map(answer.rows.map((row) => [`${row.keys[by]}/${row.day}`, row[metric]]));
      const series = rows.slice(0, MOST_LINES).map(({ keys, names }) => ({
        name: keys[by] === null ? "Not known" : objects.nameOf(keys[by], names[by]),
        values: parts.map(({ day }) => found.get(`${keys[by]}/${day}`) ?? 0),
        href: views.hashOf(views.FILTERS.includes(by) ? views.changed(view, { where: { [by]: [keys[by]] } }) : view),
      }));
      return h`<${Lines} series=${series} labels=${parts.map(({ day }) => (grain === "month" ? format.month(day) : format.day(day)))} metric=${metric} isUnfinished=${!parts.at(-1)?.isWhole} />`;
    }}<//>`;
  }

  function Answer({ view, metric, by, shape, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric], by: [by], period, compare, where });
    const course = useFigures(shape === "time" ? { metrics: [metric], grain, period, compare, where } : null);
    const label = wholesale.meta.metrics[metric].label;
    return h`<${Loaded} of=${of}>${({ rows, total, span, before }) => h`<div>
      <div class="tiles lined"><${Tile} name=${metric} label=${label} exact=${total[metric]} figure=${format.metric(metric, total[metric])}
        change=${before && h`<${Change} now=${total[metric]} before=${total[`${metric}_before`]} />`} note=${before && `${format.metric(metric, total[`${metric}_before`])} ${controls.COMPARED[compare]}`} /></div>
      <${Section} title=${`${label} by ${LABELS[by].toLowerCase()}`} more=${h`<${Segments} label="Shape" options=${[["lines", "Over time"], ["time", "In all"], ...(before ? [["moved", "What moved"]] : [])]} value=${shape} onChoose=${(chosen) => views.go(views.changed(view, { own: { shape: chosen === "lines" ? null : chosen } }))} />`}>
        ${shape === "moved" && before && h`<${Moved} rows=${rows} metric=${metric} nameOf=${named(view, by)} />`}
        ${shape === "lines" && h`<${Courses} view=${view} metric=${metric} by=${by} grain=${grain} span=${span} rows=${rows} />`}
        ${shape === "time" && course.value && span.first !== undefined && h`<${Bars} rows=${course.value.rows} metric=${metric} grain=${grain} span=${span} before=${before} view=${view} />`}
        <${wholesale.Table} caption=${label} file=${`${metric}-by-${by}`} sort=${metric} size=${20} rows=${rows} columns=${[
          { name: by, label: LABELS[by], value: ({ keys, names }) => names[by] ?? keys[by], show: named(view, by) },
          { name: metric, label, type: "bar", before: before ? `${metric}_before` : undefined, show: (row) => format.dense(metric, row[metric]) },
          ...(before ? [{ name: `${metric}_before`, label: "Before", type: "number", show: (row) => format.dense(metric, row[`${metric}_before`]) }, { name: metric, before: `${metric}_before`, label: "Change", type: "change" }] : []),
        ]} />
      <//></div>`}<//>`;
  }

  function Page({ view }) {
    const index = useLoaded(facts.index, "index");
    const known = Object.entries(wholesale.meta.metrics).filter(([, { fact }]) => MEASURED.includes(fact));
    const metric = known.some(([name]) => name === view.own.metric) ? view.own.metric : "sales";
    const { fact } = wholesale.meta.metrics[metric];
    const span = days.period(view.period, wholesale.meta.figures_up_to);
    const grain = span.first === undefined ? "month" : days.grainOf(span.first, span.last);
    const choose = (own) => views.go(views.changed(view, { own }));
    return h`<div><${wholesale.Controls} view=${view} />
      <${Loaded} of=${index}>${(read) => {
        const dimensions = dimensionsOf(read, fact);
        const by = dimensions.includes(view.own.by) ? view.own.by : "vendor";
        return h`<div><div class="chips">
          <${Choice} label="Figure" value=${metric} options=${known.map(([name, { label }]) => [name, label])} onChoose=${(chosen) => choose({ metric: chosen })} />
          <${Choice} label="by" value=${by} options=${dimensions.map((name) => [name, LABELS[name]])} onChoose=${(chosen) => choose({ by: chosen })} /></div>
          <${Answer} view=${view} metric=${metric} by=${by} shape=${view.own.shape ?? "lines"} grain=${grain} key=${`${metric}/${by}`} /></div>`;
      }}<//></div>`;
  }

  wholesale.pages.explore = { Page };
})();
