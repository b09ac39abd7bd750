/**
 * Pivot: a figure by two dimensions: rows and columns, each with its total as it is counted, never added up from what
 * does not add up; what has no room is folded into one row or column that is counted for itself.
 */
(() => {
  "use strict";

  const { days, decimals, figures } = wholesale;
  const keyOf = (row, column) => JSON.stringify([row, column]);
  const OTHERS = "others";

  /** Members in the order of their size, or parts of time in theirs; `key` is what tells them apart. */
  function membersOf(answer, { name, grain }) {
    return answer.rows.map((row) => ({
      key: grain ? row.day : row.keys[name],
      name: grain ? null : row.names[name],
      values: row,
    }));
  }

  /** The cells, rows, columns and totals of `{metric, by, across}`, where `across` may be a `grain`. */
  async function read({ metric, by, across, grain, period, compare, where }) {
    const asked = { metrics: [metric], period, compare, where };
    const ofColumns = grain ? { grain: across } : { by: [across] };
    const [cells, rows, columns] = await Promise.all([
      figures({ ...asked, by: grain ? [by] : [by, across], ...(grain && { grain: across }) }),
      figures({ ...asked, by: [by] }),
      figures({ ...asked, ...ofColumns }),
    ]);
    const found = new Map(cells.rows.map((row) => [keyOf(row.keys[by], grain ? row.day : row.keys[across]), row]));
    return {
      asked: { metric, by, across, grain, period, compare, where },
      rows: membersOf(rows, { name: by }),
      columns: membersOf(columns, { name: across, grain }),
      total: rows.total,
      cells: cells.rows,
      cellOf: (row, column) => found.get(keyOf(row, column)) ?? null,
    };
  }

  /** A sum of values, exactly; null if none of them is known. */
  function summed(values) {
    const known = values.filter((value) => value !== null && value !== undefined);
    if (known.length === 0) return values.length ? null : "0";
    return decimals.text(known.reduce((sum, value) => sum + decimals.units(value), 0n));
  }

  const isAdditive = (metric) => wholesale.meta.metrics[metric].kind === "additive";

  const none = (metric) => (wholesale.meta.metrics[metric].kind === "ratio" ? null : "0");

  /** `{now, was}` of rows of an answer, or of what is not there, which is nothing. */
  function valuesIn(row, metric) {
    return row
      ? { now: row[metric], was: row[`${metric}_before`] ?? none(metric) }
      : { now: none(metric), was: none(metric) };
  }

  const summedOf = (all) => ({ now: summed(all.map(({ now }) => now)), was: summed(all.map(({ was }) => was)) });

  /**
   * A pivot with its first `rows` and `columns`, the others of each folded.
   *
   * Of what adds up the folded are added up; of anything else they are asked for together: a buyer of two of them is
   * one buyer. `latest` folds the first columns, those of time. Cells are `{now, was}`, in lines of cells.
   */
  async function folded(pivot, { rows: mostRows, columns: mostColumns, latest = false }) {
    const { asked, rows, columns, total, cellOf } = pivot;
    const { metric, by, across, grain } = asked;
    const shownRows = rows.slice(0, mostRows);
    const foldedRows = rows.slice(mostRows);
    const cut = Math.max(0, columns.length - mostColumns);
    const [shownColumns, foldedColumns] = latest
      ? [columns.slice(cut), columns.slice(0, cut)]
      : [columns.slice(0, mostColumns), columns.slice(mostColumns)];
    const cell = (row, column) => valuesIn(cellOf(row.key, column.key), metric);
    const extra = isAdditive(metric) ? null : await askedFor({ asked, foldedRows, foldedColumns, shownColumns });
    // Earlier parts of time stand before those that are shown, other members behind.
    const inLine = (shown, foldedCell, whole) => {
      const rest = foldedColumns.length ? [foldedCell()] : [];
      return [...(latest ? [...rest, ...shown] : [...shown, ...rest]), whole];
    };
    const inAll = (members) => summedOf(members.map(({ values }) => valuesIn(values, metric)));
    const lineOf = (row) =>
      inLine(
        shownColumns.map((column) => cell(row, column)),
        () => (extra ? extra.row(row.key) : summedOf(foldedColumns.map((column) => cell(row, column)))),
        valuesIn(row.values, metric),
      );
    const others = () =>
      inLine(
        shownColumns.map((column) =>
          extra ? extra.column(column.key) : summedOf(foldedRows.map((row) => cell(row, column))),
        ),
        () =>
          extra
            ? extra.corner()
            : summedOf(foldedRows.flatMap((row) => foldedColumns.map((column) => cell(row, column)))),
        extra ? extra.rows() : inAll(foldedRows),
      );
    const lines = shownRows.map((row) => ({ ...row, cells: lineOf(row) }));
    if (foldedRows.length) lines.push({ key: OTHERS, isFolded: true, count: foldedRows.length, cells: others() });
    const totals = inLine(
      shownColumns.map(({ values }) => valuesIn(values, metric)),
      () => (extra ? extra.columns() : inAll(foldedColumns)),
      valuesIn(total, metric),
    );
    const folds = { key: OTHERS, isFolded: true, count: foldedColumns.length };
    const heads = foldedColumns.length ? (latest ? [folds, ...shownColumns] : [...shownColumns, folds]) : shownColumns;
    return { by, across, grain, lines, columns: heads, totals, latest };
  }

  /** The days of parts of time that are folded, which are compared with nothing: they are no period of their own. */
  function daysBefore({ period }, [earliest], [first]) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    const start = Math.max(span.first ?? -Infinity, days.number(earliest.key));
    return { period: `${days.text(start)}..${days.text(days.number(first.key) - 1)}`, compare: "none" };
  }

  /** What is folded of a figure that does not add up, counted as one. */
  async function askedFor({ asked: { metric, by, across, grain, ...rest }, foldedRows, foldedColumns, shownColumns }) {
    const metrics = [metric];
    const keys = (members) => members.map(({ key }) => key);
    const ask = (more, { where, ...ofDays }) =>
      figures({ ...rest, ...ofDays, metrics, ...more, where: { ...rest.where, ...where } });
    const ofRows = foldedRows.length ? { where: { [by]: keys(foldedRows) } } : null;
    const ofMembers = () => ({ where: { [across]: keys(foldedColumns) } });
    const ofColumns = foldedColumns.length
      ? grain
        ? daysBefore(rest, foldedColumns, shownColumns)
        : ofMembers()
      : null;
    const columnsBy = grain ? { grain: across } : { by: [across] };
    const both = ofRows && ofColumns && { ...ofColumns, where: { ...ofRows.where, ...ofColumns.where } };
    const [byRow, inAll, byColumn, ofAllRows, corner] = await Promise.all([
      ofColumns && ask({ by: [by] }, ofColumns),
      ofColumns && ask({}, ofColumns),
      ofRows && ask(columnsBy, ofRows),
      ofRows && ask({}, ofRows),
      both && ask({}, both),
    ]);
    const unknown = { now: null, was: null };
    const found = (answer, is) => (answer ? valuesIn(answer.rows.find(is) ?? null, metric) : unknown);
    const whole = (answer) => (answer ? valuesIn(answer.total, metric) : unknown);
    return {
      row: (key) => found(byRow, (row) => row.keys[by] === key),
      column: (key) => found(byColumn, (row) => (grain ? row.day : row.keys[across]) === key),
      columns: () => whole(inAll),
      rows: () => whole(ofAllRows),
      corner: () => whole(corner),
    };
  }

  /** What a cell says in a mode: its value, its share of all, or its change; null where there is none. */
  function told({ now, was }, mode, total) {
    if (mode === "change") return decimals.growth(now ?? null, was ?? null);
    if (mode !== "share") return now;
    const [part, whole] = [now, total].map((value) => decimals.units(value));
    return now === null || whole <= 0n ? null : decimals.ratio(part, whole);
  }

  wholesale.receive("pages/explore/pivot", { pivot: { read, folded, told } });
})();
