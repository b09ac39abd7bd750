/** Numbers: orders by their number, whole or begun. */
(() => {
  "use strict";

  const { facts, orders } = wholesale;
  const { columnsOf, rowsAt } = orders;

  const bare = (number) => (number ?? "").trim().replace(/^0+(?=.)/, "");

  /** The parts of months that may have an order of a number between these, the newest first: `[month, number]`. */
  async function partsOf(least, most) {
    const { numbers } = await facts.index();
    const isIn = ([low, high]) => low === null || (low <= most && high >= least);
    return Object.entries(numbers)
      .flatMap(([month, parts]) => parts.map((part, number) => [month, number, isIn(part)]))
      .filter(([, , is]) => is)
      .toReversed();
  }

  async function withNumbers([month, number], isWanted, column) {
    const {
      part,
      [facts.ORDERS]: { months: sizes },
    } = await facts.index();
    const start = number * part;
    const all = Array.from({ length: Math.min(part, sizes[month] - start) }, (_, place) => start + place);
    const { [column]: value } = await columnsOf(month, [column], all);
    const places = all.filter((place) => isWanted(value(place)));
    return places.length ? rowsAt(month, places) : [];
  }

  /** All orders of that number, with its zeros or without, or else the one of that id. */
  async function find(text) {
    const wanted = bare(text);
    const found = [];
    const isNumber = /^\d{1,15}$/.test(wanted);
    const all = await partsOf(-Infinity, Infinity);
    for (const part of isNumber ? await partsOf(Number(wanted), Number(wanted)) : all)
      found.push(...(await withNumbers(part, (number) => bare(number) === wanted, "order_number")));
    if (found.length || isNumber) return found;
    for (const part of all) {
      const rows = await withNumbers(part, (id) => id === text, "order_id");
      if (rows.length) return rows;
    }
    return [];
  }

  /** Some orders whose number begins so, the newest first; it reads two parts of months at most. */
  async function suggest(digits, most = 4) {
    const wanted = bare(digits);
    if (!/^\d{1,12}$/.test(wanted)) return [];
    const exact = (await find(wanted)).slice(0, most);
    const longest = String(
      Math.max(
        0,
        ...Object.values((await facts.index()).numbers).flatMap((parts) => parts.map(([, high]) => high ?? 0)),
      ),
    ).length;
    const found = new Map(exact.map((row) => [row.key, row]));
    let read = 0;
    for (let zeros = 1; wanted.length + zeros <= longest; zeros += 1) {
      const from = Number(wanted) * 10 ** zeros;
      for (const part of await partsOf(from, from + 10 ** zeros - 1)) {
        if (found.size >= most || read >= 2) break;
        read += 1;
        const rows = await withNumbers(part, (number) => bare(number).startsWith(wanted), "order_number");
        for (const row of rows) if (found.size < most) found.set(row.key, row);
      }
    }
    return [...found.values()];
  }

  Object.assign(orders, { find, suggest });
})();
