/** Format: elements, and values in words, exactly as far as they are shown. */
(() => {
  "use strict";

  const words = JSON.parse(document.getElementById("words").textContent);
  const NOT_KNOWN = "not known";
  const UTC = { timeZone: "UTC" };
  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = ["svg", "g", "rect", "line", "text", "path", "defs", "pattern"];

  /** An element; a text is a text, whatever stands in it. `on…` are listeners, `style` has properties. */
  function h(tag, attributes, ...children) {
    const made = DRAWN.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (name === "style") for (const [key, to] of Object.entries(value)) made.style.setProperty(key, to);
      else made.setAttribute(name, value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return made;
  }

  const plain = (name) => name.replaceAll("_", " ");
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const labelOf = (metric) => words.metrics[metric]?.label ?? capital(plain(metric));
  const unitOf = (metric) => words.metrics[metric]?.unit ?? "number";
  const isMetric = (name) => name in words.metrics;

  const number = (value, options) => new Intl.NumberFormat("en-US", options).format(value);

  const counted = (count, one) => `${number(count)} ${one}${Number(count) === 1 ? "" : "s"}`;

  /** An amount with its currency, if the account tells one. */
  function money(value, currency, options) {
    if (!currency || currency === "XXX") return number(value, options);
    return number(value, { style: "currency", currency, currencyDisplay: "narrowSymbol", ...options });
  }

  /** A value of a metric as it is read. */
  function full(metric, value, currency) {
    if (value === null || value === undefined) return NOT_KNOWN;
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    const by = {
      amount: () => money(value, currency, digits),
      count: () => number(value),
      share: () => number(value, { style: "percent", maximumFractionDigits: 1 }),
    };
    return (by[unitOf(metric)] ?? (() => number(value, { maximumFractionDigits: 2 })))();
  }

  /** The same where room is dear: `12.4 k`. */
  function short(metric, value, currency) {
    if (value === null || value === undefined) return NOT_KNOWN;
    if (unitOf(metric) === "share") return full(metric, value);
    const isLarge = Math.abs(Number(value)) >= 1000;
    const options = isLarge
      ? { notation: "compact", maximumSignificantDigits: 3 }
      : { minimumFractionDigits: 0, maximumFractionDigits: Math.abs(Number(value)) < 100 ? 2 : 0 };
    const text = unitOf(metric) === "amount" ? money(value, currency, options) : number(value, options);
    return text.replace(/[KMBT]$/, (unit) => ` ${unit === "K" ? "k" : unit}`);
  }

  /** A difference with its sign. */
  function signed(metric, value, currency) {
    if (value === null || value === undefined) return NOT_KNOWN;
    const size = String(value).replace("-", "");
    return `${Number(value) < 0 ? "−" : "+"}${full(metric, size, currency)}`;
  }

  /** `+12.3%`, of what was below nothing or nothing at all there is none. */
  function growth(share) {
    if (share === null || share === undefined) return "";
    if (Number(share) > 9.99) return `×${number(Number(share) + 1, { maximumFractionDigits: 0 })}`;
    return number(share, {
      style: "percent",
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      signDisplay: "always",
    });
  }

  const date = (day, options) => new Intl.DateTimeFormat("en-GB", { ...UTC, ...options }).format(new Date(day));
  const dayText = (day) => date(day, { day: "numeric", month: "short", year: "numeric" });
  const momentText = (moment) =>
    `${date(moment, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })} UTC`;

  /** The days of a period in words. */
  function days(first, last) {
    if (!first) return "All time";
    return first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`;
  }

  /** The name of a part of time. */
  function partText(grain, day) {
    if (!day) return "Without a day";
    if (grain === "year") return day.slice(0, 4);
    if (grain === "quarter") return `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`;
    if (grain === "month") return date(day, { month: "long", year: "numeric" });
    return grain === "week" ? `Week of ${dayText(day)}` : dayText(day);
  }

  /** The same below a bar: its name, and the year where that begins. */
  function partShort(grain, day) {
    if (grain === "year") return day.slice(0, 4);
    if (grain === "quarter") return `Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
    return date(day, grain === "month" ? { month: "short" } : { day: "numeric", month: "short" });
  }

  Object.assign(window.figures, {
    h,
    format: {
      plain,
      capital,
      labelOf,
      unitOf,
      isMetric,
      full,
      short,
      signed,
      growth,
      days,
      momentText,
      partText,
      partShort,
      number,
      counted,
    },
  });
})();
