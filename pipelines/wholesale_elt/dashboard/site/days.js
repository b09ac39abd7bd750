/**
 * Days: the days that the name of a period means, and those it is compared with.
 *
 * The same names and the same days as `wholesale figures` has. A day is a text `2026-05-31` outside,
 * and here the number of days since 1970.
 */
(() => {
  "use strict";

  const A_DAY = 86_400_000;
  const ALL_TIME = "all_time";
  const LAST_WEEK = "last_week";
  const ROLLING = { yesterday: 1, last_day: 1, last_7_days: 7, last_28_days: 28, last_90_days: 90 };
  const MONTHS = { month: 1, quarter: 3, year: 12 };
  const DAY = /^\d{4}-\d\d-\d\d$/;

  const number = (text) => Date.parse(text) / A_DAY;
  const text = (day) => new Date(day * A_DAY).toISOString().slice(0, 10);
  const parts = (day) => text(day).split("-").map(Number);
  const first = (year, month) => Date.UTC(year, month - 1, 1) / A_DAY;

  /** The same day so many months later, or the last of that month if it is shorter. */
  function monthsLater(day, count) {
    const [year, month, date] = parts(day);
    const start = first(year, month + count);
    return Math.min(start + date - 1, first(year, month + count + 1) - 1);
  }

  /** The same of a last day: that of a month becomes the last one of another month. */
  function lastMonthsLater(day, count) {
    return Math.max(monthsLater(day, count), monthsLater(day + 1, count) - 1);
  }

  /** First and last day of a name, and its months; null if the text names none. */
  function named(name, upTo) {
    if (ROLLING[name]) return [upTo - ROLLING[name] + 1, upTo, 0];
    const [year, month] = parts(upTo);
    // The month of the last day, as far as it is over, and the eleven before it.
    if (name === "last_12_months") return [first(year, month - 11), upTo, 12];
    if (name === LAST_WEEK) {
      const monday = truncated(upTo, "week") - 7;
      return [monday, monday + 6, 0];
    }
    const [, ofUnit] = /^(month|quarter|year)_to_date$/.exec(name) ?? [];
    if (ofUnit) return [first(year, month - ((month - 1) % MONTHS[ofUnit])), upTo, MONTHS[ofUnit]];
    const [, which, unit] = /^(this|last)_(month|quarter|year)$/.exec(name) ?? [];
    if (unit) {
      const start = month - ((month - 1) % MONTHS[unit]);
      return wholeMonths(year, which === "this" ? start : start - MONTHS[unit], MONTHS[unit]);
    }
    const quarter = /^(\d{4})-Q([1-4])$/.exec(name);
    if (quarter) return wholeMonths(Number(quarter[1]), Number(quarter[2]) * 3 - 2, 3);
    const one = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name);
    if (one) return wholeMonths(Number(one[1]), Number(one[2]), 1);
    if (/^\d{4}$/.test(name)) return wholeMonths(Number(name), 1, 12);
    const ends = name.split("..");
    if (ends.length > 2 || !ends.every((end) => DAY.test(end) && text(number(end) || 0) === end)) return null;
    const found = ends.map(number);
    return found[0] <= found.at(-1) ? [found[0], found.at(-1), 0] : null;
  }

  function wholeMonths(year, month, count) {
    return [first(year, month), first(year, month + count) - 1, count];
  }

  /**
   * The period of that name; one that is not over ends with `upTo`, the last day that figures know of.
   *
   * `{name, first, last, whole, months}`, `whole` being the last day when it is over; for all time only its
   * name. Null for a text that names none, or that begins after `upTo`.
   */
  function period(name, upTo) {
    if (name === ALL_TIME) return { name };
    if (upTo === null) return null;
    const known = number(upTo);
    const found = named(name, known);
    if (!found || found[0] > known) return null;
    const [start, end, count] = found;
    return {
      name,
      first: start,
      last: Math.min(end, known),
      whole: end,
      months: count,
      isRolling: name in ROLLING || name === LAST_WEEK,
      isUnfinished: end > known,
    };
  }

  /**
   * The days that a period is compared with: those before it (`period`), or those a year before (`year`).
   *
   * `later` moves a day of it to the day of the period, as does `shift` in SQL; `earlier` the other way, but at the
   * ends of months. As many days as are over; of the last 28 days a year before is 364 days earlier, so that weekdays
   * match. Null for none, and for all time.
   */
  function compared({ first: start, last: end, months: count, isRolling }, compare) {
    if (start === undefined || compare === "none") return null;
    const away = compare === "period" ? count : isRolling ? 0 : 12;
    if (away) {
      return {
        first: monthsLater(start, -away),
        last: lastMonthsLater(end, -away),
        later: (day) => monthsLater(day, away),
        earlier: (day) => monthsLater(day, -away),
        shift: `interval ${away} month`,
      };
    }
    const days = compare === "period" ? end - start + 1 : 364;
    return {
      first: start - days,
      last: end - days,
      later: (day) => day + days,
      earlier: (day) => day - days,
      shift: `interval ${days} day`,
    };
  }

  /** Whether figures are known of all these days: what was before the day `from` is not known, and is not nothing. */
  function isCovered({ first: start }, from) {
    return start === undefined || (from !== null && start >= number(from));
  }

  /** The first day of the day, week (from Monday), month, quarter or year of a day. */
  function truncated(day, grain) {
    if (grain === "day") return day;
    if (grain === "week") return day - ((((day + 3) % 7) + 7) % 7);
    const [year, month] = parts(day);
    return first(year, month - ((month - 1) % MONTHS[grain]));
  }

  /** The first day of the next one. */
  function following(day, grain) {
    if (grain === "day" || grain === "week") return day + (grain === "day" ? 1 : 7);
    return monthsLater(day, MONTHS[grain]);
  }

  /** How a period is cut for a chart: up to 31 days by day, up to 26 weeks by week, else by month. */
  function grainOf(start, end) {
    const count = end - start + 1;
    if (count <= 31) return "day";
    return count <= 26 * 7 ? "week" : "month";
  }

  /** The months, as `2026-05`, that have any of these days. */
  function monthsOf(start, end) {
    const found = [];
    for (let day = truncated(start, "month"); day <= end; day = monthsLater(day, 1)) found.push(text(day).slice(0, 7));
    return found;
  }

  wholesale.days = {
    ALL_TIME,
    number,
    text,
    period,
    compared,
    isCovered,
    truncated,
    following,
    grainOf,
    monthsOf,
    monthsLater,
  };
})();
