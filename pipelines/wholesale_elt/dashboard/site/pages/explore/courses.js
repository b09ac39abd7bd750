/** Courses: the largest members over the days of a view, and what is not drawn of them, in words. */
(() => {
  "use strict";

  const { axes, decimals, format, view: views } = wholesale;
  const { h } = wholesale.elements;
  const { Lines } = wholesale.charts;
  const { ofParts, partRows } = wholesale.parts;
  const MOST_LINES = 6;
  const NONE = { ratio: null, sum: "0" };

  const nameIn = ({ keys, names }, by) =>
    wholesale.pieces.explore.crossed.nameOf({ key: keys[by], name: names[by] }, by, null);
  /** The members that are drawn: one more than usual, if it is the last one. */
  const drawnOf = (rows) => rows.slice(0, rows.length === MOST_LINES + 1 ? MOST_LINES + 1 : MOST_LINES);
  const told = ({ first, last }) => last - first + 1;

  function partLabel(part, grain) {
    if (grain === "month") return format.month(part.day);
    return grain === "week" || grain === "day" ? format.day(part.day) : axes.longName(part, grain);
  }

  /** The parts at the ends that have not all of their days in the view: `Dec 2025 has 3 of its 31 days here.` */
  function cutOf(parts, grain) {
    if (grain === "day") return [];
    return [...new Set([parts[0], parts.at(-1)])]
      .filter((part) => part && !part.isWhole)
      .map((part) => `${axes.longName(part, grain)} has ${told(part)} of its ${part.length} days here`);
  }

  const sumOf = (rows, metric) => decimals.text(rows.reduce((sum, row) => sum + decimals.units(row[metric]), 0n));

  /** What is not drawn of what adds up: the smaller members, and what is of no day that is over. */
  function leftOut({ rows, dated, total, metric, isAdditive, write }) {
    const drawn = drawnOf(rows).length;
    const others = rows.length - drawn;
    const said = [];
    if (others > 0) {
      const rest = isAdditive ? `, ${write(sumOf(rows.slice(drawn), metric))} together` : "";
      said.push(`The ${drawn} largest are drawn; ${format.plural(others, "other")} are not${rest}`);
    }
    if (isAdditive && total[metric] !== null) {
      const apart = decimals.units(total[metric]) - decimals.units(sumOf(dated, metric));
      if (apart !== 0n)
        said.push(`${write(decimals.text(apart))} of orders without a day, or of a day not yet over, is not drawn`);
    }
    return said;
  }

  /** Lines of the largest members over the parts of the period. */
  function Courses({ view, metric, by, grain, span, rows, total, answer, hrefOf, isAdditive, write }) {
    const parts = axes.partsOf(span, grain).filter(({ first, last }) => first <= last);
    const keyOf = ({ keys }, day) => JSON.stringify([keys[by], day]);
    const dated = answer.rows.filter(({ day }) => day !== null);
    const found = new Map(dated.map((row) => [keyOf(row, row.day), row[metric]]));
    const none = wholesale.meta.metrics[metric].parts ? NONE.ratio : NONE.sum;
    const series = drawnOf(rows).map((row) => ({
      name: nameIn(row, by),
      values: parts.map(({ day }) => found.get(keyOf(row, day)) ?? none),
      href: hrefOf(row) ?? views.hashOf(view),
    }));
    const last = parts.at(-1);
    const isUnfinished = Boolean(last && axes.isUnderWay(last));
    const notes = [
      ...(parts.length > 1 ? [`Beside each name: ${axes.longName(last, grain)}`] : []),
      ...cutOf(parts, grain),
      ...leftOut({ rows, dated, total, metric, isAdditive, write }),
    ];
    return h`
      <${Lines} series=${series} labels=${parts.map((part) => partLabel(part, grain))} parts=${parts} grain=${grain}
          view=${view} metric=${metric} isUnfinished=${isUnfinished}
          isCut=${[parts[0], last].map((part) => part && !part.isWhole)} />
      ${notes.length > 0 && h`<p class="chart-note">${`${notes.join(". ")}.`}</p>`}
    `;
  }

  /** The rows behind the lines, as a table: a row a part, a column a member that is drawn, the others, and all. */
  function figuresOf({ by, grain, span, rows, answer, course, metric, isAdditive, write }) {
    const { unit } = wholesale.meta.metrics[metric];
    const none = wholesale.meta.metrics[metric].parts ? NONE.ratio : NONE.sum;
    const found = new Map(answer.rows.map((row) => [JSON.stringify([row.keys[by], row.day]), row[metric]]));
    const all = new Map(course.rows.map((row) => [row.day, row[metric]]));
    const drawn = drawnOf(rows);
    const others = rows.length - drawn.length;
    const valuesOf = (day) => drawn.map(({ keys }) => found.get(JSON.stringify([keys[by], day])) ?? none);
    const restOf = (day) =>
      decimals.text(valuesOf(day).reduce((sum, value) => sum - decimals.units(value), decimals.units(all.get(day))));
    const column = (name, label) => ({
      name,
      label,
      type: "number",
      measure: unit,
      show: (row) => write(row[name]),
    });
    return {
      columns: [
        ...ofParts(grain),
        ...drawn.map((row, place) => ({ ...column(`member${place}`, nameIn(row, by)), drop: Math.max(1, 5 - place) })),
        ...(others > 0 && isAdditive ? [column("others", format.plural(others, "other"))] : []),
        column("all", "All"),
      ],
      rows: partRows(span, grain, (day) => ({
        ...Object.fromEntries(valuesOf(day).map((value, place) => [`member${place}`, value])),
        ...(isAdditive && { others: restOf(day) }),
        all: all.get(day) ?? none,
      })),
    };
  }

  wholesale.receive("pages/explore/courses", { Courses, figuresOf });
})();
