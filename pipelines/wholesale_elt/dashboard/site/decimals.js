/** Decimals: exact arithmetic on decimal texts ("12.5"): the data carries no floating point, nor does this. */
(() => {
  "use strict";

  const PLACES = 12;
  const ONE = 10n ** BigInt(PLACES);

  /** A decimal text as a whole number of 10^-12; null counts as nothing. */
  function units(decimal) {
    if (decimal === null || decimal === undefined) return 0n;
    const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(decimal));
    const size = BigInt(whole + fraction.padEnd(PLACES, "0"));
    return sign ? -size : size;
  }

  /** The decimal text of such a number, trailing zeros trimmed, as the data files write it. */
  function text(number) {
    const size = number < 0n ? -number : number;
    const fraction = String(size % ONE)
      .padStart(PLACES, "0")
      .replace(/0+$/, "");
    return `${number < 0n ? "-" : ""}${size / ONE}${fraction && `.${fraction}`}`;
  }

  /** The decimal text of a whole number of 10^-scale: its own digits, with a point in them. */
  function shifted(number, scale) {
    const [, sign, size] = /^(-?)(\d+)$/.exec(String(number));
    const digits = size.padStart(scale + 1, "0");
    const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
    return `${sign}${digits.slice(0, digits.length - scale)}${fraction && `.${fraction}`}`;
  }

  function compare(left, right) {
    const difference = units(left) - units(right);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** The quotient of two such numbers as a text, rounded half away from zero to six decimals; null over zero. */
  function ratio(numerator, denominator) {
    if (denominator === 0n) return null;
    const [size, by] = [numerator, denominator].map((number) => (number < 0n ? -number : number));
    const millionths = (2n * size * 1_000_000n + by) / (2n * by);
    return text((numerator < 0n === denominator < 0n ? millionths : -millionths) * (ONE / 1_000_000n));
  }

  /** Growth from one such text to another; null from nothing and from less, whose sign would say the opposite. */
  function growth(now, before) {
    const was = units(before);
    return now === null || was <= 0n ? null : ratio(units(now) - was, was);
  }

  /**
   * Shares of a whole in whole per cent, which add up to 100: each is rounded down, and those that lost most get what
   * is left. Nothing of a whole that is nothing.
   */
  function sharesOf(parts, whole) {
    if (whole === 0n) return parts.map(() => null);
    const sign = whole < 0n ? -1n : 1n;
    const size = sign * whole;
    const found = parts.map((by, place) => {
      const [above, rest] = [100n * sign * by, (((100n * sign * by) % size) + size) % size];
      return { place, rest, percent: Number((above - rest) / size) };
    });
    const left = 100 - found.reduce((sum, { percent }) => sum + percent, 0);
    const most = found.toSorted((one, other) => (one.rest > other.rest ? -1 : one.rest < other.rest ? 1 : 0));
    for (const each of most.slice(0, left)) each.percent += 1;
    return found.map(({ percent }) => percent);
  }

  wholesale.decimals = { units, text, shifted, compare, ratio, growth, sharesOf };
})();
