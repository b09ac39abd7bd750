/** Windows: between which days the next order of a buyer is awaited, how often that was right, or why none is told. */
(() => {
  "use strict";

  const { age, format } = wholesale;
  const { h } = wholesale.elements;
  /** Windows are shown from this purchase on, as `fewest_shown_purchases` has it. */
  const FEWEST = 6;
  const SHARES = [90, 80, 50];
  const SAID = { 50: "5 of 10", 80: "8 of 10", 90: "9 of 10" };
  const WITHOUT = {
    too_few_alike: "no window yet: too few orders of buyers like it are known",
    right_too_seldom: "no window: its last ones were right too seldom",
    all_right_too_seldom: "no window: those of all buyers were right too seldom",
  };

  const STANDINGS = new Set(["passed", "due", "later"]);
  /** Whether a buyer has windows; `due` and `later` have some that are not over. */
  const isTold = ({ standing }) => STANDINGS.has(standing);

  /** The day on which the last window of a buyer ends. */
  const lastDay = (row) => row.last_day_90 ?? row.last_day_80;

  /** `16 of 18`: how many of its windows that are over were right. */
  const rightOf = ({ judged_count: judged, right_count: right }) =>
    judged > 0 ? `${format.count(right)} of ${format.count(judged)}` : null;

  /** How often windows were right, in a sentence. */
  function rightText(row) {
    const right = rightOf(row);
    return right ? `right ${right} ${row.judged_count === 1 ? "time" : "times"}` : "none of its windows is over yet";
  }

  /** Why a buyer has no window. */
  function withoutText({ standing, purchase_count: count }) {
    if (WITHOUT[standing]) return WITHOUT[standing];
    return count > 0 && count < FEWEST
      ? `no window yet: ${format.plural(count, "purchase")}, it takes ${format.count(FEWEST)}`
      : "no window yet";
  }

  /** Days from the first to the last of a window, without the year where both are near. */
  function span(row, share) {
    const [first, last] = [row[`first_day_${share}`], row[`last_day_${share}`]];
    if (!first || !last) return null;
    return first === last ? format.day(first) : `${format.day(first)} – ${format.day(last)}`;
  }

  /** All windows of a buyer in words. */
  const spans = (row) =>
    SHARES.toReversed()
      .filter((share) => span(row, share))
      .map((share) => `${SAID[share]}: ${span(row, share)}`)
      .join("; ");

  /** What is awaited of a buyer that has windows, in a sentence or two; nothing of figures that are too old. */
  function awaitedText(row) {
    if (!isTold(row) || age.isOutdated(wholesale.meta.figures_up_to)) return "";
    const right = rightOf(row) ? `; such windows were ${rightText(row)}` : "";
    return row.standing === "passed"
      ? `All windows for its next order passed, the last on ${format.day(lastDay(row))}${right}.`
      : `Its next order ${row.last_day_80 < age.day() ? "was" : "is"} awaited ${span(row, 80)}, 8 times in 10${right}.`;
  }

  /** The 80% window of a buyer on a line of time; nothing where there is none. */
  const band = (row) =>
    isTold(row) && !age.isOutdated(wholesale.meta.figures_up_to)
      ? { first: row.first_day_80, last: row.last_day_80 }
      : null;

  /** What each bar means. */
  function Legend() {
    return h`<span class="legend windows-legend">
      ${SHARES.toReversed().map((share) => h`<span key=${share}><i class=${`w${share}`}></i>${SAID[share]}</span>`)}
    </span>`;
  }

  /** Three bars on one axis, of `{first, last, share}` each, in parts of the axis; what is beyond it ends flat. */
  function Bars({ bars }) {
    const percent = (part) => `${(100 * part).toFixed(3)}%`;
    return bars
      .filter(({ from, to }) => to > 0 && from < 1)
      .map(({ share, from, to }) => {
        const [left, right] = [Math.max(0, from), Math.min(1, to)];
        const cut = `${from < 0 ? " cut-left" : ""}${to > 1 ? " cut-right" : ""}`;
        return h`<i key=${share} class=${`w${share}${cut}`}
            style=${{ left: percent(left), width: percent(right - left) }}></i>`;
      });
  }

  wholesale.windows = {
    FEWEST,
    SHARES,
    isTold,
    lastDay,
    rightOf,
    rightText,
    withoutText,
    span,
    spans,
    awaitedText,
    band,
    Legend,
    Bars,
  };
  wholesale.receive("windows", null);
})();
