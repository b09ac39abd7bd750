/** Axes: the parts of a period along a chart, round steps beside it, a figure's course, and what stands out of it. */
(() => {
  "use strict";

  const { days, format } = wholesale;
  const GRAINS = { day: "Days", week: "Weeks", month: "Months", quarter: "Quarters", year: "Years" };
  const LENGTHS = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
  const MOST_PARTS = 160;
  /** Days by which months may be shorter than others. */
  const A_MONTH_END = 3;
  const FEWEST_PARTS = 8;

  /** The days of a span that are known, none before the first, all time up to the last; null if there is none. */
  function spanOf(span) {
    const { figures_from: from, figures_up_to: upTo } = wholesale.meta;
    if (!from || !upTo) return null;
    const first = Math.max(span.first ?? -Infinity, days.number(from));
    const last = span.last ?? days.number(upTo);
    return first <= last ? { ...span, first, last } : null;
  }

  /** The parts of a span, each with its days, also those without a sale; a part that is not `isWhole` has others. */
  function partsOf({ first, last, whole = last }, grain) {
    const found = [];
    for (let day = days.truncated(first, grain); day <= whole; day = days.following(day, grain)) {
      const end = days.following(day, grain) - 1;
      found.push({
        day: days.text(day),
        first: Math.max(first, day),
        last: Math.min(last, end),
        length: end - day + 1,
        isWhole: day >= first && end <= last,
      });
    }
    return found;
  }

  /** Whether some days were over when orders were read: then none came in since the last day that is known. */
  const wasOver = (end) => Boolean(wholesale.meta.as_of) && wholesale.meta.as_of.slice(0, 10) > days.text(end);

  /** Whether the last part goes on after the last day that is known, so that it is not over. */
  function isUnderWay({ day, first, last, length, isWhole }) {
    const isLast = last >= first && days.text(last) === wholesale.meta.figures_up_to;
    return !isWhole && days.number(day) === first && isLast && !wasOver(first + length - 1);
  }

  /** How a span may be cut: into two parts or more, and not into too many. */
  function grainsOf({ first, last }) {
    const parts = (grain) => (last - first + 1) / LENGTHS[grain];
    return Object.entries(GRAINS).filter(([grain]) => parts(grain) <= MOST_PARTS && parts(grain) >= 2);
  }

  /** The grain that is wanted, if the span may be cut so, or else the usual one. */
  function grainIn(span, wanted) {
    if (!span) return "month";
    return grainsOf(span).some(([grain]) => grain === wanted) ? wanted : days.grainOf(span.first, span.last);
  }

  /** A metric over all parts of a span, for a sparkline, which begins with a whole one; none is 0, but for a ratio. */
  function courseOf(rows, metric, span, grain) {
    const own = spanOf(span);
    if (!own) return { values: [] };
    const known = partsOf(own, grain).filter(({ first, last }) => first <= last);
    const parts = known.length > 2 && !known[0].isWhole ? known.slice(1) : known;
    const byDay = new Map(rows.map((row) => [row.day, row[metric]]));
    const none = wholesale.meta.metrics[metric].parts ? null : 0;
    const last = parts.at(-1);
    return {
      values: parts.map(({ day }) => (byDay.has(day) ? byDay.get(day) : none)),
      isUnfinished:
        Boolean(last) && (!last.isWhole || Boolean(own.isUnfinished && own.last === last.last && last.length > 1)),
      said: last && `by ${grain}, ${format.days(days.text(parts[0].first), days.text(last.last))}`,
    };
  }

  /** The days of `before` that a part is compared with; null for none. */
  function beforeOf(before, { first, last }) {
    const found = [];
    const [start, end] = [before.earlier(first) - A_MONTH_END, before.earlier(last) + A_MONTH_END];
    for (let day = Math.max(start, before.first); day <= Math.min(end, before.last); day += 1) {
      const then = before.later(day);
      if (then >= first && then <= last) found.push(day);
    }
    return found.length ? { first: found[0], last: found.at(-1) } : null;
  }

  /** The places of values far beyond the others: three times the middle half above it, two at most. */
  function outliersOf(values) {
    if (values.length < FEWEST_PARTS) return [];
    const sorted = values.toSorted((left, right) => left - right);
    const [low, high] = [0.25, 0.75].map((share) => sorted[Math.floor((sorted.length - 1) * share)]);
    const limit = high + 3 * (high - low);
    return values
      .map((value, place) => ({ value, place }))
      .filter(({ value }) => value > limit && high > 0)
      .toSorted((left, right) => right.value - left.value)
      .slice(0, 2)
      .map(({ place }) => place);
  }

  /** Three to five round steps up to the largest value, and down to the least if it is below nothing. */
  function ticks(most, least = 0) {
    const reach = Math.max(most, 0) - Math.min(least, 0);
    if (!(reach > 0)) return [0, 1];
    const raw = reach / 4;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
    const below = Math.floor(-Math.min(least, 0) / step);
    return Array.from(
      { length: Math.floor(Math.max(most, 0) / step) + below + 1 },
      (_, number) => (number - below) * step,
    );
  }

  /** A part as its axis says it, and as a reader would say it in full. */
  const SHORT = {
    day: (day) => format.day(day),
    week: (day) => format.day(day),
    month: (day) => format.month(day).replace(/ ?\d{4}/, ""),
    quarter: (day) => `Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`,
    year: (day) => day.slice(0, 4),
  };
  const shortName = (day, grain) => SHORT[grain](day);
  function longName(part, grain) {
    if (grain === "month") return format.longMonth(part.day);
    if (grain === "quarter") return `${SHORT.quarter(part.day)} ${part.day.slice(0, 4)}`;
    if (grain === "day" || grain === "year") return grain === "day" ? format.date(part.day) : SHORT.year(part.day);
    return format.days(days.text(part.first), days.text(part.last));
  }

  /** The period that goes from one part to another, by its short name if it has one. */
  function periodOf(from, to, grain) {
    if (from === to && from.isWhole) {
      if (grain === "month") return from.day.slice(0, 7);
      if (grain === "quarter") return `${from.day.slice(0, 4)}-${SHORT.quarter(from.day)}`;
      if (grain === "year") return from.day.slice(0, 4);
    }
    const [first, last] = [days.text(from.first), days.text(to.last)];
    return first === last ? first : `${first}..${last}`;
  }

  /** Whether no day of the period of a view is known. */
  const isBefore = ({ period }) =>
    period !== days.ALL_TIME && !spanOf(days.period(period, wholesale.meta.figures_up_to));

  /** Whether a figure says nothing of the days that are asked for: none is known, or what there is has no amount. */
  function isUnknown(name, total, view) {
    return isBefore(view) || (total[name] === null && !wholesale.meta.metrics[name].parts);
  }

  /** How many days of a part are known. */
  const daysOf = (part) => part.last - part.first + 1;

  wholesale.axes = {
    daysOf,
    isBefore,
    isUnknown,
    spanOf,
    partsOf,
    wasOver,
    isUnderWay,
    grainsOf,
    grainIn,
    courseOf,
    beforeOf,
    outliersOf,
    ticks,
    shortName,
    longName,
    periodOf,
  };
})();
