/** Purchases: orders by the number of the buyer's purchase order; one small file is read for each ending of it. */
(() => {
  "use strict";

  const { load, objects, nearest, rowsOf } = wholesale;
  /** Fewer letters end too many numbers. */
  const FEWEST = 4;
  const OTHERS = "other";

  /** A number without what people leave out or write otherwise. */
  const bare = (text) => nearest.folded(text).replaceAll(/[^\p{L}\p{N}]/gu, "");

  /** The file that has all numbers with this ending, if there is one. */
  async function rowsEnding(number) {
    const { purchase_endings: known } = wholesale.meta;
    const letters = known.find((ending) => ending !== OTHERS)?.length ?? 1;
    const ending = number.slice(-letters);
    const isPlain = known.some((each) => each !== OTHERS) && new RegExp(`^[0-9a-z]{${letters}}$`).test(ending);
    const name = isPlain ? ending : OTHERS;
    return known.includes(name) ? rowsOf(await load(`purchases/${name}`)) : [];
  }

  /** The orders of a purchase order, found by its whole number, or by its end: `{order_number, po_number, …}`. */
  async function ordersOf(text, most) {
    const wanted = bare(text);
    if (wanted.length < FEWEST - 1 || !/\d/.test(wanted)) return [];
    const rows = await rowsEnding(wanted).catch(() => []); // the other groups still answer
    const same = rows.filter((row) => bare(row.po_number) === wanted);
    const found =
      same.length || wanted.length < FEWEST ? same : rows.filter((row) => bare(row.po_number).endsWith(wanted));
    const buyers = found.length ? await objects.all("buyers") : new Map();
    return found.slice(0, most).map((row) => ({ ...row, buyer: buyers.get(row.buyer_id) ?? null }));
  }

  wholesale.purchases = { ordersOf };
  wholesale.receive("search/purchases", null);
})();
