/** Formats: how numbers, days and times are written. */
(() => {
  "use strict";

  const NONE = "–";
  const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const signedCents = new Intl.NumberFormat("en-US", {
    minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero",
  });
  const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 9 });
  const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 9 });
  const percent = new Intl.NumberFormat("en-US", {
    style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1,
  });
  const signed = new Intl.NumberFormat("en-US", {
    style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero",
  });
  const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
  const month = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short", year: "numeric" });

  let code = "";

  /** `XXX` is ISO 4217 for no currency: amounts then stand alone. */
  function useCurrency(currency) {
    code = currency === "XXX" ? "" : `${currency}\u00a0`;
  }

  const isMissing = (value) => value === null || value === undefined;
  const written = (write) => (value) => (isMissing(value) ? NONE : write(value));

  /** From a thousand on, an amount is read in whole units. */
  function amountText(value) {
    const isLarge = !/^-?\d{1,3}(\.|$)/.test(value);
    return code + (isLarge ? whole : cents).format(value);
  }

  function durationText(seconds) {
    if (seconds < 90) return `${Math.round(seconds)} s`;
    if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
    if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
    return `${Math.round(seconds / 86_400)} days`;
  }

  wholesale.format = {
    NONE,
    useCurrency,
    count: written((value) => whole.format(value)),
    amount: written(amountText),
    exactAmount: written((value) => code + exact.format(value)),
    cents: written((value) => cents.format(value)),
    difference: written((value) => signedCents.format(value)),
    price: written((value) => exact.format(value)),
    number: written((value) => number.format(value)),
    axisAmount: (value) => compact.format(value),
    rate: written((value) => percent.format(value)),
    change: written((value) => signed.format(value)),
    date: written(String),
    month: written((value) => month.format(new Date(value))),
    moment: written((value) => `${value.slice(0, 10)} ${value.slice(11, 16)} UTC`),
    duration: written((value) => durationText(Number(value))),
    text: written((value) => String(value).trim() || NONE),
    flag: written((value) => (value ? "yes" : "no")),
  };
})();
