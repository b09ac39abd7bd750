/**
 * Formats: how amounts, counts, days and changes are written.
 *
 * The sentences are English, so digits, currency and the names of months are: `$664 k`, `Nov 29, 2026`. Only whether
 * the day stands before its month, and how many hours a clock has, are the reader's. Months are always names, so no
 * order is ambiguous.
 */
(() => {
  "use strict";

  const NONE = "–";
  const MINUS = "\u2212";
  const THIN = "\u202f";
  const MOST_GROWTH = 9.99;
  /** As much may have fallen and something be left. */
  const MOST_FALL = 0.999;
  const MOST_TIMES = 999;
  const LANGUAGE = "en-US";
  const [dateLocale, hourCycle] = habitsOf(typeof navigator === "undefined" ? LANGUAGE : navigator.language);
  let currency = "";

  /** The English order of dates that comes nearest to that of a language, and the hours of its clock. */
  function habitsOf(language) {
    let asked;
    try {
      asked = new Intl.DateTimeFormat(language, { day: "numeric", month: "numeric", hour: "numeric" });
    } catch {
      return [LANGUAGE, undefined];
    }
    const [first] = asked.formatToParts(0).filter(({ type }) => type === "day" || type === "month");
    return [first?.type === "day" ? "en-GB" : LANGUAGE, asked.resolvedOptions().hourCycle];
  }

  /** `XXX` is ISO 4217 for no currency: amounts then stand alone. */
  function useCurrency(code) {
    currency = code === "XXX" ? "" : code;
  }

  const writers = new Map();
  function writer(options) {
    const key = JSON.stringify([currency, options]);
    if (!writers.has(key)) writers.set(key, new Intl.NumberFormat(LANGUAGE, options));
    return writers.get(key);
  }

  const money = (digits, more = {}) =>
    writer({
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      ...more,
      ...(currency && { style: "currency", currency, currencyDisplay: "narrowSymbol" }),
    });

  const isMissing = (value) => value === null || value === undefined;
  const written = (write) => (value) => (isMissing(value) ? NONE : write(value));
  const signless = (write) => written((value) => write(value).replace("-", MINUS));

  /** Two decimals below a hundred thousand, none above. Decimals are texts, which are written exactly. */
  const amount = signless((value) => money(Math.abs(Number(value)) < 100_000 ? 2 : 0).format(value));
  const exact = signless((value) => money(2, { maximumFractionDigits: 9 }).format(value));
  /** With so many decimals, all digits before them too. */
  const fixed = (digits) => signless((value) => money(digits).format(value));

  const UNITS = [
    [1e12, "T"],
    [1e9, "B"],
    [1e6, "M"],
    [1e3, "k"],
  ];
  /** Where room is dear: `$12.4 k`. */
  const compact = signless((value) => {
    const size = Math.abs(Number(value));
    if (size < 1_000) return money(0).format(value);
    const [by, unit] = UNITS.find(([least]) => size >= 0.9995 * least);
    const digits = size / by >= 100 ? 0 : size / by >= 10 || unit === "k" ? 1 : 2;
    return `${money(0, { maximumFractionDigits: digits }).format(Number(value) / by)}${THIN}${unit}`;
  });
  const count = signless((value) => writer({ maximumFractionDigits: 0 }).format(value));
  const number = signless((value) => writer({ maximumFractionDigits: 2 }).format(value));
  const share = signless((value) =>
    writer({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value),
  );
  const wholeShare = signless((value) =>
    writer({ style: "percent", maximumFractionDigits: 0, signDisplay: "negative" }).format(value),
  );
  /** A text in which no line breaks between a sign and its number. */
  const together = (words) => words.replaceAll(MINUS, `${MINUS}\u2060`);
  const signed = (write) => (value) => (isMissing(value) ? NONE : `${Number(value) > 0 ? "+" : ""}${write(value)}`);

  /**
   * A change in words: `+4.1%`, `new`, `×300` beyond ten times, `over ×999`, `below −999%`; null where it says nothing.
   * What is not the same by less than can be written is `0.0%`, what is left of nearly nothing no fall of all.
   */
  function change(now, before) {
    if (isMissing(now) || isMissing(before)) return null;
    const [is, was] = [Number(now), Number(before)];
    if (was <= 0) return was === 0 && is > 0 ? "new" : null;
    const growth = is / was - 1;
    if (is / was > MOST_TIMES) return `over ×${MOST_TIMES}`;
    if (growth > MOST_GROWTH) return `×${writer({ maximumFractionDigits: 0 }).format(is / was)}`;
    if (growth < -MOST_GROWTH) return `below ${MINUS}${MOST_TIMES}%`;
    if (is > 0 && growth < -MOST_FALL) return `${MINUS}${MOST_FALL * 100}%`;
    return signed(share)(growth).replace(/^[+\u2212]0\.0%$/, "0.0%");
  }

  const dates = new Map();
  function dated(options) {
    const key = JSON.stringify({ ...options, isOwn: "timeZone" in options });
    if (!dates.has(key)) dates.set(key, new Intl.DateTimeFormat(dateLocale, { timeZone: "UTC", ...options }));
    return written((value) => dates.get(key).format(new Date(value)));
  }
  const date = dated({ day: "numeric", month: "short", year: "numeric" });
  const day = dated({ day: "numeric", month: "short" });
  const weekday = dated({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const longDay = dated({ weekday: "long", day: "numeric", month: "long" });
  const month = dated({ month: "short", year: "numeric" });
  const longMonth = dated({ month: "long", year: "numeric" });
  /** A moment by the reader's own clock, with its zone; `ownDay` and those after it are parts of it there. */
  const ownZone = { timeZone: undefined };
  const time = { hour: "2-digit", minute: "2-digit", hourCycle, timeZoneName: "short" };
  const moment = dated({ day: "numeric", month: "short", year: "numeric", ...time, ...ownZone });
  /** The time of a moment elsewhere. */
  const hourIn = (value, timeZone) =>
    new Intl.DateTimeFormat(dateLocale, { hour: "2-digit", minute: "2-digit", hourCycle, timeZone }).format(value);
  const ownDay = dated({ day: "numeric", month: "short", ...ownZone });
  const ownDate = dated({ day: "numeric", month: "short", year: "numeric", ...ownZone });
  const ownLongDay = dated({ weekday: "long", day: "numeric", month: "long", ...ownZone });
  const clock = dated({ hour: "2-digit", minute: "2-digit", ...ownZone });

  /** A day, with its year only if it was long ago. */
  const recent = (value) =>
    (wholesale.days.number(wholesale.meta.figures_up_to) - wholesale.days.number(value) < 300 ? day : date)(value);

  /** Days from the first to the last, as short as they can be said. */
  function days(first, last) {
    if (first === last) return date(first);
    return first.slice(0, 4) === last.slice(0, 4) ? `${day(first)} – ${date(last)}` : `${date(first)} – ${date(last)}`;
  }

  function plural(number_, one, many = `${one}s`) {
    return `${count(number_)} ${Number(number_) === 1 ? one : many}`;
  }

  /** How long orders took at most, as `DAYS` has it: nine of ten of them, or all where they are too few to tell. */
  function within({ most_days: most, longest_days: longest, order_count: orders }) {
    if (Number(orders) === 1) return "1 order seen";
    const text = isMissing(most) ? `at most ${plural(longest, "day")}` : `nine of ten within ${plural(most, "day")}`;
    return `${text}; ${plural(orders, "order")} seen`;
  }

  /** The same after how long they usually took; of a single one there is no more to tell. */
  function took(row) {
    const usual = row.median_days === 0 ? "the same day" : plural(row.median_days, "day");
    return `${usual}${row.order_count === 1 ? ";" : ","} ${within(row)}`;
  }

  /** A value of a metric, by its unit. */
  const WRITERS = { amount, count, share, number };
  const metric = (name, value) => WRITERS[wholesale.meta.metrics[name].unit](value);
  const dense = (name, value) =>
    (wholesale.meta.metrics[name].unit === "amount" ? compact : WRITERS[wholesale.meta.metrics[name].unit])(value);

  /** The same where a figure of any length must find room, as at an axis: `12.4 M` of a count, too. */
  const short = (name, value) => {
    const { unit } = wholesale.meta.metrics[name];
    return unit === "count" && Math.abs(Number(value)) >= 100_000
      ? signless((size) => writer({ notation: "compact", maximumSignificantDigits: 3 }).format(size))(value)
      : dense(name, value);
  };

  /** `on_hold` → `On hold`; codes of the service become words. */
  function word(code) {
    if (isMissing(code) || code === "") return "Not known";
    const text = String(code).replaceAll(/[_-]+/g, " ").trim();
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  /** What a state means by the settings: `waiting`, `accepted`, `sent`, `done` and so on, or `unknown`. */
  const standing = (code, field = "order_status") =>
    wholesale.meta.states[field]?.[(code ?? "").toLowerCase().trim()] ?? "unknown";

  /** The state that most orders of a standing have; null if no state has it. */
  const stateOf = (wanted, field = "order_status") =>
    Object.entries(wholesale.meta.states[field] ?? {}).find(([, found]) => found === wanted)?.[0] ?? null;

  /** The service's own word for what orders became by a step. */
  const became = (step) => word(stateOf(step, step === "settled" ? "payment_status" : "order_status") ?? step);

  wholesale.format = {
    NONE,
    MINUS,
    habitsOf,
    useCurrency,
    amount,
    exact,
    fixed,
    compact,
    count,
    number,
    share,
    wholeShare,
    change,
    together,
    signed,
    date,
    day,
    ownDay,
    ownDate,
    ownLongDay,
    clock,
    hourIn,
    recent,
    weekday,
    longDay,
    month,
    longMonth,
    moment,
    days,
    plural,
    within,
    took,
    metric,
    dense,
    short,
    word,
    standing,
    stateOf,
    became,
  };
})();
