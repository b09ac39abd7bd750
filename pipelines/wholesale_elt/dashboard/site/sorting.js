/** Sorting: values in their order: numbers by their size, texts as readers sort them, what is missing first. */
(() => {
  "use strict";

  const { decimals } = wholesale;
  const NUMBER = /^-?\d+(\.\d+)?$/;

  const isNumber = (value) => typeof value === "number" || NUMBER.test(value);

  function compared(left, right) {
    if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
    if (isNumber(left) && isNumber(right)) return decimals.compare(left, right);
    return String(left).localeCompare(String(right));
  }

  /** Sizes that have the order of values, as far as numbers of a browser can tell them apart. */
  function sizesOf(values) {
    if (values.every((value) => value === null || isNumber(value)))
      return values.map((value) => (value === null ? -Infinity : Number(value)));
    const different = [...new Set(values)].toSorted(compared);
    const places = new Map(different.map((value, place) => [value, place]));
    return values.map((value) => places.get(value));
  }

  /** Items by the values that they have, in the same order where these are alike. */
  function sorted(items, values, isAscending) {
    const told = values.map((value) => value ?? null);
    const sizes = sizesOf(told);
    const sign = isAscending ? 1 : -1;
    const places = items.map((_, place) => place);
    places.sort((left, right) => {
      if (sizes[left] !== sizes[right]) return sizes[left] < sizes[right] ? -sign : sign;
      return told[left] === told[right] ? 0 : sign * compared(told[left], told[right]);
    });
    return places.map((place) => items[place]);
  }

  wholesale.sorting = { sorted };
})();
