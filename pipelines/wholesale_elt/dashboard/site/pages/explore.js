/** Explore: any figure by anything. */
(() => {
  "use strict";

  const { controls, days, facts, format, load, objects, rowsOf, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Change, Section, Segments, Name, Menu, Icon, Empty } = wholesale.elements;
  const { courseOf, grainIn, grainsOf, longName, partsOf, spanOf } = wholesale.axes;
  const { Bars, Lines, Moved } = wholesale.charts;
  const MOST_LINES = 6;
  const MEASURED = ["fct_orders", "fct_order_lines"];
  const LABELS = {
    ...controls.LABELS,
    product: "Product",
    sku: "SKU",
    category: "Category",
    brand: "Brand",
    product_id: "Variant",
    parent_category: "Parent category",
    top_category: "Main category",
    color: "Colour",
    size: "Size",
    options: "Options",
    buyer_user: "Contact of the buyer",
    buyer_user_role: "Role of the contact",
    invoice_status: "Invoice",
    payment_method: "Payment method",
    city: "City",
    weekday: "Weekday",
  };
  const PAGES = { vendor: "vendor", buyer: "buyer", category: "category", product: "product", product_id: "product" };

  /** What a dimension is called, also one that a setting adds. */
  const labelOf = (name) => LABELS[name] ?? wholesale.meta.fields[name];

  /** What can be asked for of a fact. */
  function dimensionsOf({ fileOf }, fact) {
    const names = [...fileOf[facts.ORDERS].keys(), ...(fact === facts.LINES ? fileOf[facts.LINES].keys() : [])];
    return [...new Set(names)].filter(labelOf);
  }

  function Choice({ label, options, value, onChoose }) {
    const chosen = options.find(([key]) => key === value);
    return h`<${Menu} label=${label}
        text=${h`${label === "by" && h`<span class="quiet">by</span>`} ${chosen?.[1] ?? value}<${Icon} name="down" />`}>
      ${(close) =>
        options.map(
          ([key, text]) =>
            h`<button type="button" key=${key} aria-pressed=${key === value} onClick=${() => (close(), onChoose(key))}>
              ${text}
            </button>`,
        )}
    <//>`;
  }

  function named(view, by) {
    return ({ keys, names }) => {
      if (PAGES[by] && keys[by] !== null) return h`<${Name} of=${PAGES[by]} id=${keys[by]} name=${names[by]} />`;
      const text = keys[by] === null ? "Not known" : objects.nameOf(keys[by], names[by]);
      return views.FILTERS.includes(by)
        ? h`<a class=${keys[by] === null ? "name unknown" : "name"} dir="auto"
            href=${views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } }))}>
          ${text}
        </a>`
        : h`<span dir="auto">${text}</span>`;
    };
  }

  /** The same for one member alone, if it can be counted so. */
  const onlyIn =
    (view, by) =>
    ({ keys }) =>
      views.FILTERS.includes(by) ? views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } })) : null;

  /** Lines of the largest members, over the parts of the period. */
  function Courses({ view, metric, by, grain, span, rows, answer }) {
    const all = partsOf(span, grain).filter(({ first, last }) => first <= last);
    // A few days of a month would look like a rise.
    const parts = all.length > 2 && !all[0].isWhole ? all.slice(1) : all;
    const keyOf = ({ keys }, day) => JSON.stringify([keys[by], day]);
    const found = new Map(answer.rows.map((row) => [keyOf(row, row.day), row[metric]]));
    const { parts: ratio } = wholesale.meta.metrics[metric];
    const series = rows.slice(0, MOST_LINES).map((row) => ({
      name: row.keys[by] === null ? "Not known" : objects.nameOf(row.keys[by], row.names[by]),
      values: parts.map(({ day }) => (found.has(keyOf(row, day)) ? found.get(keyOf(row, day)) : ratio ? null : "0")),
      href: onlyIn(view, by)(row) ?? views.hashOf(view),
    }));
    return h`<${Lines} series=${series}
        labels=${parts.map((part) =>
          grain === "month" ? format.month(part.day) : grain === "week" ? format.day(part.day) : longName(part, grain),
        )}
        parts=${parts} grain=${grain} view=${view} metric=${metric} isUnfinished=${!parts.at(-1)?.isWhole} />`;
  }

  /** The figure in all, beside what it was. */
  function Total({ total, metric, before, compare }) {
    const was = total[`${metric}_before`];
    return h`<p class="one-figure">
      <span class="tile" data-tile=${metric}>
        <b class="figure" data-exact=${total[metric]}>${format.metric(metric, total[metric])}</b>
      </span>
      <span class="quiet">${wholesale.meta.metrics[metric].label}</span>${" "}
      ${
        before &&
        h`
          <${Change} now=${total[metric]} before=${was} />${" "}
          <span class="quiet">${`${format.metric(metric, was)} ${controls.COMPARED[compare]}`}</span>
        `
      }
    </p>`;
  }

  /** The choices of the cut and of the shape. */
  function Choices({ view, span, grain, shapes, shown }) {
    const choose = (own) => views.go(views.changed(view, { own }));
    return h`<span class="legend">
      ${
        span &&
        shown !== "moved" &&
        grainsOf(span).length > 1 &&
        h`<${Segments} label="Cut into" options=${grainsOf(span)} value=${grain}
            onChoose=${(chosen) => choose({ grain: chosen })} />`
      }
      <${Segments} label="Shape" options=${shapes} value=${shown}
          onChoose=${(chosen) => choose({ shape: chosen === "lines" ? null : chosen })} />
    </span>`;
  }

  /** The chart of the shape that is shown. */
  function Chart({ view, metric, by, shown, grain, span, rows, courses, course }) {
    if (shown === "moved")
      return h`<${Moved} rows=${rows} metric=${metric} nameOf=${named(view, by)} onlyOf=${onlyIn(view, by)} />`;
    if (!span) return null;
    if (shown === "time")
      return h`<${Loaded} of=${course}>
        ${(answer) =>
          h`<${Bars} rows=${answer.rows.filter(({ day }) => day !== null)} metric=${metric} grain=${grain}
              span=${span} before=${answer.before} view=${view} />`}
      <//>`;
    if (!rows.some((row) => row[metric] !== null)) return null;
    return h`<${Loaded} of=${courses}>
      ${(answer) =>
        h`<${Courses} view=${view} metric=${metric} by=${by} grain=${grain} span=${span} rows=${rows}
            answer=${answer} />`}
    <//>`;
  }

  /** Columns of all members: name, course, figure; and the figure before, its change, its share, if there are such. */
  function columnsOf({ view, metric, by, total, before, courseIn, isAdditive }) {
    const { label, unit } = wholesale.meta.metrics[metric];
    const was = `${metric}_before`;
    const whole = Number(total[metric] ?? 0);
    const only = onlyIn(view, by);
    const dense = (row) => format.dense(metric, row[metric]);
    return [
      { name: by, label: labelOf(by), value: ({ keys, names }) => names[by] ?? keys[by], show: named(view, by) },
      { name: "course", label: "Course", type: "course", value: courseIn },
      {
        name: metric,
        label,
        type: "bar",
        before: before ? was : undefined,
        show: (row) => (only(row) ? h`<a href=${only(row)} title="Show only this">${dense(row)}</a>` : dense(row)),
      },
      before && { name: was, label: "Before", type: "number", show: (row) => format.dense(metric, row[was]) },
      before && { name: metric, before: was, label: "Change", type: "change" },
      isAdditive &&
        (unit === "amount" || unit === "count") && {
          name: "share",
          label: "Share",
          type: "share",
          value: (row) => (whole > 0 ? (Number(row[metric] ?? 0) / whole).toFixed(6) : null),
        },
    ].filter(Boolean);
  }

  function Answer({ view, metric, by, shape, grain }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric], by: [by], period, compare, where });
    const courses = useFigures({ metrics: [metric], by: [by], grain, period, where });
    const course = useFigures(shape === "time" ? { metrics: [metric], grain, period, compare, where } : null);
    const { label, parts: ratio } = wholesale.meta.metrics[metric];
    // Members of two groups are not added up, nor are ratios: they have no shares of a whole.
    const isAdditive = !ratio && !metric.startsWith("active_");
    return h`<${Loaded} of=${of}>
      ${({ rows, total, span: asked, before }) => {
        const span = spanOf(asked);
        const shapes = [
          ["lines", "Over time"],
          ["time", "In all"],
          ...(before && isAdditive ? [["moved", "What moved"]] : []),
        ];
        const shown = shapes.some(([key]) => key === shape) ? shape : "lines";
        const byKey = Map.groupBy(courses.value?.rows ?? [], ({ keys }) => keys[by]);
        const courseIn = ({ keys }) =>
          courses.value ? courseOf(byKey.get(keys[by]) ?? [], metric, asked, grain) : { values: [] };
        const columns = columnsOf({ view, metric, by, total, before, courseIn, isAdditive });
        return h`<div>
          <${Total} total=${total} metric=${metric} before=${before} compare=${compare} />
          <${Section} title=${`${label} by ${labelOf(by).toLowerCase()}`} note=${format.count(rows.length)}
              more=${h`<${Choices} view=${view} span=${span} grain=${grain} shapes=${shapes} shown=${shown} />`}>
            <${Chart} view=${view} metric=${metric} by=${by} shown=${shown} grain=${grain} span=${span} rows=${rows}
                courses=${courses} course=${course} />
            <${wholesale.Table} caption=${label} by=${by} file=${`${metric}-by-${by}`} sort=${metric} size=${20}
                rows=${rows} empty="Nothing in this period." columns=${columns} />
          <//>
        </div>`;
      }}
    <//>`;
  }

  /** In the place of a zero: the figure leaves these states out, and another one has them. */
  function Excluded({ metric, instead, choose }) {
    const {
      [metric]: { label },
      [instead]: { label: other },
    } = wholesale.meta.metrics;
    return h`<${Empty} title=${`${label} never counts orders of the status that is chosen.`}>
      <button type="button" class="quiet-button" onClick=${() => choose({ metric: instead })}>Show: ${other}</button>
    <//>`;
  }

  /** Tables that whoever publishes this has added, as they are. */
  function Own() {
    const of = useLoaded(() => load("own"), "own");
    return h`<${Loaded} of=${of}>
      ${(tables) =>
        h`<div>
          ${Object.entries(tables).map(
            ([name, { description, columns, row_count: total, rows }]) =>
              h`<${Section} key=${name} title=${name} note=${format.count(total)}>
                ${description && h`<p class="quiet">${description}</p>`}
                <${wholesale.Table} caption=${name} file=${name} size=${20} rows=${rowsOf(rows)} total=${total}
                    empty="It has no rows."
                    columns=${columns.map(([column, type]) => ({
                      name: column,
                      label: column.replaceAll("_", " "),
                      type,
                    }))} />
              <//>`,
          )}
        </div>`}
    <//>`;
  }

  function Page({ view }) {
    const index = useLoaded(facts.index, "index");
    const known = Object.entries(wholesale.meta.metrics).filter(([, { fact }]) => MEASURED.includes(fact));
    const metric = known.some(([name]) => name === view.own.metric) ? view.own.metric : "sales";
    const { fact } = wholesale.meta.metrics[metric];
    const grain = grainIn(spanOf(days.period(view.period, wholesale.meta.figures_up_to)), view.own.grain);
    const instead = wholesale.figures.instead(metric, view.where);
    const choose = (own) => views.go(views.changed(view, { own }));
    return h`<div>
      <${Loaded} of=${index}>
        ${(read) => {
          const dimensions = dimensionsOf(read, fact);
          const by = dimensions.includes(view.own.by) ? view.own.by : "vendor";
          return h`<div>
            <${wholesale.Controls} view=${view}>
              <${Choice} label="Figure" value=${metric} options=${known.map(([name, { label }]) => [name, label])}
                  onChoose=${(chosen) => choose({ metric: chosen })} />
              <${Choice} label="by" value=${by} options=${dimensions.map((name) => [name, labelOf(name)])}
                  onChoose=${(chosen) => choose({ by: chosen })} />
            <//>
            ${
              instead
                ? h`<${Excluded} metric=${metric} instead=${instead} choose=${choose} />`
                : h`<${Answer} view=${view} metric=${metric} by=${by} shape=${view.own.shape ?? "lines"} grain=${grain}
                    key=${`${metric}/${by}`} />`
            }
          </div>`;
        }}
      <//>
      ${wholesale.meta.own.length > 0 && h`<${Own} />`}
    </div>`;
  }

  wholesale.receive("pages/explore", Page);
})();
