/** Trends: four figures of what a page is about, the chosen one over time, and courses for tables. */
(() => {
  "use strict";

  const { axes, catalogue, charts, controls, days, format, goals, objects, view: views } = wholesale;
  const { h, useFigures, Loaded, Icon, Name, Change, Section, Segments, Tile, Empty } = wholesale.elements;

  const { isBefore, isUnknown } = axes;
  const spanOf = ({ period }) => axes.spanOf(days.period(period, wholesale.meta.figures_up_to));

  /** How the period is cut on this page: as it was chosen, if it can be. */
  const grainOf = (view) => axes.grainIn(spanOf(view), view.own.grain ?? null);

  /** A function from the key of a member to its course over the period. */
  function courses(answer, by, metric, view) {
    const byKey = Map.groupBy(answer?.rows ?? [], ({ keys }) => keys[by]);
    const [span, grain] = [spanOf(view), grainOf(view)];
    return (key) => (answer && span ? axes.courseOf(byKey.get(key) ?? [], metric, span, grain) : { values: [] });
  }

  /** A period within a sentence. */
  function inWords(period) {
    const name = controls.periodName(period);
    return controls.PERIODS.some(([key]) => key === period) ? name.toLowerCase() : name;
  }

  /** The cuts to choose from, and what the colours mean. */
  function Choices({ view, metric, span, grain, isCompared, goalOf, windowOf }) {
    const offered = span ? axes.grainsOf(span) : [];
    const parts = span ? axes.partsOf(span, grain) : [];
    const last = parts.findLast((part) => part.last >= part.first);
    const hasGoal = grain === "month" && parts.some(({ day }) => goalOf(metric, day));
    return h`<span class="legend">
      ${
        view.own.whole &&
        h`<button type="button" class="quiet-button" onClick=${() => charts.widen(view)}>
          <${Icon} name="cross" /> Back to ${inWords(view.own.whole)}
        </button>`
      }
      <span><i class="swatch"></i>This period</span>
      ${isCompared && h`<span><i class="swatch was"></i>${format.word(controls.COMPARED[view.compare])}</span>`}
      ${hasGoal && h`<span><i class="swatch goal"></i>Goal</span>`}
      ${
        charts.mayEnd(last, grain, metric, windowOf) &&
        h`<span><i class="swatch window"></i>Not over: where it may end, 8 of 10</span>`
      }
      ${
        offered.length > 1 &&
        h`<${Segments} label="Cut by" options=${offered} value=${grain}
            onChoose=${(key) =>
              views.go(views.changed(view, { own: { grain: key === axes.grainIn(span, null) ? null : key } }))} />`
      }
    </span>`;
  }

  /** A figure over time as bars, or why there are none. */
  function Course({ view, metric, where, goalOf, answer: { rows, before }, span, grain, children }) {
    const dated = rows.filter(({ day }) => day !== null);
    const from = wholesale.meta.figures_from;
    if (!span && from) {
      return h`<${Empty} title=${isBefore(view) ? "These days are not known" : "No whole day is known yet"}>
        Orders are known from ${format.date(from)} on.
      <//>`;
    }
    if (dated.length > 0 && dated.every((row) => row[metric] === null)) {
      return h`<${Empty} title="Not known">No order of these days has an amount.<//>`;
    }
    if (!span || dated.length === 0) {
      return h`<${Empty} title="Nothing was sold in these days">
        ${before ? "Nor in the days before." : "Try another period."}
      <//>`;
    }
    return h`
      <${charts.Bars} rows=${dated} metric=${metric} grain=${grain} span=${span} before=${before} view=${view}
          where=${where} goalOf=${goalOf} />
      <${wholesale.parts.Figures} metric=${metric} rows=${dated} span=${span} grain=${grain} before=${before} />
      ${children({ metric, rows: dated, span, grain })}
    `;
  }

  /**
   * Tiles of `metrics`, `{name: label}`, of which a press chooses the one that is drawn below them.
   *
   * `where` is what the page is about, beside the filters of the view; `children` draws what stands below the chart,
   * given the metric, its rows, the days and their cut.
   */
  function Trend({ view, metrics, where = {}, children = () => null }) {
    const { period, compare, own } = view;
    const names = Object.keys(metrics);
    const metric = metrics[own.metric] ? own.metric : names[0];
    const asked = { metrics: names, period, where: { ...view.where, ...where } };
    const grain = grainOf(view);
    const of = useFigures({ ...asked, compare });
    const over = useFigures({ ...asked, compare, grain });
    const whyOf = wholesale.why.useWhy({ ...asked, compare });
    const goalOf = goals.useGoals(asked.where);
    const windowOf = wholesale.outlook.useOutlook(asked.where);
    const goalIn = (name) => goalOf(name, goals.monthOf(period));
    const span = spanOf(view);
    const inTile = (name, value) =>
      wholesale.meta.metrics[name].unit === "amount" ? format.amount(value) : format.metric(name, value);
    const choose = (name) => views.go(views.changed(view, { own: { metric: name === names[0] ? null : name } }));
    return h`
      <${Loaded} of=${of}>
        ${({ total, before }) =>
          h`<div class="tiles lined">
            ${names.map(
              (name) =>
                h`<${Tile} key=${name} name=${name} label=${metrics[name]} isChosen=${name === metric}
                    isUnknown=${isUnknown(name, total, view)} onChoose=${() => choose(name)} exact=${total[name]}
                    figure=${inTile(name, total[name])}
                    change=${before && h`<${Change} now=${total[name]} before=${total[`${name}_before`]} />`}
                    note=${
                      before
                        ? `${inTile(name, total[`${name}_before`])} ${controls.COMPARED[compare]}`
                        : controls.notCompared(view)
                    }>
                  <${wholesale.why.Told} goal=${goalIn(name) && goals.lineOf(goalIn(name))}
                      why=${before ? whyOf(name) : null} />
                  ${
                    over.value && span && h`<${charts.Spark} ...${axes.courseOf(over.value.rows, name, span, grain)} />`
                  }
                <//>`,
            )}
          </div>`}
      <//>
      <${Section} title=${metrics[metric]}
          more=${h`<${Choices} view=${view} metric=${metric} goalOf=${goalOf} windowOf=${windowOf} span=${span}
              grain=${grain} isCompared=${Boolean(over.value?.before)} />`}>
        <${Loaded} of=${over}>
          ${(answer) =>
            h`<${Course} view=${view} metric=${metric} where=${asked.where} goalOf=${goalOf} answer=${answer}
                span=${span} grain=${grain}>${children}<//>`}
        <//>
      <//>
    `;
  }

  /**
   * A table of what was sold by a dimension, each row with its course and what it was before.
   *
   * `counts` are asked for besides, and shown if they have a label; `columns` stand between the name and the course;
   * `rowOf` adds to a row what they need, or is null to leave it out; `isShort` leaves out the course.
   */
  function Sold({
    view,
    title,
    note,
    by,
    metric,
    counts = {},
    where = {},
    name = FIRST[by],
    columns = [],
    rowOf = (row) => row,
    isShort = false,
    ordersOf,
    more,
    size = 8,
    file,
    empty = "Nothing in this period.",
  }) {
    const { period, compare } = view;
    const asked = { by: [by], period, where: { ...view.where, ...where } };
    const of = useFigures({ ...asked, metrics: [metric, ...Object.keys(counts)], compare });
    const over = useFigures(isShort ? null : { ...asked, metrics: [metric], grain: grainOf(view) });
    return h`<${Section} title=${title} note=${note ?? inWords(period)} more=${more}>
      <${Loaded} of=${of} rows=${size}>
        ${({ rows, before }) => {
          const courseOf = courses(over.value, by, metric, view);
          return h`<${wholesale.Table} caption=${title} by=${by} sort=${metric} size=${size} file=${file} empty=${empty}
              columns=${[
                name,
                ...columns,
                ...soldColumns({ metric, counts, before, courseOf, by, ordersOf }).slice(isShort ? 1 : 0),
              ]}
              rows=${rows
                .filter(
                  (row) =>
                    Object.keys(counts).length === 0 ||
                    Object.keys(counts).some((count) => Number(row[count] ?? 0) > 0),
                )
                .map((row) => rowOf({ ...row, key: row.keys[by] ?? "" }))
                .filter(Boolean)} />`;
        }}
      <//>
    <//>`;
  }

  /** The first column, which names what a row is of and leads to it. */
  const named = (by, label) => ({
    name: by,
    label,
    value: ({ names, keys }) => names[by] ?? keys[by],
    show: ({ names, keys }) => h`<${Name} of=${by} id=${keys[by]} name=${names[by]} />`,
  });
  const FIRST = {
    buyer: named("buyer", "Buyer"),
    vendor: named("vendor", "Vendor"),
    product: named("product", "Product"),
  };

  /** The products of something, as `Sold` takes it, named as the catalogue has them. */
  const ofProducts = (items) => ({
    title: "Products",
    by: "product",
    metric: "product_sales",
    name: {
      name: "product",
      label: "Product",
      value: ({ name }) => name,
      show: ({ keys, name }) => h`<${Name} of="product" id=${keys.product} name=${name} />`,
    },
    rowOf: (row) => ({
      ...row,
      name: items.has(row.keys.product)
        ? catalogue.itemName(items.get(row.keys.product))
        : objects.nameOf(row.keys.product, row.names.product),
    }),
  });

  /** In which order counts go where a list is narrow. */
  const DROPS = { product_buyers: 2, product_orders: 3 };

  /** The columns of figures: course, counts, change, and the figure as a bar, a link to what `ordersOf` names. */
  function soldColumns({ metric, counts = {}, before, courseOf, by, ordersOf }) {
    return [
      { name: "course", label: "Trend", type: "course", drop: 1, value: ({ keys }) => courseOf(keys?.[by] ?? null) },
      ...Object.entries(counts)
        .filter(([, text]) => text)
        .map(([name, text]) => ({ name, label: text, type: "count", drop: DROPS[name] ?? 4 })),
      ...(before ? [{ name: metric, before: `${metric}_before`, label: "Change", type: "change" }] : []),
      {
        name: metric,
        label: "Sales",
        type: "bar",
        before: before ? `${metric}_before` : undefined,
        show:
          ordersOf &&
          ((row) => h`<a class="name" href=${ordersOf(row)} title="Its orders">${format.compact(row[metric])}</a>`),
      },
    ];
  }

  /** That the last month of a period of months is not over, and with which days it is compared. */
  function notOver({ period, compare }) {
    const { figures_up_to: upTo, figures_from: from } = wholesale.meta;
    const span = days.period(period, upTo);
    if (!span?.months || days.text(span.last) !== upTo) return null;
    const month = days.truncated(span.last, "month");
    const length = days.following(month, "month") - month;
    const told = span.last - month + 1;
    if (told === length || axes.wasOver(month + length - 1)) return null;
    const before = days.compared(span, compare);
    const then = before && days.isCovered(before, from) && axes.beforeOf(before, { first: month, last: span.last });
    const said = then
      ? `compared with ${format.days(days.text(then.first), days.text(then.last))}`
      : `${told} of ${length} days`;
    return `${format.longMonth(days.text(month)).split(" ")[0]} is not over: ${said}`;
  }

  wholesale.trends = {
    notOver,
    spanOf,
    isBefore,
    isUnknown,
    grainOf,
    courses,
    inWords,
    Trend,
    Sold,
    soldColumns,
    ofProducts,
  };
  wholesale.receive("trends", null);
})();
