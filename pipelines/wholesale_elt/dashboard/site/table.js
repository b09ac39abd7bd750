/** Table: rows that can be sorted, shown some at a time, and saved as a file for a spreadsheet. */
(() => {
  "use strict";

  const { csv, decimals, format, sorting } = wholesale;
  const { h, useState, Empty, Change, usePrinting } = wholesale.elements;
  const { Spark } = wholesale.charts;
  const SIZE = 12;
  const MORE = 100;
  /** On paper a list is whole, but for the longest ones; a table that only shows the first rows has some more. */
  const [LIST, MOST_PRINTED, FIRST_PRINTED] = [30, 300, 24];
  const NUMBERS = new Set(["amount", "exact", "count", "number", "share", "bar", "change"]);

  /**
   * A column: `{name, label, type, show, value, before, style}`.
   *
   * `type` is `text`, `amount`, `exact`, `count`, `number`, `share`, `date`, `bar` (a compact amount after its bar;
   * `before` names the column whose mark stands in it), `change` (of `name` against `before`), or `course` (a list of
   * values as a line). `show` draws a cell of its own; `value` is what is sorted and saved if that is not `row[name]`.
   */
  function valueOf(column, row) {
    if (column.type === "change") return decimals.growth(row[column.name] ?? null, row[column.before] ?? null);
    return column.value ? column.value(row) : row[column.name];
  }

  function share(value, most) {
    return `${((most > 0 ? Math.max(0, Number(value ?? 0)) / most : 0) * 100).toFixed(2)}%`;
  }

  function Cell({ column, row, most }) {
    const value = valueOf(column, row);
    if (column.type === "bar") {
      const before = column.before && row[column.before];
      return h`<td class="bar" title=${before ? `${format.compact(before)} before, at the mark` : undefined}
          data-metric=${column.name} data-exact=${value}>
        <span class="bar-and-number">
          <span class="bar-track" aria-hidden="true">
            <i style=${{ width: share(value, most) }}></i>
            ${
              column.before &&
              row[column.before] !== undefined &&
              h`<i class="then" style=${{ left: share(row[column.before], most) }}></i>`
            }
          </span>
          <span>${column.show ? column.show(row) : format.compact(value)}</span>
        </span>
      </td>`;
    }
    if (column.type === "course")
      return h`<td class="course">
        <${Spark} ...${Array.isArray(value) ? { values: value, isUnfinished: column.isUnfinished } : value} />
      </td>`;
    if (column.type === "change")
      return h`<td class="numeric change"><${Change} now=${row[column.name]} before=${row[column.before]} /></td>`;
    const write =
      format[column.type] ?? ((plain) => (plain === null || plain === undefined || plain === "" ? format.NONE : plain));
    const isNumber = NUMBERS.has(column.type);
    return h`<td class=${`${isNumber ? "numeric" : column.type === "date" ? "date" : ""} ${column.style ?? ""}`}
        data-label=${column.label} data-metric=${isNumber ? column.name : undefined}
        data-exact=${isNumber ? value : undefined}>
      ${column.show ? column.show(row) : write(value)}
    </td>`;
  }

  /** The whole of a name that may be cut. */
  function textOf(column, row) {
    const value = valueOf(column, row);
    return typeof value === "string" ? value : undefined;
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

  /** The name of a saved file says what it is, of which days and of whom. */
  function fileName(file) {
    const { page, period, where } = wholesale.shown;
    const parts = [file, period, ...Object.entries(where).map(([name, keys]) => `${name}-${keys.join("-")}`)];
    return `${[...new Set([page === file ? file : parts.shift(), ...parts])]
      .join("_")
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
      .slice(0, 120)}.csv`;
  }

  function save(file, columns, rows) {
    const saved = columns.filter(({ type }) => type !== "course");
    csv.download(
      fileName(file),
      csv.encode(
        saved.map(({ label }) => label),
        rows.map((row) => saved.map((column) => valueOf(column, row))),
      ),
    );
  }

  /** Tells columns apart: a change has the name of the figure that it is of. */
  const keyOf = (column) => (column.type === "change" ? `${column.name} change` : column.name);

  function Headings({ columns, order, onPress }) {
    const sorted = order.isAscending ? "ascending" : "descending";
    return h`<tr>
      ${columns.map(
        (column) =>
          h`<th key=${keyOf(column)} scope="col"
              class=${NUMBERS.has(column.type) ? "numeric" : column.type === "course" ? "course" : ""}
              aria-sort=${order.by === keyOf(column) ? sorted : "none"}>
            ${
              column.type === "course" || !column.label
                ? h`<span class="hidden">${column.label}</span>`
                : h`<button type="button" onClick=${() => onPress(column)}>${column.label}</button>`
            }
          </th>`,
      )}
    </tr>`;
  }

  function Row({ row, dimension, columns, largest }) {
    return h`<tr data-key=${dimension && (row.keys?.[dimension] ?? row.key)}>
      ${columns.map((column, number) =>
        number === 0
          ? h`<th scope="row" key=${keyOf(column)} class=${column.style ?? ""} title=${textOf(column, row)}>
            ${column.show ? column.show(row) : (valueOf(column, row) ?? format.NONE)}
          </th>`
          : h`<${Cell} key=${keyOf(column)} column=${column} row=${row} most=${largest.get(column.name)} />`,
      )}
    </tr>`;
  }

  /** What stands below: how many rows are here, more of them, and the way to save them. */
  function Foot({ count, total, hasMore, onMore, onSave }) {
    if (!hasMore && !onSave && total <= count) return null;
    return h`<div class="table-foot">
      ${total > count && h`<span class="quiet">${`${format.count(count)} of ${format.count(total)} are here.`}</span>`}
      ${
        hasMore &&
        h`<button type="button" class="quiet-button" onClick=${onMore}>Show more of ${format.count(count)}</button>`
      }
      ${onSave && h`<button type="button" class="quiet-button" onClick=${onSave}>Save as CSV</button>`}
    </div>`;
  }

  /**
   * `file` is what a saved file is of; without it there is no way to save. `total` counts rows that are not here, too.
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
    source = null,
  }) {
    const [order, setOrder] = useState({ by: sort, isAscending });
    const [most, setMost] = useState(size);
    const isPrinting = usePrinting();
    if (rows.length === 0) return h`<${Empty} title=${empty} />`;
    const by = columns.find((column) => keyOf(column) === order.by);
    const sorted =
      by && !source
        ? sorting.sorted(
            rows,
            rows.map((row) => valueOf(by, row)),
            order.isAscending,
          )
        : rows;
    const shown = sorted.slice(0, isPrinting ? Math.max(most, size >= LIST ? MOST_PRINTED : FIRST_PRINTED) : most);
    const left = total - shown.length;
    const bars = columns.filter(({ type }) => type === "bar");
    const largest = new Map(bars.map((column) => [column.name, largestOf(column, rows)]));
    const press = (column) => {
      const isRising = order.by === keyOf(column) ? !order.isAscending : !NUMBERS.has(column.type);
      setOrder({ by: keyOf(column), isAscending: isRising });
      source?.sort(column, (row) => valueOf(column, row), isRising);
    };
    const showMore = () => {
      setMost(most + MORE);
      source?.more(most + MORE);
    };
    const saveAll = async () => save(file, columns, source ? await source.all() : sorted);
    return h`<div class="table">
      <table data-by=${dimension}>
        <caption class="hidden">${caption}</caption>
        <thead><${Headings} columns=${columns} order=${order} onPress=${press} /></thead>
        <tbody>
          ${shown.map(
            (row, place) =>
              h`<${Row} key=${row.key ?? place} row=${row} dimension=${dimension} columns=${columns}
                  largest=${largest} />`,
          )}
        </tbody>
      </table>
      ${isPrinting && left > 0 && h`<p class="paper quiet">${`${format.count(left)} more, which are not printed.`}</p>`}
      <${Foot} count=${source ? total : rows.length} total=${total} hasMore=${(source ? total : rows.length) > most}
          onMore=${showMore} onSave=${file && saveAll} />
    </div>`;
  }

  wholesale.Table = Table;
})();
