/** Counted: closed months, each by its last close, and what they come to together. Amounts are whole numbers. */
(() => {
  "use strict";

  const { decimals, days } = wholesale;
  const PARTS = ["as_closed", "changed", "counted_otherwise", "now", "residue"];

  /** The sum of a column; null where one of its values is not known. */
  function sumOf(rows, name) {
    if (rows.some((row) => row[name] === null)) return null;
    return decimals.text(rows.reduce((sum, row) => sum + decimals.units(row[name]), 0n));
  }

  const totalsOf = (rows) => Object.fromEntries(PARTS.map((name) => [name, sumOf(rows, name)]));

  /** The months of a metric that are closed, each as it was closed last; and those that were opened again. */
  function monthsOf(rows, metric) {
    const last = new Map();
    for (const row of rows.filter((each) => each.metric === metric)) {
      const known = last.get(row.month_start);
      if (!known || known.close_number < row.close_number) last.set(row.month_start, row);
    }
    const all = [...last.values()].toSorted((one, other) => (one.month_start < other.month_start ? 1 : -1));
    return { closed: all.filter(isClosed), opened: all.filter((row) => !isClosed(row)) };
  }

  const isClosed = ({ state }) => state === "closed";
  const isKnown = (row) => row.problem === null && row.now !== null;
  const isZero = (value) => Number(value) === 0;
  const isMoved = (row) => isKnown(row) && !(isZero(row.changed) && isZero(row.counted_otherwise));

  /** The first month that is over, whole and not closed; none without a day. */
  function nextOf({ closed }) {
    const last = wholesale.meta.figures_up_to;
    if (!last) return null;
    const running = days.number(`${last.slice(0, 7)}-01`);
    const following = days.number(last) + 1 === days.monthsLater(running, 1);
    const over = days.text(following ? running : days.monthsLater(running, -1)).slice(0, 7);
    const isThere = new Set(closed.map(({ month_start: month }) => month.slice(0, 7)));
    if (isThere.has(over)) return null;
    const newest = closed[0]?.month_start;
    if (!newest) return over;
    const next = days.text(days.monthsLater(days.number(newest), 1)).slice(0, 7);
    return next > over ? null : next;
  }

  wholesale.receive("pages/closed/counted", { monthsOf, totalsOf, isKnown, isMoved, isZero, nextOf });
})();
