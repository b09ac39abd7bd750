/** Exact arithmetic on decimal texts ("12.5"): the data carries no floating point, nor does this. */
(() => {
  "use strict";

  const PLACES = 12;
  const ONE = 10n ** BigInt(PLACES);

  /** A decimal text as a whole number of 10^-12; null counts as nothing. */
  function units(text) {
    if (text === null || text === undefined) return 0n;
    const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text));
    const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(PLACES, "0"));
    return sign ? -size : size;
  }

  /** The decimal text of `units`, trailing zeros trimmed, as the data files write it. */
  function text(units) {
    const size = units < 0n ? -units : units;
    const fraction = String(size % ONE).padStart(PLACES, "0").replace(/0+$/, "");
    return `${units < 0n ? "-" : ""}${size / ONE}${fraction && `.${fraction}`}`;
  }

  function compare(one, other) {
    const difference = units(one) - units(other);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  wholesale.decimals = { units, text, compare };
})();
