/** Outlook: between which amounts the running month and the next one may end, and how often such windows were right. */
(() => {
  "use strict";

  const { age, days, format, load, rowsOf } = wholesale;
  const { useLoaded } = wholesale.elements;
  const ALL = "all";
  const DIMENSIONS = ["vendor", "account_manager"];

  const read = () => load("outlook").then(rowsOf);

  /** Of whom months are told: of all, or of one vendor or account manager; null where more is chosen. */
  function scopeOf(where) {
    const chosen = Object.entries(where ?? {}).filter(([, keys]) => keys?.length);
    if (chosen.length === 0) return { dimension: ALL, member: ALL };
    const [[dimension, keys]] = chosen;
    const isOne = chosen.length === 1 && keys.length === 1 && keys[0] !== null && DIMENSIONS.includes(dimension);
    return isOne ? { dimension, member: keys[0] } : null;
  }

  const isOf = (scope) => (row) => scope !== null && row.dimension === scope.dimension && row.member === scope.member;

  /** Whether there is a window: nothing is claimed where too little is known, or of figures that are too old. */
  const isTold = (row) => row.low_80 !== null && row.high_80 !== null && !age.isOutdated(row.figures_up_to);

  /** A function from the first day of a month to its window; it gives nothing where there is none. */
  function useOutlook(where) {
    const of = useLoaded(read, "outlook");
    const found = (of.value ?? []).filter(isOf(scopeOf(where))).filter(isTold);
    return (month) => found.find(({ month_start: start }) => start === month);
  }

  /** `$402 k to $482 k`; null where too little is known. */
  function rangeOf(row, share = 80, write = format.compact) {
    const [low, high] = [row[`low_${share}`], row[`high_${share}`]];
    if (low === null || high === null) return null;
    return write(low) === write(high) ? write(low) : `${write(low)} to ${write(high)}`;
  }

  /** How often windows that were set on the same day of a month were right. */
  function rightText({ judged_count: judged, right_count: right }) {
    if (judged === 0) return "No such window is over yet.";
    return `Such windows, set on the same day of the month, were right in ${format.count(right)} of ${
      judged === 1 ? "1 month" : `the last ${format.plural(judged, "month")}`
    }.`;
  }

  /** How many days of its month are known, and how many it has. */
  function daysOf({ month_start: start, figures_up_to: upTo }) {
    const first = days.number(start);
    const length = days.following(first, "month") - first;
    return { seen: Math.min(length, Math.max(0, days.number(upTo) - first + 1)), length };
  }

  wholesale.outlook = { read, scopeOf, isOf, isTold, useOutlook, rangeOf, rightText, daysOf };
})();
