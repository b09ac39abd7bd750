/** Figures: the rows behind a chart as a table, folded until they are asked for, to be saved as any table. */
(() => {
  "use strict";

  const { axes, format } = wholesale;
  const { h, useState } = wholesale.elements;
  const SIZE = 31;

  const told = ({ first, last }) => last - first + 1;

  /** A part by its name, and how many of its days there are where it has not all. */
  function nameOf(part, grain) {
    const name = grain === "month" ? format.month(part.day) : axes.longName(part, grain);
    return part.isWhole || grain === "day" ? name : `${name}, ${told(part)} of ${part.length} days`;
  }

  /** Columns of parts of a period: what they are called, and how many of their days there are. */
  const ofParts = (grain) => [
    { name: "day", label: format.word(grain), type: "date", show: ({ part }) => nameOf(part, grain) },
    { name: "days", label: "Days", type: "count" },
  ];

  /** The parts of a span as rows, each with what `valuesOf` it gives. */
  function rowsOf(span, grain, valuesOf) {
    return axes
      .partsOf(span, grain)
      .filter(({ first, last }) => first <= last)
      .map((part) => ({ key: part.day, part, day: part.day, days: told(part), ...valuesOf(part.day) }));
  }

  /** A folded table, which is made when it is opened; `table` gives what `Table` takes. */
  function Behind({ caption, file, table }) {
    const [isOpen, open] = useState(false);
    return h`<details class="behind" onToggle=${({ currentTarget }) => open(currentTarget.open)}>
      <summary>Figures</summary>
      ${isOpen && h`<${wholesale.Table} caption=${caption} file=${file} size=${SIZE} ...${table()} />`}
    </details>`;
  }

  /** The rows of bars: a figure by part of the period, with what it was and how it changed. */
  function Figures({ metric, rows, span, grain, before }) {
    const { label, unit, kind } = wholesale.meta.metrics[metric];
    const was = `${metric}_before`;
    const none = kind === "ratio" ? null : "0";
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const written = (name) => (row) => (unit === "amount" ? format.exact(row[name]) : format.metric(metric, row[name]));
    const column = (name, text) => ({ name, label: text, type: "number", measure: unit, show: written(name) });
    const table = () => ({
      columns: [
        ...ofParts(grain),
        column(metric, label),
        ...(before ? [column(was, "Before"), { name: metric, before: was, label: "Change", type: "change" }] : []),
      ],
      rows: rowsOf(span, grain, (day) => ({
        [metric]: byDay.get(day)?.[metric] ?? none,
        ...(before && { [was]: byDay.get(day)?.[was] ?? none }),
      })),
    });
    return h`<${Behind} caption=${`${label}, ${grain} by ${grain}`} file=${`${metric}-a-${grain}`} table=${table} />`;
  }

  Object.assign(wholesale.parts, { Behind, Figures, ofParts, partRows: rowsOf });
})();
