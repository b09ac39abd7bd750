/** Table: rows that can be sorted, shown some at a time, and saved as a file for a spreadsheet. */
(() => {
  "use strict";

  const { decimals, fit, format, later, sorting, useCount, useKept } = wholesale;
  const { h, useEffect, useRef, Empty, Change, Term, usePrinting } = wholesale.elements;
  const { Spark } = wholesale.charts;
  const SIZE = 12;
  const MORE = 100;
  /** On paper a list is whole, but for the longest ones; a table that only shows the first rows has some more. */
  const [LIST, MOST_PRINTED, FIRST_PRINTED] = [30, 300, 24];
  const FILES = { csv: "Save as CSV", xlsx: "Save for Excel" };
  const NUMBERS = new Set(["amount", "exact", "count", "number", "share", "bar", "change"]);

  /**
   * A column: `{name, label, type, show, value, before, style, drop, phrase, term, measure, saved, isBox}`.
   *
   * `type` is `text`, `amount`, `exact`, `count`, `number`, `share`, `date`, `bar` (a compact amount after its bar;
   * `before` names the column whose mark stands in it), `change` (of `name` against `before`), or `course` (a list of
   * values as a line). `show` draws a cell of its own; `value` is what is sorted and saved if that is not `row[name]`,
   * `saved` what is saved if that is something else, `measure` what is counted if the type does not tell it. `term` is
   * what the glossary calls what stands there, if that is neither a metric nor the label. `axis` stands below a label.
   * Where the list gets narrow the columns of `drop` 1 go first, those of 5 last, others never; where a row takes two
   * lines `phrase` says a value without its heading, as `buys every {}`.
   */
  function valueOf(column, row) {
    if (column.type === "change") return decimals.growth(row[column.name] ?? null, row[column.before] ?? null);
    return column.value ? column.value(row) : row[column.name];
  }

  function share(value, most) {
    const part = most > 0 ? Number(value ?? 0) / most : 0;
    return `${(Math.min(Math.max(part, 0), 1) * 100).toFixed(2)}%`;
  }

  /** What a cell shows of a row. */
  function shownOf(column, row) {
    if (column.show) return column.show(row);
    const value = valueOf(column, row);
    if (column.type === "bar") return format.compact(value);
    if (column.type === "change") return format.change(row[column.name], row[column.before]);
    return (format[column.type] ?? ((plain) => (plain === "" ? format.NONE : (plain ?? format.NONE))))(value);
  }

  /** A figure after its bar; `before` is at the mark. */
  function Bar({ column, row, most, shown }) {
    return h`<span class="bar-and-number">
      <span class="bar-track" aria-hidden="true">
        <i style=${{ width: share(valueOf(column, row), most) }}></i>
        ${
          column.before &&
          row[column.before] !== undefined &&
          h`<i class="then" style=${{ left: share(row[column.before], most) }}></i>`
        }
      </span>
      <span class="bar-number">${shown}</span>
    </span>`;
  }

  /** Classes of a column: how wide it is at least, when it goes, and where it stands in a row of two lines. */
  const styleOf = ({ type, style = "", drop, part }) =>
    [
      NUMBERS.has(type) && type !== "bar" ? "numeric" : "",
      ["bar", "course", "change", "date"].includes(type) ? type : "",
      style,
      drop === undefined ? "" : `drop-${drop}`,
      `in-${part}`,
    ]
      .filter(Boolean)
      .join(" ");

  function Cell({ column, row, most }) {
    const { type, name, lead, unit } = column;
    const value = valueOf(column, row);
    const isNumber = NUMBERS.has(type) && type !== "change";
    if (type === "course")
      return h`<td class=${styleOf(column)}>
        <${Spark} ...${Array.isArray(value) ? { values: value, isUnfinished: column.isUnfinished } : value} />
      </td>`;
    const shown = shownOf(column, row);
    const then = type === "bar" && column.before && row[column.before];
    const isNothing = fit.isNothing(shown);
    const counted = unit && value === 1 ? unit.replace(/^(\s*\p{L}+)s\b/u, "$1") : unit;
    return h`<td class=${`${styleOf(column)}${isNothing ? " nothing" : ""}`}
        data-lead=${isNothing || !lead ? undefined : lead} data-unit=${isNothing || !counted ? undefined : counted}
        title=${then ? `${format.compact(then)} before, at the mark` : undefined}
        data-metric=${isNumber ? name : undefined} data-exact=${isNumber ? value : undefined}>
      ${
        type === "bar"
          ? h`<${Bar} column=${column} row=${row} most=${most} shown=${shown} />`
          : type === "change"
            ? h`<${Change} now=${row[name]} before=${row[column.before]} />`
            : NUMBERS.has(type) || type === "date"
              ? shown
              : h`<div class="words">${shown}</div>`
      }
    </td>`;
  }

  /** The largest of a column of bars, its marks among them. */
  function largestOf(column, rows) {
    return Math.max(
      0,
      ...rows.flatMap((row) => [
        Number(valueOf(column, row) ?? 0),
        column.before ? Number(row[column.before] ?? 0) : 0,
      ]),
    );
  }

  /** Tells columns apart: a change has the name of the figure that it is of. */
  const keyOf = (column) => (column.type === "change" ? `${column.name} change` : column.name);

  /** On paper without its buttons: a browser repeats no heading on the next sheet that has one. */
  function Headings({ columns, order, isPrinting, onPress }) {
    const sorted = order.isAscending ? "ascending" : "descending";
    return h`<tr>
      ${columns.map(
        (column) =>
          h`<th key=${keyOf(column)} scope="col" aria-label=${isPrinting ? undefined : column.label || undefined}
              class=${NUMBERS.has(column.type) ? `${styleOf(column)} numeric` : styleOf(column)}
              aria-sort=${order.by === keyOf(column) ? sorted : "none"}>
            ${
              column.type === "course" || !column.label
                ? h`<span class="hidden">${column.label}</span>`
                : isPrinting
                  ? column.label
                  : h`
                    <button type="button" onClick=${() => onPress(column)}>${column.label}</button>
                    <${Term} of=${[column.term, column.type === "change" ? "comparison" : column.name, column.label]} />
                  `
            }${column.axis}
          </th>`,
      )}
    </tr>`;
  }

  function Row({ row, dimension, columns, largest, style }) {
    return h`<tr class=${style} data-key=${dimension && (row.keys?.[dimension] ?? row.key)}>
      ${columns.map((column, number) =>
        number === 0
          ? h`<th scope="row" key=${keyOf(column)} class=${styleOf(column)}>
            <div class="words">${column.show ? column.show(row) : (valueOf(column, row) ?? format.NONE)}</div>
          </th>`
          : h`<${Cell} key=${keyOf(column)} column=${column} row=${row} most=${largest.get(column.name)} />`,
      )}
    </tr>`;
  }

  /** What a list leaves out where it is too narrow for it, shown where it does. */
  function NotShown({ columns }) {
    const names = fit.droppable(columns);
    if (names.length === 0) return null;
    return h`<p class="not-shown">
      Not shown at this width:${" "}
      ${names.map(
        ({ text, drop, isExtra }) =>
          h`<span key=${text} class=${`${drop === undefined ? "" : `drop-${drop}`} ${isExtra ? "extra" : ""}`}>
            ${text}
          </span>`,
      )}
    </p>`;
  }

  /** The last row: what the rows come to, without a way in or a mark; empty where that is nothing. */
  function Totals({ row, columns, largest }) {
    const own = columns.map((column, place) => ({
      ...column,
      show: place > 0 && row[column.name] === undefined ? () => "" : column.written,
      value:
        place === 0 ? ({ [column.name]: name = "Total" }) => name : column.type === "course" ? () => [] : column.value,
      before: column.type === "bar" ? undefined : column.before,
    }));
    return h`<${Row} style="totals" row=${row} columns=${own} largest=${largest} />`;
  }

  /** What stands below: how many rows are here, more of them, and the ways to save them. */
  function Foot({ count, total, hasMore, onMore, onSave }) {
    if (!hasMore && !onSave && total <= count) return null;
    return h`<div class="table-foot">
      ${total > count && h`<span class="quiet">${`${format.count(count)} of ${format.count(total)} listed.`}</span>`}
      ${
        hasMore &&
        h`<button type="button" class="quiet-button" onClick=${onMore}>Show more of ${format.count(count)}</button>`
      }
      ${
        onSave &&
        Object.entries(FILES).map(
          ([kind, text]) =>
            h`<button type="button" class="quiet-button" key=${kind} onClick=${() => onSave(kind)}>${text}</button>`,
        )
      }
    </div>`;
  }

  /** How a table is sorted, as the address has it: `-sales` is the largest first. */
  function useOrder(name, columns, { sort, isAscending }) {
    const [text, choose] = useKept(`${name}.sort`);
    const by = text?.replace(/^-/, "");
    const isThere = columns.some((column) => keyOf(column) === by);
    const order = isThere ? { by, isAscending: !text.startsWith("-") } : { by: sort, isAscending };
    const press = (column) => {
      const isUp = order.by === keyOf(column) ? !order.isAscending : !NUMBERS.has(column.type);
      choose(`${isUp ? "" : "-"}${keyOf(column)}`);
    };
    return [order, press];
  }

  /** Has a source read the rows as they are sorted, and as many as are shown. */
  function useSource(source, { by, isAscending, more }) {
    useEffect(() => {
      if (by) source?.sort(by, (row) => valueOf(by, row), isAscending);
    }, [by && keyOf(by), isAscending]);
    useEffect(() => {
      if (more) source?.more(more);
    }, [more]);
  }

  const sortedBy = (column, rows, isAscending) =>
    sorting.sorted(
      rows,
      rows.map((row) => valueOf(column, row)),
      isAscending,
    );

  /** What a table is called in the address. */
  const nameOf = (caption) => caption.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-");

  /**
   * `file` is what a saved file is of (none without), `saved` its columns if these are others. `isOfNow`: rows do
   * not follow the period that is chosen. `total` counts rows that are not here, too; `totals` is what they are in all.
   * `by` is the dimension whose members the rows are, if they are. A `source` has rows beyond these: it reads them when
   * they are asked for, by `more(most)` or `sort(column, valueOf, isAscending)`, and gives `all()` to be saved.
   */
  function Table({
    caption,
    by: dimension,
    columns,
    rows,
    sort,
    isAscending = false,
    size = SIZE,
    file,
    empty = "Nothing here.",
    total = rows.length,
    totals,
    source = null,
    isOfNow = false,
    saved = columns,
  }) {
    const name = nameOf(caption);
    const [order, press] = useOrder(name, columns, { sort, isAscending });
    const [most, showMore] = useCount(`${name}.rows`, size, MORE);
    const list = useRef(null);
    useEffect(() => fit.watch(list), [rows.length === 0]);
    useEffect(() => fit.narrow(list.current));
    const isPrinting = usePrinting();
    const by = columns.find((column) => keyOf(column) === order.by);
    useSource(source, { by, isAscending: order.isAscending, more: most > size ? most : null });
    if (rows.length === 0) return h`<${Empty} title=${empty} />`;
    const sorted = by && !source ? sortedBy(by, rows, order.isAscending) : rows;
    const shown = sorted.slice(0, isPrinting ? Math.max(most, size >= LIST ? MOST_PRINTED : FIRST_PRINTED) : most);
    const left = total - shown.length;
    const placed = fit.fitted(columns, sort && order.by);
    const bars = columns.filter(({ type }) => type === "bar");
    const beside = bars.flatMap((column) => shown.map(column.written ?? ((row) => shownOf(column, row))));
    const { COMPARED } = wholesale.controls;
    const hasMarks = bars.some(({ before }) => before && rows.some((row) => row[before] !== undefined));
    const largest = new Map(bars.map((column) => [column.name, largestOf(column, rows)]));
    const saveAll = async (kind) => {
      const all = source ? await source.all() : sorted;
      const { save } = await later("saving");
      return save(kind, { file, caption, columns: saved, rows: all, totals, total, isOfNow, valueIn: valueOf });
    };
    return h`<div class=${fit.isFull(placed) ? "table many" : "table"} ref=${list}>
      <table data-by=${dimension} style=${{ "--digits": fit.digitsOf(beside) }}>
        <caption class="hidden">${caption}</caption>
        <thead><${Headings} columns=${placed} order=${order} isPrinting=${isPrinting} onPress=${press} /></thead>
        <tbody>
          ${shown.map(
            (row, place) =>
              h`<${Row} key=${row.key ?? place} row=${row} dimension=${dimension} columns=${placed}
                  largest=${largest} />`,
          )}
          ${totals && h`<${Totals} row=${totals} columns=${placed} largest=${largest} />`}
        </tbody>
      </table>
      ${hasMarks && h`<p class="at-mark"><i></i>${COMPARED[wholesale.shown.compare] ?? "before"}</p>`}
      <${NotShown} columns=${placed} />
      ${isPrinting && left > 0 && h`<p class="paper quiet">${`${format.count(left)} more, which are not printed.`}</p>`}
      <${Foot} count=${source ? total : rows.length} total=${total} hasMore=${(source ? total : rows.length) > most}
          onMore=${showMore} onSave=${file && saveAll} />
    </div>`;
  }

  wholesale.Table = Table;
})();
