/** Trends: four figures of what a page is about, the chosen one over time, and courses for tables. */
(() => {
  "use strict";

  const { charts, controls, days, format, view: views } = wholesale;
  const { h, useFigures, Loaded, Change, Section, Tile, Empty } = wholesale.elements;

  /** The days of a period; all time begins with the first order and ends with the last day that is known. */
  function spanOf({ period }) {
    const { figures_up_to: upTo, first_ordered_date: first } = wholesale.meta;
    const span = days.period(period, upTo);
    if (!span || span.first !== undefined) return span;
    return upTo && first ? { ...span, first: days.number(first), last: days.number(upTo) } : null;
  }

  function grainOf(view) {
    const span = spanOf(view);
    return span ? days.grainOf(span.first, span.last) : "month";
  }

  /** The values of each member of a dimension over the parts of the period: a map from keys to lists. */
  function courses(answer, by, metric, view) {
    const found = new Map();
    const span = spanOf(view);
    if (!answer || !span) return found;
    const places = new Map(charts.partsOf(span, grainOf(view)).filter(({ first, last }) => first <= last).map(({ day }, place) => [day, place]));
    for (const { keys, day, [metric]: value } of answer.rows) {
      if (!places.has(day)) continue;
      if (!found.has(keys[by])) found.set(keys[by], Array.from({ length: places.size }, () => 0));
      found.get(keys[by])[places.get(day)] = value ?? 0;
    }
    return found;
  }

  /**
   * Tiles of `metrics`, `{name: label}`, of which a press chooses the one that is drawn below them.
   *
   * `where` is what the page is about, beside the filters of the view.
   */
  function Trend({ view, metrics, where = {} }) {
    const { period, compare, own } = view;
    const names = Object.keys(metrics);
    const metric = metrics[own.metric] ? own.metric : names[0];
    const asked = { metrics: names, period, where: { ...view.where, ...where } };
    const grain = grainOf(view);
    const of = useFigures({ ...asked, compare });
    const over = useFigures({ ...asked, compare, grain });
    const span = spanOf(view);
    const inTile = (name, value) => (wholesale.meta.metrics[name].unit === "amount" ? format.amount(value) : format.metric(name, value));
    const choose = (name) => views.go(views.changed(view, { own: { metric: name === names[0] ? null : name } }));
    return h`<${Loaded} of=${of}>${({ total, before }) => h`<div class="tiles lined">${names.map((name) => h`<${Tile} key=${name} name=${name} label=${metrics[name]} isChosen=${name === metric}
        onChoose=${() => choose(name)} exact=${total[name]} figure=${inTile(name, total[name])}
        change=${before && h`<${Change} now=${total[name]} before=${total[`${name}_before`]} />`}
        note=${before ? `${inTile(name, total[`${name}_before`])} ${controls.COMPARED[compare]}` : controls.periodName(period)}>
        ${over.value && over.value.rows.length > 1 && h`<${charts.Spark} values=${over.value.rows.filter(({ day }) => day !== null).map((row) => row[name])} isUnfinished=${Boolean(span?.isUnfinished)} />`}<//>`)}</div>`}<//>
      <${Section} title=${metrics[metric]} more=${h`<span class="legend"><span><i class="swatch"></i>This period</span>${compare !== "none" && span?.name !== days.ALL_TIME && h`<span><i class="swatch was"></i>${controls.COMPARED[compare]}</span>`}</span>`}>
        <${Loaded} of=${over}>${({ rows, before }) => {
          const dated = rows.filter(({ day }) => day !== null);
          return !span || dated.length === 0 ? h`<${Empty} title="Nothing was sold in these days.">${before ? "Nor in those before." : "Another period may have some."}<//>`
            : h`<${charts.Bars} rows=${dated} metric=${metric} grain=${grain} span=${span} before=${before} view=${view} />`;
        }}<//><//>`;
  }

  /**
   * A table of what was sold by a dimension, each row with its course and what it was before.
   *
   * `columns` stand between the name and the course; `rowOf` adds to a row what they need, or leaves it out by null.
   */
  function Sold({ view, title, note, by, metric, counts = {}, where = {}, name, columns = [], rowOf = (row) => row, more, size = 8, file, empty = "Nothing in this period." }) {
    const { period, compare } = view;
    const asked = { by: [by], period, where: { ...view.where, ...where } };
    const of = useFigures({ ...asked, metrics: [metric, ...Object.keys(counts)], compare });
    const over = useFigures({ ...asked, metrics: [metric], grain: grainOf(view) });
    const span = spanOf(view);
    return h`<${Section} title=${title} note=${note ?? controls.periodName(period).toLowerCase()} more=${more}><${Loaded} of=${of}>${({ rows, before }) => {
      const lines = courses(over.value, by, metric, view);
      return h`<${wholesale.Table} caption=${title} sort=${metric} size=${size} file=${file} empty=${empty}
        columns=${[name, ...columns, ...soldColumns({ metric, counts, before, lines, by, span })]}
        rows=${rows.filter((row) => Object.keys(counts).length === 0 || Object.keys(counts).some((count) => Number(row[count] ?? 0) > 0)).map((row) => rowOf({ ...row, key: row.keys[by] ?? "" })).filter(Boolean)} />`;
    }}<//><//>`;
  }

  /** The columns of figures: counts, course, the figure as a bar, and its change. */
  function soldColumns({ metric, counts = {}, before, lines, by, span, label = "Sales" }) {
    return [
      { name: "course", label: "Course", type: "course", isUnfinished: Boolean(span?.isUnfinished), value: ({ keys }) => lines.get(keys?.[by]) ?? [] },
      ...Object.entries(counts).map(([name, text]) => ({ name, label: text, type: "count" })),
      ...(before ? [{ name: metric, before: `${metric}_before`, label: "Change", type: "change" }] : []),
      { name: metric, label, type: "bar", before: before ? `${metric}_before` : undefined },
    ];
  }

  wholesale.trends = { spanOf, grainOf, courses, Trend, Sold, soldColumns };
})();
