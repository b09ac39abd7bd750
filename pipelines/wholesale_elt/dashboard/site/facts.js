/** Facts: orders and their lines by month, as columns of numbers, each file read when first asked for. */
(() => {
  "use strict";

  const { load, reader } = wholesale;
  const ORDERS = "fct_orders";
  const LINES = "fct_order_lines";
  let found = null;

  /** The index, and which file of a month has each measure and each dimension. */
  function index() {
    found ??= load("facts/index").then((read) => ({
      ...read,
      fileOf: Object.fromEntries([ORDERS, LINES].map((fact) => [fact, filesOf(read[fact])])),
    }));
    return found;
  }

  function filesOf({ measures, dimensions }) {
    const files = new Map();
    for (const [file, names] of Object.entries(measures)) for (const name of Object.keys(names)) files.set(name, file);
    for (const [file, names] of Object.entries(dimensions)) for (const name of names) files.set(name, file);
    return files;
  }

  /** Which fact counts a metric, with its measure; none for one that this publication cannot count. */
  async function measureOf(metric) {
    const read = await index();
    for (const fact of [ORDERS, LINES]) {
      for (const measures of Object.values(read[fact].measures)) {
        if (measures[metric])
          return { fact, scale: 0, is_large: false, differs_from: "", counts: "", ...measures[metric] };
      }
    }
    return null;
  }

  /** The members of a dimension of orders: `{keys, names}` by code. */
  async function members(dimension) {
    const file = (await index()).fileOf[ORDERS].get(dimension);
    const table = (await load(`facts/members_of_${file}`))[dimension];
    const [key, name] = ["key", "name"].map((column) => reader(table, column));
    const codes = Array.from({ length: table.length }, (_, code) => code);
    return { keys: codes.map(key), names: codes.map(name) };
  }

  /** What tells lines apart: a table with a row for each kind. */
  function kinds() {
    return load("facts/kinds");
  }

  /** A file of a month, as `orders` or `lines`, or of a part of it: `details`. */
  function month(file, name) {
    return load(`facts/${file}-${name}`);
  }

  /** The part that has all lines of these kinds, as `month` reads it; null if it is not one, or if there are none. */
  async function partOf(isWanted) {
    const table = await kinds();
    if (!table.columns.part) return null;
    const part = reader(table, "part");
    const parts = new Set();
    for (let kind = 0; kind < table.length; kind += 1) if (isWanted(kind)) parts.add(part(kind));
    return parts.size === 1 ? [...parts][0] : null;
  }

  /** The months that have any of these days, and those without a date if no days are said. */
  async function monthsIn(fact, first, last) {
    const known = Object.keys((await index())[fact].months);
    if (first === undefined) return known;
    const wanted = new Set(wholesale.days.monthsOf(first, last));
    return known.filter((name) => wanted.has(name));
  }

  wholesale.facts = { ORDERS, LINES, index, measureOf, members, kinds, month, partOf, monthsIn };
})();
