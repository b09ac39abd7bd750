/** Table: rows that can be sorted, shown some at a time, and saved as a file for a spreadsheet. */
(() => {
  "use strict";

  const { csv, decimals, format } = wholesale;
  const { h, useState, Empty } = wholesale.elements;
  const SIZE = 12;
  const MORE = 100;
  const NUMBERS = ["amount", "exact", "count", "number", "share", "change", "bar"];

  /**
   * A column: `{name, label, type, show, value, isWide}`.
   *
   * `type` is `text`, `amount`, `exact`, `count`, `number`, `share`, `date`, or `bar` (an amount with a bar before
   * it; `before` of the row draws a mark). `show` draws a cell of its own, `value` is what is sorted and saved if that
   * is not `row[name]`.
   */
  function valueOf(column, row) {
    return column.value ? column.value(row) : row[column.name];
  }

  function compared(left, right) {
    if (left === null || left === undefined) return right === null || right === undefined ? 0 : -1;
    if (right === null || right === undefined) return 1;
    if (typeof left === "number" || /^-?\d+(\.\d+)?$/.test(left)) return decimals.compare(left, right);
    return String(left).localeCompare(String(right));
  }

  function Cell({ column, row, most }) {
    const value = valueOf(column, row);
    const isNumber = NUMBERS.includes(column.type);
    const text = column.show ? column.show(row) : (format[column.type === "bar" ? "compact" : column.type] ?? ((plain) => plain ?? format.NONE))(value);
    if (column.type === "bar") {
      const share = most > 0 ? Math.max(0, Number(value ?? 0)) / most : 0;
      return h`<td class="bar"><i style=${{ width: `${(share * 100).toFixed(2)}%` }} aria-hidden="true"></i><b>${text}</b></td>`;
    }
    return h`<td class=${`${isNumber ? "numeric" : ""} ${column.style ?? ""}`}>${text}</td>`;
  }

  /** `file` is the name of the saved file; without it there is no way to save. */
  function Table({ caption, columns, rows, sort, isAscending = false, size = SIZE, file, empty = "Nothing here.", total = rows.length }) {
    const [order, setOrder] = useState({ by: sort, isAscending });
    const [most, setMost] = useState(size);
    if (rows.length === 0) return h`<${Empty} title=${empty} />`;
    const by = columns.find(({ name }) => name === order.by);
    const sorted = by ? rows.toSorted((left, right) => (order.isAscending ? 1 : -1) * compared(valueOf(by, left), valueOf(by, right))) : rows;
    const shown = sorted.slice(0, most);
    const largest = new Map(columns.filter(({ type }) => type === "bar").map((column) =>
      [column.name, Math.max(...rows.map((row) => Number(valueOf(column, row) ?? 0)))]));
    const press = (column) => setOrder({ by: column.name, isAscending: order.by === column.name ? !order.isAscending : !NUMBERS.includes(column.type) });
    const save = () => csv.download(`${file}.csv`, csv.encode(columns.map(({ label }) => label), sorted.map((row) => columns.map((column) => valueOf(column, row)))));
    return h`<div class="table">
      <table><caption class="hidden">${caption}</caption>
        <thead><tr>${columns.map((column) => h`<th key=${column.name} scope="col" class=${NUMBERS.includes(column.type) ? "numeric" : ""}
          aria-sort=${order.by === column.name ? (order.isAscending ? "ascending" : "descending") : "none"}>
          <button type="button" onClick=${() => press(column)}>${column.label}</button></th>`)}</tr></thead>
        <tbody>${shown.map((row, place) => h`<tr key=${row.key ?? place}>${columns.map((column, number) => number === 0
          ? h`<th scope="row" key=${column.name}>${column.show ? column.show(row) : valueOf(column, row) ?? format.NONE}</th>`
          : h`<${Cell} key=${column.name} column=${column} row=${row} most=${largest.get(column.name)} />`)}</tr>`)}</tbody>
      </table>
      <div class="table-foot">
        ${sorted.length > most && h`<button type="button" class="quiet-button" onClick=${() => setMost(most + MORE)}>Show more of ${format.count(total)}</button>`}
        ${file && h`<button type="button" class="quiet-button" onClick=${save}>Save as CSV</button>`}
      </div>
    </div>`;
  }

  wholesale.Table = Table;
})();
