/** Crossed: the table of two dimensions, as many columns as have room, the others in one. */
(() => {
  "use strict";

  const { axes, decimals, format, later, objects, view: views } = wholesale;
  const { h, useEffect, useLoaded, useRef, useState, Change, Loaded, Empty, usePrinting } = wholesale.elements;
  const { PAPER, useWidth } = wholesale.charts;
  const [SIZE, MORE] = [20, 50];
  /** Widths in pixels: of names and cells, of a letter in bold, and of what stands between two cells. */
  const [NARROW, NAME, NAME_NARROW, NAME_LEAST] = [560, 208, 104, 68];
  const [CELL, CELL_NARROW, LETTER, BESIDE] = [84, 64, 8.3, 9];
  const FEWEST = 1;
  const modesOf = (metric) => [
    ["amount", wholesale.meta.metrics[metric].unit === "amount" ? "Amount" : "Number"],
    ["share", "Share"],
    ["change", "Change"],
  ];
  const WEEKDAYS = 4; // the fifth of January 1970 was a Monday

  /** What a member is called; a part of time by its days. */
  function nameOf({ key, name }, dimension, grain) {
    if (grain) return key === null ? "Other days" : axes.shortName(key, grain) + yearOf(key, grain);
    if (key === null) return "Not known";
    return dimension === "weekday" ? weekday(key) : objects.nameOf(key, name);
  }
  const yearOf = (key, grain) => (grain === "year" || grain === "day" || grain === "week" ? "" : ` ${key.slice(0, 4)}`);
  const weekday = (key) =>
    new Intl.DateTimeFormat(format.locale, { weekday: "long", timeZone: "UTC" }).format(
      (WEEKDAYS + Number(key) - 1) * 864e5,
    );

  /** Both members alone, where filters can be made of them. */
  function hrefOf(view, { by, across, grain }, row, column) {
    const keys = { ...(row && { [by]: row.key }), ...(column && !grain && { [across]: column.key }) };
    const isFilter = Object.keys(keys).every((name) => views.FILTERS.includes(name));
    if (!isFilter || Object.keys(keys).length === 0) return null;
    const where = Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, [key]]));
    return views.linkTo(view, { page: "orders", where: { ...view.where, ...where } });
  }

  function Cell({ cell, mode, room: { write, exact, isRounded }, total, href, style = "" }) {
    const { pivot } = wholesale.pieces.explore;
    const value = pivot.told(cell, mode, total);
    const isZero = mode === "amount" && value !== null && Number(value) === 0;
    const text =
      mode === "change"
        ? h`<${Change} now=${cell.now} before=${cell.was} />`
        : value === null
          ? format.NONE
          : mode === "share"
            ? format.share(value)
            : write(value);
    return h`<td class=${`numeric ${style} ${isZero ? "zero" : ""}`} data-exact=${cell.now}
        title=${isRounded && cell.now !== null ? exact(cell.now) : undefined}>
      ${href && !isZero && value !== null ? h`<a href=${href} aria-description="Their orders">${text}</a>` : text}
    </td>`;
  }

  const isSmall = (value) => Math.abs(Number(value)) < 1 && Number(value) !== 0;

  /**
   * How values are written, and how many columns have room, by the longest of them: exactly if all have room then,
   * else in whole units, `isRounded`.
   */
  function roomFor(width, pivot, mode, metric) {
    const { rows, columns, total } = pivot;
    const all = [...pivot.cells, ...[...rows, ...columns].map(({ values }) => values), total].map((row) => row[metric]);
    const isNarrow = width < NARROW;
    const cellOf = (write) => {
      const longest = mode === "amount" ? all.reduce((most, value) => Math.max(most, write(value).length), 0) : 0;
      return Math.max(isNarrow ? CELL_NARROW : CELL, longest * LETTER + BESIDE);
    };
    // Where there is least room a member, the others and the total have it.
    const nameWidth = (write) =>
      isNarrow ? Math.min(NAME_NARROW, Math.max(NAME_LEAST, width - 3 * cellOf(write))) : NAME;
    const fit = (write) => Math.floor((width - nameWidth(write)) / cellOf(write)) - 1; // the last one is the total
    const exact = wholesale.pieces.explore.offered.evenly(metric, all);
    const { unit, kind } = wholesale.meta.metrics[metric];
    const isRounded = unit === "amount" && kind !== "ratio" && mode === "amount" && fit(exact) < columns.length;
    const whole = (value) => format.fixed(isSmall(value) ? 2 : 0)(value);
    const isShort = isRounded && fit(whole) < FEWEST + 1;
    const write = isShort ? (value) => format.dense(metric, value) : isRounded ? whole : exact;
    const room = fit(write);
    return {
      count: Math.max(FEWEST, columns.length <= room ? columns.length : room - 1),
      name: nameWidth(write),
      write,
      exact,
      isRounded,
      isShort,
    };
  }

  function Head({ shown, labels, sort, onSort }) {
    const { by, across, grain, columns, latest } = shown;
    const heading = (place, text) =>
      h`<th scope="col" class="numeric" key=${place}
          aria-sort=${(sort ?? columns.length) === place ? "descending" : "none"}>
        <button type="button" dir="auto" onClick=${() => onSort(place)}>${text}</button>
      </th>`;
    const textOf = (column) =>
      column.isFolded
        ? latest
          ? "Earlier"
          : format.plural(column.count, "other")
        : nameOf(column, across, grain && across);
    return h`<thead>
      <tr>
        <th scope="col">${labels(by)}</th>
        ${columns.map((column, place) => heading(place, textOf(column)))} ${heading(columns.length, "Total")}
      </tr>
    </thead>`;
  }

  /** The lines, those that are largest in a column first, the folded one last. */
  function sorted(lines, place) {
    if (place === null) return lines;
    const size = ({ cells }) => cells[place].now ?? "0";
    const own = lines.filter(({ isFolded }) => !isFolded);
    return [
      ...own.toSorted((one, other) => decimals.compare(size(other), size(one))),
      ...lines.filter((line) => line.isFolded),
    ];
  }

  function Body({ view, shown, mode, room, total, nameOfRow, sort }) {
    const isLast = (place) => place === shown.columns.length;
    const to = (row, place) =>
      row.isFolded || shown.columns[place]?.isFolded ? null : hrefOf(view, shown, row, shown.columns[place] ?? null);
    const cells = (line, row) =>
      line.map(
        (cell, place) =>
          h`<${Cell} key=${place} cell=${cell} mode=${mode} room=${room} total=${total}
              href=${row && to(row, place)} style=${isLast(place) ? "whole" : ""} />`,
      );
    return h`
      <tbody>
        ${sorted(shown.lines, sort).map(
          (line) =>
            h`<tr key=${line.isFolded ? "others" : (line.key ?? "none")} class=${line.isFolded ? "folded" : ""}>
              <th scope="row">${line.isFolded ? format.plural(line.count, "other") : nameOfRow(line)}</th>
              ${cells(line.cells, line)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr><th scope="row">Total</th>${cells(shown.totals, null)}</tr>
      </tfoot>
    `;
  }

  /** The whole pivot as a table of a file: nothing folded. */
  function tableOf(pivot, { metric, labels, file, caption }) {
    const { by, across, grain } = pivot.asked;
    const { unit } = wholesale.meta.metrics[metric];
    const none = wholesale.meta.metrics[metric].kind === "ratio" ? null : "0";
    const valueAt = (row, column) => {
      const cell = pivot.cellOf(row.key, column.key);
      return cell ? cell[metric] : none;
    };
    const columns = [
      { name: by, label: labels(by), value: (row) => (row.values ? nameOf(row, by, null) : null) },
      ...pivot.columns.map((column, place) => ({
        name: `column${place}`,
        label: nameOf(column, across, grain && across),
        type: "number",
        measure: unit,
        value: (row) => (row.values ? valueAt(row, column) : (column.values[metric] ?? null)),
      })),
      {
        name: "total",
        label: "Total",
        type: "number",
        measure: unit,
        value: (row) => (row.values ?? row)[metric] ?? null,
      },
    ];
    return {
      file,
      caption,
      columns,
      rows: pivot.rows,
      totals: pivot.total,
      valueIn: (column, row) => column.value(row),
    };
  }

  /** What of a pivot has room, on the screen and on paper: a browser prints before it could count anew. */
  function useShown({ of, question, mode, most, width }) {
    const { pivot } = wholesale.pieces.explore;
    const isPrinting = usePrinting();
    const seen = useRef(width);
    if (!isPrinting) seen.current = width;
    const rooms = [seen.current, PAPER].map((wide) =>
      of.value ? roomFor(wide, of.value, mode, question.metric) : { count: 0 },
    );
    const counts = rooms.map(({ count }) => count);
    const latest = Boolean(question.grain);
    const both = useLoaded(
      async () =>
        of.value && Promise.all(counts.map((columns) => pivot.folded(of.value, { rows: most, columns, latest }))),
      JSON.stringify([question, most, counts, of.value !== undefined && !of.isOld]),
    );
    const which = isPrinting ? 1 : 0;
    return { room: rooms[which], folded: { ...both, value: both.value?.[which] } };
  }

  /** A pivot as a table; `mode` says what its cells tell: the amount, the share of all, or the change. */
  function Crossed({ view, question, mode, labels, nameOfRow, file, caption }) {
    const { pivot } = wholesale.pieces.explore;
    const [most, setMost] = useState(SIZE);
    const [sort, setSort] = useState(null);
    const [ref, width] = useWidth(960);
    const of = useLoaded(() => pivot.read(question), JSON.stringify(question));
    const { room, folded } = useShown({ of, question, mode, most, width });
    useEffect(() => setSort(null), [JSON.stringify(question), room.count]);
    const save = async (kind) => {
      const { save: write } = await later("saving");
      await write(kind, tableOf(of.value, { metric: question.metric, labels, file, caption }));
    };
    return h`<div class="pivot" ref=${ref}>
      <${Loaded} of=${of.value ? folded : of}>
        ${(shown) =>
          !shown?.lines
            ? h`<div class="waiting" aria-hidden="true"></div>`
            : shown.lines.length === 0
              ? h`<${Empty} title="Nothing was sold like that." />`
              : h`
                <table>
                  <caption class="hidden">${caption}</caption>
                  <colgroup><col style=${{ width: `${room.name}px` }} /></colgroup>
                  <${Head} shown=${shown} labels=${labels} sort=${sort} onSort=${setSort} />
                  <${Body} view=${view} shown=${shown} mode=${mode} room=${room}
                      total=${of.value.total[question.metric]} nameOfRow=${nameOfRow} sort=${sort} />
                </table>
                ${
                  room.isRounded &&
                  h`<p class="chart-note">
                    ${room.isShort ? "Short" : "Whole"} amounts, as there is no room for their${" "}
                    ${room.isShort ? "digits" : "decimals"}: the pointer and the files tell them.
                  </p>`
                }
                <div class="table-foot">
                  ${
                    of.value.rows.length > most &&
                    h`<button type="button" class="quiet-button" onClick=${() => setMost(most + MORE)}>
                      Show more of ${format.count(of.value.rows.length)}
                    </button>`
                  }
                  <button type="button" class="quiet-button" onClick=${() => save("csv")}>Save as CSV</button>
                  <button type="button" class="quiet-button" onClick=${() => save("xlsx")}>Save for Excel</button>
                </div>
              `}
      <//>
    </div>`;
  }

  wholesale.receive("pages/explore/crossed", { crossed: { Crossed, modesOf, nameOf } });
})();
