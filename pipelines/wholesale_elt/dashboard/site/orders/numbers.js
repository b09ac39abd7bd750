/** Numbers: orders by their number, whole or begun. */
(() => {
  "use strict";

  const { facts, orders } = wholesale;
  const { columnsOf, months, rowsAt } = orders;

  const bare = (number) => (number ?? "").trim().replace(/^0+(?=.)/, "");

  /** The months that may have an order of a number between these. */
  async function monthsOfNumbers(least, most) {
    const { numbers } = await facts.index();
    return Object.entries(numbers)
      .filter(([, [low, high]]) => low === null || (low <= most && high >= least))
      .map(([month]) => month)
      .toReversed();
  }

  async function withNumbers(month, isWanted, column) {
    const { [column]: value } = await columnsOf(month, [column]);
    const size = (await facts.index())[facts.ORDERS].months[month];
    const places = [];
    for (let place = 0; place < size; place += 1) if (isWanted(value(place))) places.push(place);
    return places.length ? rowsAt(month, places) : [];
  }

  /** All orders of that number, with its zeros or without, or else the one of that id. */
  async function find(text) {
    const wanted = bare(text);
    const found = [];
    const isNumber = /^\d{1,15}$/.test(wanted);
    const likely = isNumber
      ? await monthsOfNumbers(Number(wanted), Number(wanted))
      : Object.keys((await facts.index()).numbers).toReversed();
    for (const month of likely)
      found.push(...(await withNumbers(month, (number) => bare(number) === wanted, "order_number")));
    if (found.length || isNumber) return found;
    for (const month of await months({ span: {} })) {
      const rows = await withNumbers(month, (id) => id === text, "order_id");
      if (rows.length) return rows;
    }
    return [];
  }

  /** Some orders whose number begins so, the newest first; it reads two months at most. */
  async function suggest(digits, most = 4) {
    const wanted = bare(digits);
    if (!/^\d{1,12}$/.test(wanted)) return [];
    const exact = (await find(wanted)).slice(0, most);
    const longest = String(
      Math.max(0, ...Object.values((await facts.index()).numbers).map(([, high]) => high ?? 0)),
    ).length;
    const found = new Map(exact.map((row) => [row.key, row]));
    let read = 0;
    for (let zeros = 1; wanted.length + zeros <= longest; zeros += 1) {
      const from = Number(wanted) * 10 ** zeros;
      for (const month of await monthsOfNumbers(from, from + 10 ** zeros - 1)) {
        if (found.size >= most || read >= 2) break;
        read += 1;
        const rows = await withNumbers(month, (number) => bare(number).startsWith(wanted), "order_number");
        for (const row of rows) if (found.size < most) found.set(row.key, row);
      }
    }
    return [...found.values()];
  }

  Object.assign(orders, { find, suggest });
})();
