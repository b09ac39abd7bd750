/** Spans: the days of a period, one on offer or one of chosen days such as `2026-01-05..2026-02-10`. */
(() => {
  "use strict";

  const CHOSEN = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;
  const DAY = 86_400_000;

  function isDay(text) {
    const at = new Date(text);
    return !Number.isNaN(at.valueOf()) && at.toISOString().startsWith(text);
  }

  /** First and last of the days that a period names; nothing where it is none of chosen days. */
  function chosen(period) {
    const [, first, last] = CHOSEN.exec(period ?? "") ?? [];
    return first && isDay(first) && isDay(last) && first <= last ? { first, last } : null;
  }

  /** The period of the days between two, whichever comes first. */
  function between(...days) {
    return days.toSorted().join("..");
  }

  function after(day, count) {
    return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10);
  }

  /** The same day a year earlier; of 29 February the 28th. */
  function yearBefore(day) {
    const same = `${String(Number(day.slice(0, 4)) - 1).padStart(4, "0")}${day.slice(4)}`;
    return isDay(same) ? same : `${same.slice(0, 8)}28`;
  }

  /** The same of a last day, so that a whole February is compared with a whole one. */
  function lastYearBefore(day) {
    return [yearBefore(day), after(yearBefore(after(day, 1)), -1)].toSorted().at(-1);
  }

  /** A period as `rpt_periods` has those on offer; chosen days need orders of the whole year before. */
  function of(period, { spans, everything }) {
    const days = chosen(period);
    if (!days) return spans.get(period);
    const before = yearBefore(days.first);
    return {
      period_key: period,
      period_kind: "chosen",
      first_day: days.first,
      last_day: days.last,
      year_before_first_day: before,
      year_before_last_day: lastYearBefore(days.last),
      is_year_before_covered: before >= (spans.get(everything).first_day ?? days.first),
    };
  }

  wholesale.spans = { chosen, between, of };
})();
